#include "app/cli/bench/model_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"

namespace rooftile::cli {
namespace {

// In the order in which they come first.
class Groups {
 public:
  void add(const std::string& name, const JudgedLaunch& launch) {
    const auto found = std::ranges::find(groups_, name, &Group::name);
    auto& group = found == groups_.end() ? groups_.emplace_back(Group{name, {}}) : *found;
    group.launches.push_back(launch);
  }
  void judge(std::vector<ModelRow>& rows, bool are_kernels = false) const {
    for (const Group& group : groups_) {
      rows.push_back({group.name, rooftile::judge(group.launches), are_kernels});
    }
  }

 private:
  struct Group {
    std::string name;
    std::vector<JudgedLaunch> launches;
  };
  std::vector<Group> groups_;
};

std::map<std::string, double> sizes_most_recorded(const std::vector<JudgedLaunch>& launches) {
  std::map<std::string, std::map<double, int>> times;
  for (const JudgedLaunch& launch : launches) {
    ++times[launch.kernel][launch.size];
  }
  std::map<std::string, double> most;
  for (const auto& [kernel, sizes] : times) {
    most[kernel] = std::ranges::max_element(sizes, {}, [](const auto& size) { return size.second; })->first;
  }
  return most;
}

// The mean of the rows for which it is known.
class Average {
 public:
  void add(double figure) {
    sum_ += figure;
    ++count_;
  }
  void add(std::size_t part, std::size_t whole) {
    if (whole > 0) {
      add(static_cast<double>(part) / static_cast<double>(whole));
    }
  }
  double value() const { return count_ > 0 ? sum_ / count_ : 0; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

std::vector<std::string> average_cells(const std::vector<ModelRow>& rows) {
  Average median, error_95, within, pairs, favourites;
  for (const ModelRow& row : rows) {
    if (row.is_kernel) {
      const Judgement& of = row.judgement;
      median.add(of.median_error);
      error_95.add(of.error_95);
      within.add(of.within_1_3);
      pairs.add(of.pairs_ordered, of.pairs);
      favourites.add(of.good_favourites, of.problems);
    }
  }
  return {"average over the kernels",
          "",
          fmt::format("{:.2f}x", median.value()),
          fmt::format("{:.2f}x", error_95.value()),
          percent(within.value()),
          percent(pairs.value()),
          percent(favourites.value()),
          "",
          ""};
}

std::string share(std::size_t part, std::size_t whole) {
  return whole == 0 ? unknown_text : percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::vector<std::string> cells(const ModelRow& row) {
  const Judgement& judgement = row.judgement;
  return {row.name,
          count(static_cast<double>(judgement.launches)),
          fmt::format("{:.2f}x", judgement.median_error),
          fmt::format("{:.2f}x", judgement.error_95),
          percent(judgement.within_1_3),
          share(judgement.pairs_ordered, judgement.pairs),
          share(judgement.good_favourites, judgement.problems),
          judgement.problems == 0 ? unknown_text : fmt::format("{:.2f}x", judgement.worst_favourite),
          count(static_cast<double>(judgement.impossible))};
}

}  // namespace

std::vector<ModelRow> model_rows(const std::vector<JudgedLaunch>& launches) {
  const auto most_recorded = sizes_most_recorded(launches);
  Groups kernels, parts, all;
  for (const JudgedLaunch& launch : launches) {
    const bool usual = most_recorded.at(launch.kernel) == launch.size;
    kernels.add(launch.kernel, launch);
    parts.add(launch.gpu + (usual ? ", the size most recorded" : ", other sizes"), launch);
    all.add("all", launch);
  }
  std::vector<ModelRow> rows;
  kernels.judge(rows, true);
  parts.judge(rows);
  all.judge(rows);
  return rows;
}

TextTable model_table(const std::vector<ModelRow>& rows) {
  TextTable table({"launches of", "launches", "median error", "95 %", "within 1.3x", "pairs ordered",
                   "favourites", "worst favourite", "faster than roofs"},
                  "lrrrrrrrr");
  for (const ModelRow& row : rows) {
    table.add(cells(row));
  }
  table.add(average_cells(rows));
  return table;
}

nlohmann::json json_of(const ModelRow& row) {
  const Judgement& judgement = row.judgement;
  return {{"name", row.name},
          {"launches", judgement.launches},
          {"median_error", judgement.median_error},
          {"error_95", judgement.error_95},
          {"within_1_3", judgement.within_1_3},
          {"pairs", judgement.pairs},
          {"pairs_ordered", judgement.pairs_ordered},
          {"problems", judgement.problems},
          {"good_favourites", judgement.good_favourites},
          {"worst_favourite", judgement.worst_favourite},
          {"impossible", judgement.impossible}};
}

}  // namespace rooftile::cli
