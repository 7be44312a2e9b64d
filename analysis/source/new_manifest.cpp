#include "analysis/source/new_manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/source/launch_guess.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "analysis/text/toml_edit.hpp"

namespace rooftile {
namespace {

struct ElementType {
  std::string_view cpp, toml;
  int elements = 1;
};
constexpr ElementType scalar_types[] = {{"float", "float"},
                                        {"double", "double"},
                                        {"int", "int"},
                                        {"unsigned int", "int"},
                                        {"char", "char"},
                                        {"signed char", "char"},
                                        {"unsigned char", "char"},
                                        {"bool", "char"},
                                        {"short", "short"},
                                        {"unsigned short", "short"},
                                        {"__half", "half"},
                                        {"__half2", "half", 2},
                                        {"__nv_bfloat16", "bfloat16"},
                                        {"__nv_bfloat162", "bfloat16", 2},
                                        {"long", "long_long"},
                                        {"unsigned long", "long_long"},
                                        {"long long", "long_long"},
                                        {"unsigned long long", "long_long"}};
// "float4", "uchar3": CUDA's vectors of such elements.
constexpr ElementType vector_types[] = {
    {"float", "float"},     {"double", "double"},      {"int", "int"},
    {"uint", "int"},        {"char", "char"},          {"uchar", "char"},
    {"short", "short"},     {"ushort", "short"},       {"long", "long_long"},
    {"ulong", "long_long"}, {"longlong", "long_long"}, {"ulonglong", "long_long"}};
constexpr std::string_view guesses = " The compiler knows the types; sizes, block and grid are first guesses.";

// Names that a kernel.toml has itself.
const std::set<std::string, std::less<>> taken_names = {"tx",    "ty",     "tz",      "lane", "warp",
                                                        "warps", "blocks", "threads", "sms"};

struct Pointer {
  ElementType element;
  bool written;
};

// Of a type as the compiler writes it; empty where no buffer holds such elements.
std::optional<ElementType> element_of(std::string_view type) {
  if (const auto one = std::ranges::find(scalar_types, type, &ElementType::cpp);
      one != std::end(scalar_types)) {
    return *one;
  }
  const char last = type.empty() ? '0' : type.back();
  const auto of =
      std::ranges::find(vector_types, type.substr(0, type.size() - (last == '0' ? 0 : 1)), &ElementType::cpp);
  return last >= '1' && last <= '4' && of != std::end(vector_types)
             ? std::optional(ElementType{type, of->toml, last - '0'})
             : std::nullopt;
}

// Empty for what is no pointer. Throws Error for a pointer to something else.
std::optional<Pointer> pointer(std::string type) {
  if (!type.ends_with('*')) {
    return std::nullopt;
  }
  type.pop_back();
  const bool is_const = type.ends_with(" const");
  type = is_const ? type.substr(0, type.size() - std::string_view(" const").size()) : type;
  const auto found = element_of(type);
  if (!found) {
    throw Error(
        fmt::format("A buffer of {} is none that rooftile fills: pass its numbers as float, int, ...", type));
  }
  return Pointer{*found, !is_const};
}

std::string scalar(const std::string& type) {
  const auto found = element_of(type);
  if (!found || found->elements > 1) {
    throw Error(fmt::format("A parameter of the type {} cannot be given: pass its numbers one by one.", type));
  }
  return std::string(found->toml);
}

bool is_whole(std::string_view toml) {
  return toml == "int" || toml == "long_long";
}

// Powers of two from a quarter to four times a power of two; few others besides.
std::vector<double> values_around(double value) {
  if (value == 0) {
    return {0, 1, 2, 4, 8};
  }
  const double exponent = std::log2(std::abs(value));
  if (value < 0 || exponent != std::floor(exponent)) {
    return {value};
  }
  std::vector<double> values;
  for (double next = std::max(1.0, value / 4); next <= 4 * value; next *= 2) {
    values.push_back(next);
  }
  return values;
}

class NewManifest {
 public:
  NewManifest(const SourceKernel& kernel, std::string_view code)
      : kernel_(with_what_the_text_says(kernel, code)),
        macros_(macros_with_default(code)),
        names_(parameter_names(code, kernel)) {
    for (std::size_t i = 0; i < kernel.types.size(); ++i) {
      names_.resize(kernel.types.size());
      names_[i] = names_[i].empty() || taken_names.contains(names_[i]) ? fmt::format("p{}", i) : names_[i];
      if (!pointer(kernel.types[i]) && is_whole(scalar(kernel.types[i]))) {
        sizes_.push_back(names_[i]);
      }
    }
    if (sizes_.empty()) {
      sizes_.emplace_back("N");  // the kernel is not told of it
    }
    guess_ = guess_launch(kernel_, macros_, sizes_);
  }

  std::string text(const std::filesystem::path& source) const {
    const std::string place = toml_text(source.generic_string());
    std::string all = fmt::format("# Made from {}.{}\nsource = {}\nentry = {}\n",
                                  std::string_view(place).substr(1, place.size() - 2), guesses, place,
                                  toml_text(kernel_.name));
    for (const SourceMacro& macro : macros_) {
      all += "\n[[parameter]]\n" + dial_lines(macro);
    }
    for (const std::string& size : sizes_) {
      all += "\n[[parameter]]\n" + size_lines(size, guess_.sides);
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      all += parameter_or_buffer(i);
    }
    return all + launch();
  }

 private:
  static SourceKernel with_what_the_text_says(SourceKernel kernel, std::string_view code) {
    if (code.find("cooperative_groups") != std::string_view::npos) {
      kernel.dimensions = dimensions_named(code, kernel.name);
    }
    const ItemUse use = item_use(code, kernel.name);
    kernel.owner = use.owner;
    const bool is_macro = std::ranges::any_of(
        macros_with_default(code), [&](const SourceMacro& macro) { return macro.name == use.width; });
    kernel.item_width = is_macro ? use.width : "";
    return kernel;
  }

  std::string parameter_or_buffer(std::size_t i) const {
    if (const auto found = pointer(kernel_.types[i])) {
      return buffer(names_[i], *found);
    }
    return is_whole(scalar(kernel_.types[i])) ? "" : "\n[[parameter]]\n" + scalar_lines(names_[i]);
  }

  static std::string with_remark(std::string lines) {
    lines.pop_back();
    return lines + "  # \"output\" if the kernel does not read it\n";
  }

  std::string buffer(const std::string& name, const Pointer& pointer) const {
    const auto& [element, written] = pointer;
    const NumbersGuess numbers =
        is_whole(element.toml) ? guess_numbers(name, guess_.count, sizes_) : NumbersGuess{guess_.count, ""};
    const std::string count =
        element.elements == 1 ? numbers.count : fmt::format("{} * {}", element.elements, numbers.count);
    const std::string lines = buffer_lines(name, element.toml, count, written ? "in_out" : "input");
    return fmt::format("\n[[buffer]]\n{}{}{}", written ? with_remark(lines) : lines,
                       numbers.below.empty() ? "" : fmt::format("below = \"{}\"\n", numbers.below),
                       numbers.ascending ? "order = \"ascending\"\n" : "");
  }

  std::string launch() const {
    std::string all = fmt::format("\n[launch]\narguments = [{}]\ngrid = [\"{}\"]\nblock = [\"{}\"]\n",
                                  fmt::join(arguments(), ", "), fmt::join(guess_.grid, "\", \""),
                                  fmt::join(guess_.block, "\", \""));
    if (kernel_.dynamic_shared) {
      all += "dynamic_shared_bytes = 16384  # of extern __shared__: a guess\n";
    }
    return all;
  }

  std::vector<std::string> arguments() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      all.push_back(fmt::format("{{ {} = \"{}\" }}",
                                pointer(kernel_.types[i]) ? "buffer" : scalar(kernel_.types[i]), names_[i]));
    }
    return all;
  }

  SourceKernel kernel_;
  std::vector<SourceMacro> macros_;
  std::vector<std::string> names_;  // of the parameters
  std::vector<std::string> sizes_;  // those that are whole numbers
  LaunchGuess guess_;
};

}  // namespace

std::string new_manifest(const SourceKernel& kernel, const std::filesystem::path& source,
                         std::string_view code) {
  return NewManifest(kernel, code).text(source);
}

std::string dial_lines(const SourceMacro& macro) {
  return fmt::format("name = \"{}\"\nvalues = [{}]\ndefault = {}\n", macro.name,
                     fmt::join(values_around(macro.value), ", "), macro.value);
}

std::string size_lines(const std::string& name, int sides) {
  constexpr std::array<const char*, 3> values = {
      "values = [65536, 1048576, 4194304, 16777216]\nrange = [1, 268435456]\ndefault = 4194304",
      "values = [256, 512, 1024, 2048, 4096]\nrange = [1, 32768]\ndefault = 1024",
      "values = [64, 128, 256, 512]\nrange = [1, 1024]\ndefault = 256"};
  return fmt::format("name = \"{}\"\nrole = \"size\"\n{}\n", name,
                     values.at(static_cast<std::size_t>(sides - 1)));
}

std::string scalar_lines(const std::string& name) {
  return fmt::format("name = \"{}\"\nrole = \"scalar\"\nvalues = [0, 1, 2]\ndefault = 1\n", name);
}

std::string buffer_lines(const std::string& name, std::string_view element, const std::string& count,
                         std::string_view role) {
  return fmt::format("name = \"{}\"\nelement = \"{}\"\ncount = \"{}\"\nrole = \"{}\"\n", name, element, count,
                     role);
}

bool holds_guesses(std::string_view manifest) {
  return manifest.substr(0, manifest.find('\n')).find(guesses) != std::string_view::npos;
}

std::string without_guesses(std::string manifest) {
  return holds_guesses(manifest) ? manifest.erase(manifest.find(guesses), guesses.size()) : manifest;
}

}  // namespace rooftile
