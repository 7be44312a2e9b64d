#include "analysis/source/launch/written_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/kernels/declared_parameters.hpp"
#include "analysis/source/kernels/element_type.hpp"
#include "analysis/source/kernels/kernel_templates.hpp"
#include "analysis/source/launch/deduced_instance.hpp"
#include "analysis/source/launch/host_code.hpp"
#include "analysis/source/launch/parse_c_expression.hpp"
#include "analysis/source/launch/pointer_argument.hpp"

namespace rooftile {
namespace {

class LaunchReader {
 public:
  LaunchReader(std::string_view code, const SourceKernel& kernel, std::vector<std::string> names,
               const std::vector<SourceMacro>& dials)
      : text_(code),
        code_(code, base_name(kernel.name)),
        kernel_(kernel),
        names_(std::move(names)),
        template_(template_parameters(code, kernel.name)) {
    for (const SourceMacro& dial : dials) {
      dials_.emplace(dial.name, dial.value);
    }
  }

  std::optional<WrittenLaunch> read() {
    const auto all = code_.launches();
    auto found = std::ranges::find_if(all, [&](const HostLaunch& each) {
      return without_space(instance_of(each, Unknown::guessed).value_or("")) == without_space(kernel_.name);
    });
    const bool is_instance = found != all.end();
    if (!is_instance) {
      found = std::ranges::find_if(
          all, [&](const HostLaunch& each) { return base_name(each.kernel) == base_name(kernel_.name); });
    }
    if (found == all.end()) {
      return std::nullopt;
    }
    launch_.line = code_.line_of(found->place);
    launch_.kernel = kernel_.name;
    launch_.is_cooperative = found->is_cooperative;
    learn_arguments(*found);
    if (is_instance && found->kernel.find('<') != std::string::npos) {
      learn_template(*found);
    }
    launch_.grid = sides(found->settings, 0, found->place);
    launch_.block = sides(found->settings, 1, found->place);
    if (found->settings.size() > 2 && found->settings[2] != "0") {
      launch_.shared_bytes = expression(found->settings[2], found->place).value_or("");
    }
    return std::move(launch_);
  }

  // The instances of templates, with values in place of the host's names. Where no launch of a template fixes
  // all of its arguments, guesses stand for the others; without those of which it fixes none.
  std::vector<std::string> instances() const {
    std::vector<std::string> all;
    for (const auto unknown : {Unknown::none, Unknown::guessed}) {
      const std::vector<std::string> known = all;
      for (const HostLaunch& each : code_.launches()) {
        const auto instance = instance_of(each, unknown);
        const bool is_new = instance && std::ranges::find(all, *instance) == all.end() &&
                            std::ranges::none_of(known, [&](const std::string& other) {
                              return base_name(other) == base_name(*instance);
                            });
        if (is_new) {
          all.push_back(*instance);
        }
      }
    }
    return all;
  }

 private:
  using Found = std::optional<CExpression>;
  enum class Unknown { none, guessed };  // arguments of a template

  std::optional<std::string> instance_of(const HostLaunch& written, Unknown unknown) const {
    const std::size_t open = written.kernel.find('<');
    if (open == std::string::npos) {
      return deduced(written);
    }
    const std::string_view list =
        std::string_view(written.kernel).substr(open + 1, written.kernel.rfind('>') - open - 1);
    const auto declared = template_parameters(text_, written.kernel);
    const auto guessed = guessed_template_arguments(text_, written.kernel);
    std::vector<std::string> arguments;
    bool is_any_known = false;
    for (const std::string_view argument : arguments_of(list)) {
      const std::size_t i = arguments.size();
      const auto known = i < declared.size() && names_own_type(trimmed(declared[i]), argument, written.place)
                             ? std::optional(std::string(argument))
                             : template_argument(argument, written.place);
      if (!known && (unknown == Unknown::none || i >= guessed.size())) {
        return std::nullopt;
      }
      is_any_known = is_any_known || known;
      arguments.push_back(known ? *known : guessed[i]);
    }
    return is_any_known
               ? std::optional(fmt::format("{}<{}>", trimmed(std::string_view(written.kernel).substr(0, open)),
                                           fmt::join(arguments, ", ")))
               : std::nullopt;
  }

  // C++ finds the arguments of the template by the types that the launch gives.
  std::optional<std::string> deduced(const HostLaunch& written) const {
    KernelTemplate kernel{written.kernel, template_parameters(text_, written.kernel), {}};
    if (kernel.parameters.empty() || !written.arguments) {
      return std::nullopt;
    }
    for (const DeclaredParameter& parameter : declared_parameters(text_, written.kernel)) {
      kernel.arguments.push_back(parameter.declaration);
    }
    std::vector<std::string> given;
    for (const std::string& argument : *written.arguments) {
      const std::string type = host_type(code_.text(), argument, written.place);
      const std::string pointee = type.substr(0, type.find('*'));
      const bool is_known = is_concrete(pointee) || names_own_type("class T", pointee, written.place);
      given.push_back(is_known ? type : "");
    }
    return deduced_instance(kernel, given);
  }

  // The argument that is compiled: a number, or what is_concrete().
  std::optional<std::string> template_argument(std::string_view argument, std::size_t place) const {
    const Found read = parse_c_expression(argument);
    const Found meant = read ? std::optional(resolved(*read, place)) : std::nullopt;
    if (const auto value = meant ? number_of(*meant) : std::nullopt) {
      return fmt::format("{}", *value);
    }
    const std::string words =
        meant && meant->kind == CExpression::Kind::name ? meant->word : std::string(argument);
    return is_concrete(words) ? std::optional(words) : std::nullopt;
  }

  // A struct of the source or of its headers, given for a "class T"; neither a template's own parameter nor a
  // type of a macro around the launch, such as PyTorch's scalar_t.
  bool names_own_type(std::string_view declared, std::string_view argument, std::size_t place) const {
    const auto words = identifiers(argument);
    const bool is_type = declared.starts_with("class ") || declared.starts_with("typename ");
    const bool is_name = words.size() == 1 && words[0].size() == argument.size() && argument.size() > 1;
    return is_type && is_name && !argument.ends_with("_t") && !is_concrete(argument) &&
           !code_.is_template_parameter(argument, place) && code_.value_of(argument, place).empty();
  }

  // A type that everybody knows, true or false.
  static bool is_concrete(std::string_view argument) {
    return argument == "true" || argument == "false" || size_of_c_type(argument) > 0;
  }

  // The host's names that stand for the kernel's parameters, and the values that the source gives them.
  void learn_arguments(const HostLaunch& written) {
    if (written.arguments && written.arguments->size() != names_.size()) {
      return;
    }
    std::map<std::string, std::string> parameters;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (kernel_.types[i].ends_with('*')) {
        continue;
      }
      const std::string argument = written.arguments ? without_space((*written.arguments)[i]) : names_[i];
      const Found read = parse_c_expression(argument);
      const Found known = read ? std::optional(resolved(*read, written.place)) : std::nullopt;
      if (const auto value = known ? number_of(*known) : std::nullopt) {
        launch_.values[names_[i]] = *value;
      }
      if (read && !names_in(*read).empty()) {
        parameters.emplace(argument, names_[i]);
      }
    }
    parameters_ = std::move(parameters);
    for (std::size_t i = 0; i < names_.size() && written.arguments; ++i) {
      if (kernel_.types[i].ends_with('*')) {
        learn_buffer(names_[i], pointer_argument((*written.arguments)[i]), written.place);
      }
    }
  }

  // reduce<float, tile> makes the template's own name for tile, TILE, a dial. Grid and block follow it.
  void learn_template(const HostLaunch& written) {
    const std::size_t open = written.kernel.find('<');
    const std::string_view list =
        std::string_view(written.kernel).substr(open + 1, written.kernel.rfind('>') - open - 1);
    const auto arguments = arguments_of(list);
    const std::size_t own = kernel_.name.find('<') + 1;
    const auto of_instance =
        arguments_of(std::string_view(kernel_.name).substr(own, kernel_.name.rfind('>') - own));
    std::vector<std::string> named;
    std::map<std::string, std::string> dials;
    const auto of_launch = std::exchange(parameters_, {});  // a value may rest on what the kernel is given
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string declared = i < template_.size() ? template_[i].substr(0, template_[i].find('=')) : "";
      const auto words = identifiers(declared);
      const Found read = parse_c_expression(arguments[i]);
      const auto value = read ? number_of(resolved(*read, written.place)) : std::nullopt;
      const bool is_dial = value && read->kind == CExpression::Kind::name && words.size() > 1 &&
                           words[0] != "bool" && !code_.has_macro(words.back()) &&
                           !is_known(std::string(words.back())) && !is_name_of_manifests(words.back());
      if (is_dial) {
        launch_.template_dials.push_back({std::string(words.back()), *value});
        dials[read->text] = words.back();
      }
      named.push_back(is_dial                  ? std::string(words.back())
                      : value                  ? fmt::format("{}", *value)
                      : i < of_instance.size() ? of_instance[i]
                                               : std::string(arguments[i]));
    }
    parameters_ = std::move(dials);
    parameters_.insert(of_launch.begin(), of_launch.end());
    launch_.kernel =
        fmt::format("{}<{}>", kernel_.name.substr(0, kernel_.name.find('<')), fmt::join(named, ", "));
  }

  void learn_buffer(const std::string& buffer, const PointerArgument& given, std::size_t place) {
    if (code_.is_zeroed({given.pointer, place})) {
      launch_.zeroed.insert(buffer);
    }
    const auto allocated = code_.allocated({given.pointer, place});
    const Found bytes = allocated ? fixed(allocated->words, allocated->place) : std::nullopt;
    if (!bytes) {
      return;
    }
    launch_.bytes.emplace(buffer, *bytes);
    const Found skipped = given.elements.empty() ? std::nullopt : fixed(given.elements, place);
    if (skipped && value_of(*skipped) != 0.0) {
      launch_.skipped.emplace(buffer, *skipped);
    }
  }

  // Empty where names are left that the source does not fix.
  Found fixed(std::string_view text, std::size_t place) const {
    const Found read = parse_c_expression(text);
    const Found meant = read ? std::optional(resolved(*read, place)) : std::nullopt;
    const bool is_free = meant && std::ranges::any_of(names_in(*meant),
                                                      [&](const std::string& name) { return !is_known(name); });
    return is_free ? std::nullopt : meant;
  }

  // "x" of "grid(x, y)".
  std::vector<std::string> sides(const std::vector<std::string>& settings, std::size_t which,
                                 std::size_t place) {
    if (settings.size() <= which) {
      return {};
    }
    std::vector<std::string> sides;
    for (const HostWords& words : code_.sides_of({settings[which], place})) {
      const auto text = side(words);
      if (!text) {
        return {};
      }
      sides.push_back(*text);
    }
    while (sides.size() > 1 && sides.back() == "1") {
      sides.pop_back();
    }
    return sides;
  }

  bool is_known(const std::string& name) const {
    return name == "sms" || dials_.contains(name) || is_number_given(name) ||
           std::ranges::find(launch_.template_dials, name, &SourceMacro::name) != launch_.template_dials.end();
  }

  // A parameter that is a struct has no value of its own.
  bool is_number_given(const std::string& name) const {
    const auto found = static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
    return found < names_.size() && !needs_layout(kernel_.types[found]);
  }

  CExpression resolved(const CExpression& expression, std::size_t place) const {
    return code_.resolved(expression, place, [&](const CExpression& part) -> Found {
      const auto parameter = parameters_.find(part.text);
      return parameter != parameters_.end() ? Found(name_expression(parameter->second))
             : dials_.contains(part.word)   ? Found(part)
                                            : std::nullopt;
    });
  }

  // The value with the dials as the source has them.
  std::optional<double> number_of(const CExpression& expression) const {
    return value_of(with_meanings(expression, [&](const CExpression& part) -> Found {
      const auto dial = part.kind == CExpression::Kind::name ? dials_.find(part.word) : dials_.end();
      return dial != dials_.end() ? Found(number_expression(dial->second)) : std::nullopt;
    }));
  }

  // Something that is no arithmetic, "properties.maxGridSize[1]", has its own words as a name.
  static Found expression_or_name(std::string_view text) {
    constexpr std::size_t longest = 40;
    if (const Found read = parse_c_expression(text)) {
      return read;
    }
    std::string name;
    for (const char c : text) {
      name += is_part_of_name(c) ? std::string(1, c) : name.empty() || name.back() == '_' ? "" : "_";
    }
    name = name.substr(0, name.find_last_not_of('_') + 1);
    const bool is_name =
        !name.empty() && name.size() <= longest && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
    return is_name ? Found(name_expression(name)) : std::nullopt;
  }

  // The expression for kernel.toml. A value that the source does not fix gets a name.
  std::optional<std::string> expression(std::string_view text, std::size_t place) {
    const Found read = expression_or_name(text);
    return read ? with_free_names(resolved(*read, place)) : std::nullopt;
  }

  // A variable that begins with 0 is set by a function that is not followed.
  std::optional<std::string> side(const HostWords& words) {
    const Found read = expression_or_name(words.words);
    if (!read) {
      return std::nullopt;
    }
    const CExpression known = resolved(*read, words.place);
    return with_free_names(value_of(known) == 0.0 ? *read : known);
  }

  // Empty if nobody could read it: names that stand for sums of names grow with each step.
  std::optional<std::string> with_free_names(const CExpression& expression) {
    constexpr std::size_t longest = 1000;
    std::string text = manifest_text(with_meanings(expression, [&](const CExpression& part) -> Found {
      if (part.kind != CExpression::Kind::name || is_known(part.word)) {
        return std::nullopt;
      }
      std::string name = part.word;
      std::ranges::replace_if(
          name, [](char c) { return !is_part_of_name(c); }, '_');
      name += is_name_of_manifests(name) ? "_" : "";
      if (std::ranges::find(launch_.free, name) == launch_.free.end()) {
        launch_.free.push_back(name);
      }
      return name_expression(name);
    }));
    return text.size() <= longest ? std::optional(std::move(text)) : std::nullopt;
  }

  std::string_view text_;
  HostCode code_;
  SourceKernel kernel_;
  std::vector<std::string> names_;                    // of the kernel's parameters
  std::vector<std::string> template_;                 // parameters of the template that it is an instance of
  std::map<std::string, double, std::less<>> dials_;  // with the values that the source has for them
  std::map<std::string, std::string> parameters_;     // of the kernel, by what the host gives
  WrittenLaunch launch_;
};

// "ours::" of "ours::sum<float>".
std::string scope_of(const std::string& kernel) {
  const std::size_t end = kernel.substr(0, kernel.find('<')).rfind("::");
  return end == std::string::npos ? "" : kernel.substr(0, end + 2);
}

}  // namespace

std::vector<std::string> instances_to_offer(std::string_view code, std::string_view launching) {
  const std::string all = fmt::format("{}\n{}", code, launching);
  const std::vector<std::string> launched = LaunchReader(all, {}, {}, {}).instances();
  std::vector<std::string> offered;
  for (const std::string& guess : template_instances(code)) {
    const std::size_t before = offered.size();
    const std::string scope = scope_of(guess);
    for (const std::string& instance : launched) {
      if (base_name(instance) == base_name(guess)) {
        offered.push_back(scope_of(instance).empty() ? scope + instance : instance);
      }
    }
    if (offered.size() == before) {
      offered.push_back(guess);
    }
  }
  std::ranges::stable_partition(offered,
                                [&](const std::string& instance) { return is_launched(all, instance); });
  return offered;
}

std::vector<std::string> launched_instances(std::string_view code, std::string_view launching) {
  const std::string all = fmt::format("{}\n{}", code, launching);
  std::vector<std::string> instances = instances_to_offer(code, launching);
  std::erase_if(instances, [&](const std::string& instance) { return !is_launched(all, instance); });
  return instances;
}

bool is_launched(std::string_view code, const std::string& kernel) {
  const HostCode host(code);
  return std::ranges::any_of(
      host.launches(), [&](const HostLaunch& each) { return base_name(each.kernel) == base_name(kernel); });
}

bool is_name_of_manifests(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {"tx",    "ty",     "tz",      "lane", "warp",
                                                     "warps", "blocks", "threads", "sms"};
  return std::ranges::find(names, name) != names.end();
}

std::optional<WrittenLaunch> written_launch(std::string_view code, const SourceKernel& kernel,
                                            const std::vector<std::string>& names,
                                            const std::vector<SourceMacro>& dials) {
  return LaunchReader(code, kernel, names, dials).read();
}

}  // namespace rooftile
