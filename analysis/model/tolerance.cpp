#include "analysis/model/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "analysis/model/fit.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

// Why these shares: kernels/manifest.md.
constexpr std::pair<std::string_view, double> shares[] = {
    {"float", 1e-4}, {"double", 1e-10}, {"half", 2e-3}, {"bfloat16", 1.6e-2}, {"fp8_e4m3", 0.25}};

const auto* share_of(std::string_view element) {
  return std::ranges::find(shares, element, [](const auto& each) { return each.first; });
}

double evaluated(const std::optional<Expression>& stated, const char* key, const Parameters& parameters) {
  const double value = stated ? stated->evaluate(parameters) : 0;
  if (value < 0) {
    throw Error(fmt::format("The {} \"{}\" is {}{}, not a number from 0 on.", key, stated->text(),
                            number(value), set_by(std::span(&*stated, 1), parameters)));
  }
  return value;
}

}  // namespace

bool is_floating_point(std::string_view element) {
  return share_of(element) != std::end(shares);
}

Tolerance tolerance_of(const VerifyRule& rule, const Parameters& parameters, std::string_view element,
                       double scale) {
  const bool floating = is_floating_point(element);
  if (rule.tolerance || rule.relative_tolerance) {
    const double relative = evaluated(rule.relative_tolerance, "relative_tolerance", parameters);
    return {evaluated(rule.tolerance, "tolerance", parameters), floating ? relative : 0};
  }
  const double share = floating ? share_of(element)->second : 0;
  return {share * scale, share};
}

}  // namespace rooftile
