#include "app/cli/bench/work_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"

namespace rooftile::cli {
namespace {

// In the order in which they come, those of one kernel together.
std::vector<std::vector<JudgedWork>> by_kernel(const std::vector<JudgedWork>& launches) {
  std::vector<std::vector<JudgedWork>> groups;
  for (const JudgedWork& launch : launches) {
    const auto found =
        std::ranges::find_if(groups, [&](const auto& group) { return group[0].kernel == launch.kernel; });
    found == groups.end() ? groups.push_back({launch}) : found->push_back(launch);
  }
  return groups;
}

std::string range(const WorkScore& score) {
  return score.launches == 0 ? unknown_text
         : fmt::format("{:.3f}", score.least) == fmt::format("{:.3f}", score.most)
             ? fmt::format("{:.3f}", score.least)
             : fmt::format("{:.3f}-{:.3f}", score.least, score.most);
}

Seconds median_time(const std::vector<JudgedWork>& launches) {
  std::vector<double> times;
  for (const JudgedWork& launch : launches) {
    times.push_back((launch.reading + launch.running).value);
  }
  std::ranges::sort(times);
  return Seconds{times[times.size() / 2]};
}

void add_judgement(std::vector<std::string>& row, const Judgement& judgement) {
  const auto pairs = static_cast<double>(judgement.pairs);
  row.push_back(fmt::format("{:.2f}x", judgement.median_error));
  row.push_back(percent(judgement.within_1_3));
  row.push_back(pairs > 0 ? fmt::format("{} of {}", judgement.pairs_ordered, judgement.pairs) : unknown_text);
}

}  // namespace

TextTable work_by_kernel(const std::vector<JudgedWork>& launches) {
  std::vector<std::string> head = {"derived / counted", "launches", "not followed"};
  for (const WorkFigure figure : work_figures) {
    head.emplace_back(title(figure));
  }
  head.emplace_back("processor time");
  TextTable table(head, "l" + std::string(head.size() - 1, 'r'));
  for (const std::vector<JudgedWork>& group : by_kernel(launches)) {
    const auto failed =
        std::ranges::count_if(group, [](const JudgedWork& launch) { return launch.failure.has_value(); });
    std::vector<std::string> row = {group[0].kernel, count(static_cast<double>(group.size())),
                                    failed == 0 ? "" : count(static_cast<double>(failed))};
    for (const WorkFigure figure : work_figures) {
      row.push_back(range(score_of(group, figure)));
    }
    row.push_back(text(median_time(group)));
    table.add(row);
  }
  return table;
}

TextTable work_by_figure(const std::vector<JudgedWork>& launches) {
  std::vector<std::string> head = {"figure", "launches"};
  for (const double bound : work_bounds) {
    head.push_back(fmt::format("within {}", percent(bound)));
  }
  head.insert(head.end(), {"worst", "of"});
  TextTable table(head, "l" + std::string(work_bounds.size() + 2, 'r') + "l");
  for (const WorkFigure figure : work_figures) {
    const WorkScore score = score_of(launches, figure);
    if (score.launches == 0) {
      continue;
    }
    std::vector<std::string> row = {std::string(title(figure)), count(static_cast<double>(score.launches))};
    for (const std::size_t within : score.within) {
      row.push_back(percent(static_cast<double>(within) / static_cast<double>(score.launches)));
    }
    const WorkRatio ratio = *std::ranges::find(score.worst->ratios, figure, &WorkRatio::figure);
    row.push_back(fmt::format("{:.3f}", ratio.derived / ratio.counted));
    row.push_back(score.worst->kernel + " " + score.worst->launch);
    table.add(row);
  }
  return table;
}

TextTable times_by_kernel(const std::vector<JudgedWork>& launches) {
  TextTable table({"measured / predicted", "launches", "median", "within 1.3x", "pairs ordered"}, "lrrrr");
  auto groups = by_kernel(launches);
  groups.push_back(launches);
  for (const std::vector<JudgedWork>& group : groups) {
    std::vector<JudgedLaunch> timed;
    for (const JudgedWork& launch : group) {
      if (launch.time) {
        timed.push_back(*launch.time);
      }
    }
    if (!timed.empty()) {
      std::vector<std::string> row = {&group == &groups.back() ? "all" : group[0].kernel,
                                      count(static_cast<double>(timed.size()))};
      add_judgement(row, judge(timed));
      table.add(row);
    }
  }
  return table;
}

TextTable pictures_by_kernel(const std::vector<JudgedWork>& launches) {
  TextTable table({"drawn / counted", "figure", "launches", "least", "most", "beyond 5 %", "why"}, "llrrrrl");
  for (const std::vector<JudgedWork>& group : by_kernel(launches)) {
    for (const PictureFigure figure : picture_figures) {
      const PictureScore score = score_of(group, figure);
      if (score.launches == 0) {
        continue;
      }
      table.add({group[0].kernel, std::string(title(figure)), count(static_cast<double>(score.launches)),
                 fmt::format("{:.3f}", score.least), fmt::format("{:.3f}", score.most),
                 score.deviating == 0 ? "" : count(static_cast<double>(score.deviating)),
                 fmt::format("{}", fmt::join(score.reasons, " "))});
    }
  }
  return table;
}

nlohmann::json json_of(const std::vector<JudgedWork>& launches) {
  nlohmann::json rows = nlohmann::json::array();
  for (const JudgedWork& launch : launches) {
    nlohmann::json row = {{"kernel", launch.kernel},
                          {"launch", launch.launch},
                          {"read_s", launch.reading.value},
                          {"run_s", launch.running.value}};
    for (const WorkRatio& ratio : launch.ratios) {
      const std::string name(key(ratio.figure));
      row["derived_" + name] = ratio.derived;
      row["counted_" + name] = ratio.counted;
    }
    for (const JudgedPicture& picture : launch.pictures) {
      row["drawn_" + std::string(key(picture.figure))] = picture.drawn;
      row["counted_" + std::string(key(picture.figure))] = picture.counted;
    }
    row["findings"] = launch.findings;
    if (launch.time) {
      row["measured_s"] = launch.time->measured.value;
      row["predicted_s"] = launch.time->predicted.value;
    }
    if (launch.failure) {
      row["sentence"] = *launch.failure;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace rooftile::cli
