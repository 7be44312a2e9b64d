#include "app/cli/bench/advice_table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"

namespace rooftile::cli {
namespace {

std::string share_of(std::size_t part, std::size_t whole) {
  return whole == 0 ? unknown_text : percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::string whole_number(std::size_t number) {
  return count(static_cast<double>(number));
}

double average_faster(const std::vector<AdviceRow>& rows) {
  double sum = 0, kernels = 0;
  for (const auto& [name, score, is_kernel] : rows) {
    if (is_kernel && score.moves_recorded > 0) {
      sum += static_cast<double>(score.faster) / static_cast<double>(score.moves_recorded);
      kernels += 1;
    }
  }
  return kernels > 0 ? sum / kernels : 0;
}

}  // namespace

std::vector<AdviceRow> advice_rows(const std::vector<JudgedAdvice>& judged,
                                   const std::function<std::string(const JudgedAdvice&)>& name_of,
                                   bool are_kernels) {
  std::vector<std::pair<std::string, std::vector<JudgedAdvice>>> groups;
  for (const JudgedAdvice& each : judged) {
    const std::string name = name_of(each);
    const auto found = std::ranges::find(groups, name, [](const auto& group) { return group.first; });
    auto& group = found == groups.end() ? groups.emplace_back(name, std::vector<JudgedAdvice>{}) : *found;
    group.second.push_back(each);
  }
  std::vector<AdviceRow> rows;
  for (const auto& [name, of_it] : groups) {
    rows.push_back({name, score(of_it), are_kernels});
  }
  return rows;
}

TextTable advice_table(const std::vector<AdviceRow>& rows) {
  TextTable table({"launches of", "launches", "moves advised", "recorded", "faster", "median error",
                   "nothing helps", "recorded", "contradicted", "not known"},
                  "lrrrrrrrrr");
  for (const auto& [name, score, is_kernel] : rows) {
    table.add({name, whole_number(score.launches), whole_number(score.moves),
               whole_number(score.moves_recorded), share_of(score.faster, score.moves_recorded),
               score.moves_recorded == 0 ? unknown_text : percent(score.median_error - 1),
               whole_number(score.nothing), whole_number(score.nothing_recorded),
               share_of(score.contradicted, score.nothing_recorded), whole_number(score.unknown)});
  }
  table.add({"average over the kernels", "", "", "", percent(average_faster(rows)), "", "", "", "", ""});
  return table;
}

nlohmann::json json_of(const AdviceRow& row) {
  const AdviceScore& score = row.score;
  return {{"name", row.name},
          {"launches", score.launches},
          {"moves", score.moves},
          {"moves_recorded", score.moves_recorded},
          {"faster", score.faster},
          {"median_error", score.median_error},
          {"nothing", score.nothing},
          {"nothing_recorded", score.nothing_recorded},
          {"contradicted", score.contradicted},
          {"unknown", score.unknown}};
}

}  // namespace rooftile::cli
