#include "app/cli/tables/range_table.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

#include "analysis/text/format.hpp"

namespace rooftile::cli {
namespace {

struct Range {
  Seconds time;  // of the ranges inside it too
  std::map<std::string, Range> inside = {};
};

Range tree_of(const ProgramTotals& totals) {
  Range root;
  for (const auto& [path, time] : totals.by_range) {
    Range* range = &root;
    for (const auto name : path | std::views::split('/')) {
      range = &range->inside[std::string(name.begin(), name.end())];
      range->time += time;
    }
  }
  return root;
}

void add_times(const Range& range, std::vector<double>& times) {
  for (const auto& [name, inside] : range.inside) {
    times.push_back(inside.time.value);
    add_times(inside, times);
  }
}

// The least time among so many ranges with most time.
Seconds least_shown(const Range& root, std::size_t most) {
  std::vector<double> times;
  add_times(root, times);
  std::ranges::sort(times, std::greater{});
  return {times.size() > most && most > 0 ? times[most - 1] : 0};
}

class RangeRows {
 public:
  RangeRows(TextTable& table, Seconds all, Seconds least, std::size_t most)
      : table_(table), all_(all), least_(least), left_(most) {}

  void add_inside(const Range& outer, int depth) {
    std::vector<const std::pair<const std::string, Range>*> inside;
    for (const auto& each : outer.inside) {
      inside.push_back(&each);
    }
    std::ranges::stable_sort(inside, std::greater{}, [](const auto* each) { return each->second.time.value; });
    for (const auto* each : inside) {
      add(each->first, each->second, depth);
    }
  }

 private:
  void add(std::string name, const Range& range, int depth) {
    const Range* shown = &range;
    while (shown->inside.size() == 1 && shown->inside.begin()->second.time.value == shown->time.value) {
      name += "/" + shown->inside.begin()->first;
      shown = &shown->inside.begin()->second;
    }
    if (shown->time < least_ || left_ == 0) {
      return;
    }
    --left_;
    table_.add({std::string(2 * static_cast<std::size_t>(depth), ' ') + name, text(shown->time),
                percent(shown->time / all_)});
    add_inside(*shown, depth + 1);
  }

  TextTable& table_;
  Seconds all_, least_;
  std::size_t left_;
};

// Launches outside of all ranges, and of functions that have no name.
void add_rest(TextTable& table, const Range& root, Seconds all) {
  constexpr double least_share = 0.001;
  Seconds rest = all;
  for (const auto& [name, range] : root.inside) {
    rest.value -= range.time.value;
  }
  if (!root.inside.empty() && rest / all >= least_share) {
    table.add({"(none)", text(rest), percent(rest / all)});
  }
}

}  // namespace

TextTable range_table(const ProgramTotals& totals, std::size_t most, const std::string& title) {
  TextTable table({title, "time", "share"}, "lrr");
  const Range root = tree_of(totals);
  RangeRows(table, totals.time, least_shown(root, most), most).add_inside(root, 0);
  add_rest(table, root, totals.time);
  return table;
}

}  // namespace rooftile::cli
