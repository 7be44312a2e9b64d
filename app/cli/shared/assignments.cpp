#include "app/cli/shared/assignments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>

#include "analysis/manifest/combinations.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/tables/nearest.hpp"

namespace rooftile::cli {
namespace {

struct Assignment {
  const Parameter& parameter;
  std::string values;
};

Assignment assignment(const Manifest& manifest, const std::string& word) {
  const auto equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
    throw UsageError(fmt::format("\"{}\" sets no parameter; write name=value, as in TILE=32.", word));
  }
  const std::string name = word.substr(0, equals);
  if (const Parameter* parameter = manifest.parameter(name)) {
    return {*parameter, word.substr(equals + 1)};
  }
  std::vector<std::string> known;
  for (const auto& parameter : manifest.parameters) {
    known.push_back(parameter.name);
  }
  throw UsageError(no_such("parameter of " + manifest.name, name, known));
}

// The last one would win, and nobody would see that the first was dropped.
std::vector<Assignment> assignments(const Manifest& manifest, const std::vector<std::string>& words) {
  std::vector<Assignment> all;
  std::set<std::string> names;
  for (const auto& word : words) {
    all.push_back(assignment(manifest, word));
    const std::string& name = all.back().parameter.name;
    if (!names.insert(name).second) {
      throw UsageError(fmt::format("{} is set twice; name it once.", name));
    }
  }
  return all;
}

double to_number(std::string_view word, const Parameter& parameter) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) {
    throw UsageError(fmt::format("\"{}\" is no number for {}.", word, parameter.name));
  }
  return value;
}

std::vector<double> offered_between(const Parameter& parameter, double first, double last) {
  std::vector<double> values;
  std::copy_if(parameter.values.begin(), parameter.values.end(), std::back_inserter(values),
               [&](double value) { return first <= value && value <= last; });
  if (values.empty()) {
    throw UsageError(
        fmt::format("{} offers no value from {} to {}.", parameter.name, number(first), number(last)));
  }
  return values;
}

// "8", "0..4"
std::vector<double> values_of(const Parameter& parameter, std::string_view item) {
  const auto dots = item.find("..");
  if (dots == std::string_view::npos) {
    return {to_number(item, parameter)};
  }
  return offered_between(parameter, to_number(item.substr(0, dots), parameter),
                         to_number(item.substr(dots + 2), parameter));
}

// "8,16", "0..4,8"
std::vector<double> values_of(const Assignment& given) {
  std::vector<double> values;
  for (std::size_t start = 0; start <= given.values.size();) {
    const auto comma = std::min(given.values.find(',', start), given.values.size());
    const auto more = values_of(given.parameter, std::string_view(given.values).substr(start, comma - start));
    values.insert(values.end(), more.begin(), more.end());
    start = comma + 1;
  }
  return values;
}

std::vector<Parameters> product(const Manifest& manifest, const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::vector<double>>> given;
  double combinations = 1;
  for (const Assignment& one : assignments(manifest, words)) {
    given.emplace_back(one.parameter.name, values_of(one));
    combinations *= static_cast<double>(given.back().second.size());
  }
  if (const auto reason = why_too_many(combinations)) {
    throw UsageError(*reason);
  }
  std::vector<Parameters> all = {{}};
  for (const auto& [name, values] : given) {
    all = extended(all, name, values);
  }
  return all;
}

}  // namespace

Parameters configuration(const Manifest& manifest, const std::vector<std::string>& words) {
  Parameters given;
  for (const Assignment& one : assignments(manifest, words)) {
    given[one.parameter.name] = to_number(one.values, one.parameter);
  }
  const Parameters all = complete(manifest, given);
  if (const auto reason = why_illegal(manifest, all)) {
    throw UsageError(fmt::format("{} cannot run {}: {}", manifest.name,
                                 given.empty() ? "at its defaults" : "with " + text(given), *reason));
  }
  return all;
}

int LegalCombinations::skipped_total() const {
  int total = 0;
  for (const auto& [reason, times] : skipped) {
    total += times;
  }
  return total;
}

LegalCombinations legal_combinations(const Manifest& manifest, const std::vector<std::string>& words) {
  LegalCombinations plan;
  for (const auto& given : product(manifest, words)) {
    const Parameters all = complete(manifest, given);
    if (const auto reason = why_illegal(manifest, all)) {
      ++plan.skipped[*reason];
    } else {
      plan.configurations.push_back(all);
    }
  }
  if (plan.configurations.empty()) {
    throw UsageError(fmt::format("None of {} combinations of {} is legal: {}", plan.skipped_total(),
                                 manifest.name, plan.skipped.begin()->first));
  }
  return plan;
}

std::vector<Parameters> every_place(const Manifest& manifest, const std::vector<std::string>& words) {
  std::set<std::string> named;
  for (const Assignment& one : assignments(manifest, words)) {
    named.insert(one.parameter.name);
  }
  std::vector<std::string> all = words;
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.is_of_variant() && !named.contains(parameter.name)) {
      all.push_back(fmt::format("{}={}", parameter.name, fmt::join(parameter.values, ",")));
    }
  }
  return legal_combinations(manifest, all).configurations;
}

}  // namespace rooftile::cli
