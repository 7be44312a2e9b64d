#include "analysis/manifest/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/manifest/manifest_fields.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

// "4, 8, 16 or 32".
std::string any_of(const std::vector<double>& values) {
  std::string list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + number(values[i]);
  }
  return list;
}

std::string offer(const Parameter& parameter) {
  if (parameter.range) {
    const auto [lowest, highest] = *parameter.range;
    return fmt::format("a whole number from {} to {}", number(lowest), number(highest));
  }
  return any_of(parameter.values);
}

std::optional<std::string> why_refused(const Parameter& parameter, const Parameters& parameters) {
  const auto value = parameters.find(parameter.name);
  if (value == parameters.end()) {
    return fmt::format("{} has no value; expected {}.", parameter.name, offer(parameter));
  }
  if (!a_parameter.holds(value->second)) {
    return fmt::format("{} = {} is no number{}.", parameter.name, number(value->second), text(a_parameter));
  }
  if (!parameter.accepts(value->second)) {
    return fmt::format("{} = {} is not offered: {}.", parameter.name, number(value->second), offer(parameter));
  }
  return std::nullopt;
}

std::string names_of(const Manifest& manifest) {
  std::vector<std::string> names;
  for (const Parameter& parameter : manifest.parameters) {
    names.push_back(parameter.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

int bytes_of(const Argument& argument) {
  constexpr int address = 8, tensor_map = 128;
  const auto scalar = std::ranges::find(bytes_of_element, argument.type, &Choice<int>::first);
  return scalar != std::end(bytes_of_element) ? scalar->second
         : argument.type == "struct"          ? argument.bytes
         : argument.type == "hex"             ? static_cast<int>(argument.content.size())
         : argument.type == "buffer"          ? address
                                              : tensor_map;
}

bool Parameter::accepts(double value) const {
  const bool in_range = range && value == std::floor(value) && (*range)[0] <= value && value <= (*range)[1];
  return in_range || std::ranges::find(values, value) != values.end();
}

std::vector<double> Parameter::values_with(double present) const {
  std::vector<double> all = values;
  if (std::ranges::find(all, present) == all.end()) {
    all.insert(std::ranges::upper_bound(all, present), present);
  }
  return all;
}

const Parameter* Manifest::parameter(const std::string& wanted) const {
  const auto found = std::ranges::find(parameters, wanted, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

Parameters complete(const Manifest& manifest, const Parameters& given) {
  for (const auto& [name, value] : given) {
    if (!manifest.parameter(name)) {
      throw Error(fmt::format("{} has no parameter {}; it has {}", manifest.name, name, names_of(manifest)));
    }
  }
  Parameters parameters = given;
  for (const Parameter& parameter : manifest.parameters) {
    if (!given.contains(parameter.name)) {
      parameters[parameter.name] = parameter.default_value.evaluate(parameters);
    }
  }
  return parameters;
}

Parameters compiled_of(const Manifest& manifest, const Parameters& values) {
  Parameters compiled = values;
  std::erase_if(compiled, [&](const auto& value) { return !manifest.parameter(value.first)->is_compiled(); });
  return compiled;
}

Parameters problem_of(const Manifest& manifest, const Parameters& values) {
  Parameters problem;
  for (const Parameter& parameter : manifest.parameters) {
    const auto value = values.find(parameter.name);
    if (parameter.is_of_problem() && value != values.end()) {
      problem.insert(*value);
    }
  }
  return problem;
}

Parameters given_of(const Manifest& manifest, const Parameters& complete_values) {
  Parameters given;
  for (const Parameter& parameter : manifest.parameters) {
    const auto wanted = complete_values.find(parameter.name);
    if (wanted != complete_values.end() && complete(manifest, given).at(parameter.name) != wanted->second) {
      given[parameter.name] = wanted->second;
    }
  }
  return given;
}

std::string entry_at(const Manifest& manifest, const Parameters& values) {
  Substitutes arguments;
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.where == ParameterPlace::template_argument) {
      arguments[parameter.name] = fmt::format("{}", values.at(parameter.name));
    }
  }
  return with_template_arguments(manifest.entry, arguments);
}

std::optional<std::string> why_illegal(const Manifest& manifest, const Parameters& parameters) {
  for (const Parameter& parameter : manifest.parameters) {
    if (auto why = why_refused(parameter, parameters)) {
      return why;
    }
  }
  for (const Constraint& constraint : manifest.constraints) {
    if (constraint.require.evaluate(parameters) == 0) {
      return constraint.reason;
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_unfit(const Manifest& manifest, ComputeCapability cc) {
  const ComputeCapability needed = manifest.minimum_cc.value_or(cc);
  if (manifest.architecture_specific && cc != needed) {
    return fmt::format("{} uses instructions that only compute capability {} has, not {}.", manifest.name,
                       text(needed), text(cc));
  }
  if (cc < needed) {
    return fmt::format("{} needs compute capability {} or later, not {}.", manifest.name, text(needed),
                       text(cc));
  }
  return std::nullopt;
}

}  // namespace rooftile
