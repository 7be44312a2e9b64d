#include "analysis/record/counter_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analysis/record/json/record_fields.hpp"

namespace rooftile {
namespace {

// Collects the counters' values by their keys, from the description of their fields.
class CounterValues {
 public:
  std::map<std::string, double*> take() { return std::move(all_); }

  void required(std::string_view, auto&, Range = {}) {}
  void optional(std::string_view key, std::optional<double>& value, Range = {}) {
    if (value) {
      all_[std::string(key)] = &*value;
    }
  }
  template <int F, int B, int S>
  void optional(std::string_view key, std::optional<Quantity<F, B, S>>& value, Range = {}) {
    if (value) {
      all_[std::string(key)] = &value->value;
    }
  }
  void optional(std::string_view key, std::map<std::string, Flops>& values, Range = {}) {
    for (auto& [name, value] : values) {
      all_[fmt::format("{}.{}", key, name)] = &value.value;
    }
  }
  void optional(std::string_view, std::optional<int>&, Range = {}) {}
  void optional(std::string_view, std::vector<std::string>&, Range = {}) {}
  void optional(std::string_view, std::map<std::string, double>&, Range = {}) {}

 private:
  std::map<std::string, double*> all_;
};

std::map<std::string, double*> values_of(Counters& counters) {
  CounterValues values;
  describe(values, counters);
  return values.take();
}

double spread_of(const std::vector<double>& sorted, double median) {
  const double between = sorted.back() - sorted.front();
  return between > 0 ? between / (median > 0 ? median : sorted.back()) : 0;
}

}  // namespace

Counters joined_rounds(std::vector<Counters> rounds) {
  Counters joined = rounds.back();
  std::map<std::string, std::vector<double>> values;
  for (Counters& round : rounds) {
    for (const auto& [key, value] : values_of(round)) {
      values[key].push_back(*value);
    }
  }
  joined.rounds = static_cast<int>(rounds.size());
  joined.spread.clear();
  for (const auto& [key, value] : values_of(joined)) {
    std::vector<double>& found = values[key];
    std::ranges::sort(found);
    *value = (found[(found.size() - 1) / 2] + found[found.size() / 2]) / 2;
    if (found.size() > 1) {
      joined.spread[key] = spread_of(found, *value);
    }
  }
  return joined;
}

}  // namespace rooftile
