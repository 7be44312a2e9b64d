// rooftile-cli kernels [KERNEL]
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "analysis/manifest/combinations.hpp"
#include "analysis/model/model.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

std::string_view role_word(ParameterRole role) {
  switch (role) {
    case ParameterRole::dial:
      return "dial";
    case ParameterRole::size:
      return "size";
    case ParameterRole::scalar:
      break;
  }
  return "scalar";
}

std::string_view where_word(ParameterPlace where) {
  switch (where) {
    case ParameterPlace::macro:
      return "macro";
    case ParameterPlace::constant:
      return "constant";
    case ParameterPlace::template_argument:
      return "template";
    case ParameterPlace::argument:
      return "argument";
    case ParameterPlace::launch:
      break;
  }
  return "launch";
}

std::string offered(const Parameter& parameter) {
  std::string all;
  for (const double value : parameter.values) {
    all += (all.empty() ? "" : " ") + number(value);
  }
  return parameter.range
             ? fmt::format("{} ({} to {})", all, number((*parameter.range)[0]), number((*parameter.range)[1]))
             : all;
}

std::string described(const Manifest& kernel) {
  TextTable parameters({"", "", "", "", "", ""}, "llllll");
  for (const auto& it : kernel.parameters) {
    parameters.add({it.name, it.label, fmt::format("{} ({})", role_word(it.role), where_word(it.where)),
                    offered(it), "default " + it.default_value.text(), it.unit});
  }
  return fmt::format("{}  {}: {}\n{}", kernel.name, kernel.title, kernel.idea, parameters.text(2));
}

// A number, or the expression of other parameters that it follows.
nlohmann::json default_of(const Parameter& parameter) {
  return parameter.follows ? nlohmann::json(parameter.default_value.text())
                           : nlohmann::json(parameter.default_value.evaluate({}));
}

nlohmann::json json(const Parameter& parameter) {
  nlohmann::json all = {{"name", parameter.name},
                        {"label", parameter.label},
                        {"unit", parameter.unit},
                        {"role", role_word(parameter.role)},
                        {"where", where_word(parameter.where)},
                        {"values", parameter.values},
                        {"default", default_of(parameter)}};
  if (parameter.range) {
    all["range"] = *parameter.range;
  }
  return all;
}

nlohmann::json json(const Manifest& kernel) {
  nlohmann::json all = {{"name", kernel.name},
                        {"title", kernel.title},
                        {"short_title", kernel.short_title},
                        {"group", kernel.group},
                        {"family", kernel.family},
                        {"problem", kernel.problem},
                        {"idea", kernel.idea},
                        {"manifest", kernel.file.string()},
                        {"source", kernel.source.string()},
                        {"entry", kernel.entry}};
  for (const auto& parameter : kernel.parameters) {
    all["parameters"].push_back(json(parameter));
  }
  for (const auto& constraint : kernel.constraints) {
    all["constraints"].push_back({{"require", constraint.require.text()}, {"reason", constraint.reason}});
  }
  return all;
}

nlohmann::json launch(const Manifest& kernel, const Parameters& parameters) {
  const auto extents = [](const Dim3& d) { return std::array{d.x, d.y, d.z}; };
  return {{"block", extents(block_of(kernel, parameters))},
          {"cluster", extents(cluster_of(kernel, parameters))}};
}

nlohmann::json combinations_of(const Manifest& kernel) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& parameters : every_combination(kernel)) {
    all.push_back(
        {{"kernel", kernel.name}, {"parameters", parameters}, {"launch", launch(kernel, parameters)}});
  }
  return all;
}

// One line per combination, for scripts that launch or compile them all; as_document: all in one document.
void print_combinations(const std::vector<Manifest>& shown, bool as_document) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& kernel : shown) {
    for (nlohmann::json& combination : combinations_of(kernel)) {
      if (as_document) {
        all.push_back(std::move(combination));
      } else {
        say_json_line(combination);
      }
    }
  }
  if (as_document) {
    say_json({{"combinations", all}});
  }
}

int kernels(const Options& options, const std::string& name, bool combinations) {
  const auto shown = name.empty() ? catalogue(options) : std::vector{kernel_named(options, name)};
  if (combinations) {
    print_combinations(shown, options.json);
    return success;
  }
  if (options.json) {
    auto all = nlohmann::json::array();
    for (const auto& kernel : shown) {
      all.push_back(json(kernel));
    }
    say_json(nlohmann::json{{"kernels", all}});
    return success;
  }
  for (const auto& kernel : shown) {
    say("{}{}", &kernel == &shown.front() ? "" : "\n", described(kernel));
  }
  return success;
}

}  // namespace

void add_kernels(CLI::App& app, const Options& options, int& status) {
  auto name = std::make_shared<std::string>();
  auto combinations = std::make_shared<bool>(false);
  auto* verb = app.add_subcommand("kernels", "List kernels with their parameters");
  verb->add_option("KERNEL", *name, "One kernel alone");
  verb->add_flag("--combinations", *combinations,
                 "Every legal combination of their dials instead, one JSON object per line");
  verb->callback([&options, &status, name, combinations] { status = kernels(options, *name, *combinations); });
}

}  // namespace rooftile::cli
