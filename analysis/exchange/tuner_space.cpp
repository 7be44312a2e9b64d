#include "analysis/exchange/tuner_space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/exchange/python_text.hpp"
#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/kernels/declared_parameters.hpp"
#include "analysis/source/kernels/element_type.hpp"
#include "analysis/source/kernels/file_constants.hpp"
#include "analysis/source/kernels/text_parts.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/expression.hpp"
#include "analysis/text/toml_edit.hpp"

namespace rooftile {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> sizes = {"problem_size_x", "problem_size_y", "problem_size_z"};
constexpr std::array<const char*, 3> axes = {"X", "Y", "Z"};

Json parsed(std::string_view json) {
  const Json space = Json::parse(json, nullptr, false);
  if (!space.is_object() || !space.contains("ConfigurationSpace") || !space.contains("KernelSpecification")) {
    throw Error("It is no search space of a tuner: that has ConfigurationSpace and KernelSpecification.");
  }
  return space;
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? ""
         : found->is_string()                      ? found->get<std::string>()
                                                   : found->dump();
}

const Json& list_at(const Json& object, const char* key) {
  static const Json none = Json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : none;
}

class SpaceManifest {
 public:
  SpaceManifest(std::string_view json, std::string_view code)
      : space_(parsed(json)), kernel_(space_.at("KernelSpecification")), code_(code) {
    for (const Json& parameter : list_at(space_.at("ConfigurationSpace"), "TuningParameters")) {
      const std::string name = text_at(parameter, "Name");
      values_[name] = values_of(parameter);
      defaults_[name] = default_of(parameter, values_[name]);
    }
    for (const Json& condition : list_at(space_.at("ConfigurationSpace"), "Conditions")) {
      const std::string python = text_at(condition, "Expression");
      conditions_.emplace_back(python, expression_of_python(in_manifest_names(python)));
    }
    make_defaults_legal();
  }

  std::string text() const {
    std::string all =
        fmt::format("source = {}\nentry = {}\n", toml_text("../" + text_at(kernel_, "KernelFile")),
                    toml_text(text_at(kernel_, "KernelName")));
    all += asks_for_tuner() ? "options = [\"-Dkernel_tuner=1\"]\n" : "";
    for (const Json& parameter : list_at(space_.at("ConfigurationSpace"), "TuningParameters")) {
      all += dial(parameter);
    }
    for (std::size_t axis = 0; axis < problem().size() && axis < sizes.size(); ++axis) {
      all += size(axis);
    }
    for (const auto& [python, read] : conditions_) {
      all += read ? fmt::format("\n[[constraint]]\nrequire = {}\nreason = {}\n", toml_text(*read),
                                toml_text("The space asks for " + python + "."))
                  : fmt::format("\n# The space also asks for {}\n", on_one_line(python));
    }
    std::vector<std::string> arguments;
    for (const Json& argument : list_at(kernel_, "Arguments")) {
      all += described(argument, arguments);
    }
    return all + launch(arguments);
  }

 private:
  static std::vector<double> values_of(const Json& parameter) {
    const auto numbers = numbers_of_python(text_at(parameter, "Values"));
    if (!numbers || numbers->empty()) {
      throw Error(fmt::format("The values {} of {} are no list of numbers.", text_at(parameter, "Values"),
                              text_at(parameter, "Name")));
    }
    return *numbers;
  }

  // The default may stand outside of the values.
  static double default_of(const Json& parameter, const std::vector<double>& values) {
    const auto found = parameter.find("Default");
    const Json given = found == parameter.end()               ? Json()
                       : found->is_array() && !found->empty() ? found->front()
                                                              : *found;
    const double wanted = given.is_number() ? given.get<double>() : values.front();
    return std::ranges::find(values, wanted) != values.end() ? wanted : values.front();
  }

  // The number of conditions that do not hold.
  std::size_t broken(const Parameters& at) const {
    return static_cast<std::size_t>(std::ranges::count_if(conditions_, [&](const auto& condition) {
      return condition.second && legal_value(*condition.second, at) == 0;
    }));
  }

  double legal_value(const std::string& expression, Parameters at) const {
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      at[sizes[axis]] =
          axis < problem().size() && problem()[axis].is_number() ? problem()[axis].get<double>() : 1;
    }
    std::vector<std::string> names;
    std::ranges::transform(at, std::back_inserter(names), [](const auto& value) { return value.first; });
    return Expression(expression, names).evaluate(at);
  }

  // Defaults of a space need not satisfy its conditions: one dial after the other is turned to where fewer are
  // broken.
  void make_defaults_legal() {
    for (std::size_t now = broken(defaults_), before = now + 1; now > 0 && now < before;) {
      before = now;
      Parameters best = defaults_;
      for (const auto& [name, values] : values_) {
        for (const double value : values) {
          Parameters other = defaults_;
          other[name] = value;
          if (const std::size_t there = broken(other); there < now) {
            now = there;
            best = other;
          }
        }
      }
      defaults_ = best;
    }
  }

  // A dial that the source never names decides the launch or a condition alone; one that it defines as a number
  // itself is replaced there.
  std::string dial(const Json& parameter) const {
    const std::string name = text_at(parameter, "Name");
    return fmt::format("\n[[parameter]]\nname = {}\n{}values = [{}]\ndefault = {}\n", toml_text(name),
                       is_constant(name)     ? "where = \"constant\"\n"
                       : names_in_code(name) ? ""
                                             : "where = \"launch\"\n",
                       fmt::join(values_.at(name), ", "), defaults_.at(name));
  }

  // A source may leave its own numbers to the tuner, which says so by a macro.
  bool asks_for_tuner() const { return names_in_code("kernel_tuner"); }

  bool is_constant(const std::string& name) const {
    const std::vector<FileConstant> constants = file_constants(code_);
    return !asks_for_tuner() && std::ranges::find(constants, name, &FileConstant::name) != constants.end();
  }

  bool names_in_code(std::string_view name) const {
    const auto words = identifiers(code_);
    return std::ranges::find(words, name) != words.end();
  }

  const Json& problem() const { return list_at(kernel_, "ProblemSize"); }

  std::string size(std::size_t axis) const {
    const double value = problem()[axis].is_number() ? problem()[axis].get<double>() : 1024;
    return fmt::format(
        "\n[[parameter]]\nname = \"{}\"\nrole = \"size\"\n{}values = [{}]\nrange = [1, {}]\ndefault = {}\n",
        sizes[axis], names_in_code(sizes[axis]) ? "where = \"macro\"\n" : "", value,
        std::max(65536.0, 4 * value), value);
  }

  // max(name) is the largest value of the parameter, ProblemSize[0] the size along x.
  std::string in_manifest_names(std::string text) const {
    for (const auto& [name, values] : values_) {
      const RE2 largest(fmt::format(R"(\bmax\(\s*{}\s*\))", RE2::QuoteMeta(name))),
          smallest(fmt::format(R"(\bmin\(\s*{}\s*\))", RE2::QuoteMeta(name)));
      RE2::GlobalReplace(&text, largest, fmt::format("{}", *std::ranges::max_element(values)));
      RE2::GlobalReplace(&text, smallest, fmt::format("{}", *std::ranges::min_element(values)));
    }
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      RE2::GlobalReplace(&text, fmt::format(R"(\bProblemSize\[{}\])", axis), sizes[axis]);
    }
    return text;
  }

  std::string expression(const std::string& python) const {
    const auto read = expression_of_python(in_manifest_names(python));
    if (!read) {
      throw Error(fmt::format("\"{}\" is no arithmetic that a kernel.toml can hold.", python));
    }
    return *read;
  }

  // A buffer, a __constant__ variable or a number; the variable is an argument only where the kernel takes as
  // many.
  std::string described(const Json& argument, std::vector<std::string>& arguments) const {
    std::string name = text_at(argument, "Name"), variable;
    const std::string type = text_at(argument, "Type");
    const auto element = element_of(type == "int32" ? "int" : type == "uint32" ? "unsigned int" : type);
    if (!element) {
      throw Error(fmt::format("The argument {} is of the type {}, which no buffer has.", name, type));
    }
    if (text_at(argument, "MemoryType") == "Scalar") {
      arguments.push_back(
          fmt::format("{{ {} = {} }}", element->toml, toml_text(text_at(argument, "FillValue"))));
      return "";
    }
    const RE2 declaration(fmt::format(R"(__constant__[^;()]*\b{}\b)", RE2::QuoteMeta(name)));
    if (RE2::PartialMatch(re2::StringPiece(code_.data(), code_.size()), declaration)) {
      variable = fmt::format("\n[[global]]\nname = {}\nelement = \"{}\"\nfill = \"random\"\n", toml_text(name),
                             element->toml);
      const auto declared = declared_parameters(code_, text_at(kernel_, "KernelName"));
      if (declared.size() < list_at(kernel_, "Arguments").size()) {
        return variable;
      }
      name = declared[arguments.size()].name;
    }
    arguments.push_back(fmt::format("{{ buffer = {} }}", toml_text(name)));
    return variable + buffer(argument, name, element->toml);
  }

  std::string buffer(const Json& argument, const std::string& name, std::string_view element) const {
    const std::string access = text_at(argument, "AccessType"), fill = text_at(argument, "FillType");
    const std::string role = access == "ReadOnly" ? "input" : access == "WriteOnly" ? "output" : "in_out";
    const bool is_constant = fill == "Constant" && role != "output";
    return fmt::format("\n[[buffer]]\nname = {}\nelement = \"{}\"\ncount = {}\nrole = \"{}\"\n{}",
                       toml_text(name), element, toml_text(expression(text_at(argument, "Size"))), role,
                       is_constant ? fmt::format("fill = \"constant\"\nvalue = {}\n",
                                                 toml_text(text_at(argument, "FillValue")))
                                   : "");
  }

  std::string side_of_block(std::size_t axis) const {
    const auto local = kernel_.find("LocalSize");
    const std::string named = local != kernel_.end() && local->is_object() ? text_at(*local, axes[axis]) : "";
    const std::string usual = fmt::format("block_size_{}", std::string("xyz")[axis]);
    return !named.empty() ? expression(named) : values_.contains(usual) ? usual : "1";
  }

  // The problem's side over what a block works on; where the space has none, its own size of the grid.
  std::string side_of_grid(std::size_t axis) const {
    if (axis < problem().size()) {
      std::vector<std::string> divisors;
      const std::string key = std::string("GridDiv") + axes[axis];
      const auto given = kernel_.find(key);
      for (const Json& each : given != kernel_.end() && given->is_array() ? *given : Json::array()) {
        divisors.push_back(expression(each.is_string() ? each.get<std::string>() : each.dump()));
      }
      const bool is_usual = given == kernel_.end() || given->is_null();
      const std::string divisor =
          is_usual ? side_of_block(axis) : fmt::format("{}", fmt::join(divisors, " * "));
      return divisor.empty() || divisor == "1" ? sizes[axis]
                                               : fmt::format("ceil_div({}, {})", sizes[axis], divisor);
    }
    const auto global = kernel_.find("GlobalSize");
    const std::string named =
        global != kernel_.end() && global->is_object() ? text_at(*global, axes[axis]) : "";
    const bool counts_threads = text_at(kernel_, "GlobalSizeType") == "OpenCL";
    return named.empty()    ? "1"
           : counts_threads ? fmt::format("ceil_div({}, {})", expression(named), side_of_block(axis))
                            : expression(named);
  }

  std::string launch(const std::vector<std::string>& arguments) const {
    std::vector<std::string> grid, block;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      grid.push_back(toml_text(side_of_grid(axis)));
      block.push_back(toml_text(side_of_block(axis)));
    }
    const std::string shared = text_at(kernel_, "SharedMemory");
    return fmt::format("\n[launch]\narguments = [{}]\ngrid = [{}]\nblock = [{}]\n{}",
                       fmt::join(arguments, ", "), fmt::join(grid, ", "), fmt::join(block, ", "),
                       shared.empty() || shared == "0"
                           ? ""
                           : fmt::format("dynamic_shared_bytes = {}\n", toml_text(expression(shared))));
  }

  Json space_;
  const Json& kernel_;
  std::string_view code_;
  std::map<std::string, std::vector<double>> values_;
  Parameters defaults_;
  // In Python, and as an expression of a kernel.toml; empty: it is no arithmetic.
  std::vector<std::pair<std::string, std::optional<std::string>>> conditions_;
};

}  // namespace

TunerSpace tuner_space(std::string_view json) {
  const Json space = parsed(json);
  const Json& kernel = space.at("KernelSpecification");
  const std::string language = text_at(kernel, "Language");
  if (!language.empty() && language != "CUDA") {
    throw Error(fmt::format("It is of {}: rooftile opens kernels of CUDA.", language));
  }
  return {text_at(kernel, "KernelFile"), text_at(kernel, "KernelName")};
}

std::string manifest_of_space(std::string_view json, std::string_view code) {
  return SpaceManifest(json, code).text();
}

}  // namespace rooftile
