#include "analysis/manifest/manifest_sections.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr Choice<ParameterRole> parameter_roles[] = {
    {"dial", ParameterRole::dial}, {"size", ParameterRole::size}, {"scalar", ParameterRole::scalar}};
constexpr Choice<ParameterPlace> parameter_places[] = {{"macro", ParameterPlace::macro},
                                                       {"constant", ParameterPlace::constant},
                                                       {"template", ParameterPlace::template_argument},
                                                       {"argument", ParameterPlace::argument},
                                                       {"launch", ParameterPlace::launch}};

constexpr std::size_t most_values = 1000;

std::optional<std::array<double, 2>> range(const TomlTable& table) {
  const std::vector<double> bounds = table.has("range") ? table.numbers("range") : std::vector<double>{};
  if (bounds.empty()) {
    return std::nullopt;
  }
  if (bounds.size() != 2 || bounds[0] > bounds[1]) {
    table.tell("range", "\"range\" must be two numbers, the smaller first, such as [1, 32768]");
    return std::nullopt;
  }
  return std::array{bounds[0], bounds[1]};
}

// The value of a default that follows no other parameter.
std::optional<double> value_of(const Expression& formula, const TomlTable& table) {
  try {
    return formula.evaluate({});
  } catch (const Error& error) {
    table.tell("default", error.what());
    return std::nullopt;
  }
}

void read_default(const TomlTable& table, const Names& earlier, Parameter& parameter) {
  const auto formula = expression(table, "default", {earlier, {}});
  parameter.default_value = formula.value_or(Expression());
  parameter.follows = !parameter.default_value.names().empty();
  const auto value = formula && !parameter.follows ? value_of(*formula, table) : std::nullopt;
  if (value && !parameter.values.empty() && !parameter.accepts(*value)) {
    table.tell({"default", "values", "range"}, fmt::format("the default {} of {} is not one of its values",
                                                           parameter.default_value.text(), parameter.name));
  }
}

// Older files have one word for a size that is a macro.
constexpr const char* variant = "variant";

void read_role_and_place(const TomlTable& table, const std::string& entry, Parameter& parameter) {
  const std::string role = table.string("role", "dial");
  parameter.role = choice(table, "role", role == variant ? "size" : role, parameter_roles);
  parameter.where = role == variant || role == "dial" ? ParameterPlace::macro : ParameterPlace::argument;
  if (table.has("where")) {
    parameter.where = choice(table, "where", table.string("where"), parameter_places);
  }
  const bool in_entry = with_template_arguments(entry, {{parameter.name, ""}}) != entry;
  if (parameter.where == ParameterPlace::template_argument && !in_entry) {
    table.tell("where", fmt::format("{0} is no template argument of the entry \"{1}\", as it would be of "
                                    "\"{1}<{0}>\"",
                                    parameter.name, entry.substr(0, entry.find('<'))));
  }
}

// A default may follow parameters that stand before its own, so defaults never run in a circle.
Parameter parameter(const TomlTable& table, const Names& earlier, const std::string& entry) {
  table.only({"name", "label", "unit", "role", "where", "values", "range", "default"});
  Parameter parameter;
  parameter.name = identifier(table, "name", table.string("name"));
  parameter.label = table.string("label", parameter.name);
  parameter.unit = table.string("unit", "");
  read_role_and_place(table, entry, parameter);
  parameter.values = table.numbers("values");
  if (parameter.values.size() > most_values) {
    table.tell("values", fmt::format("{} offers {} values, more than the {} that are read: a range needs fewer",
                                     parameter.name, count(static_cast<double>(parameter.values.size())),
                                     count(static_cast<double>(most_values))));
  }
  parameter.range = range(table);
  read_default(table, earlier, parameter);
  return parameter;
}

// The dials of a kernel stand before the sizes of its problem, the compiled ones of these first.
std::vector<TomlTable> parameter_tables(const TomlTable& file) {
  std::vector<TomlTable> tables = file.tables("parameter");
  if (file.has("problem")) {
    std::ranges::stable_sort(tables, {}, [](const TomlTable& table) {
      const std::string role = table.string("role", "dial"), where = table.string("where", "");
      return role == "dial"                                                                      ? 0
             : role == variant || where == "macro" || where == "constant" || where == "template" ? 1
                                                                                                 : 2;
    });
  }
  return tables;
}

Constraint constraint(const TomlTable& table, const Scope& scope) {
  table.only({"require", "reason"});
  return {required_expression(table, "require", scope), table.string("reason")};
}

}  // namespace

void read_parameters(const TomlTable& file, Manifest& manifest) {
  Names taken = gpu_names;
  Names earlier;
  for (const TomlTable& table : parameter_tables(file)) {
    manifest.parameters.push_back(parameter(table, earlier, manifest.entry));
    const std::string& name = manifest.parameters.back().name;
    if (std::ranges::find(taken, name) != taken.end()) {
      table.tell("name", fmt::format("the name {} is taken; choose another", name));
    }
    if (!name.empty()) {
      taken.push_back(name);
      earlier.push_back(name);
    }
  }
}

void read_constraints(const TomlTable& file, const Scope& scope, Manifest& manifest) {
  for (const TomlTable& table : file.tables("constraint")) {
    manifest.constraints.push_back(constraint(table, scope));
  }
}

}  // namespace rooftile
