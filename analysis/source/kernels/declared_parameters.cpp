#include "analysis/source/kernels/declared_parameters.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/kernels/text_parts.hpp"

namespace rooftile {
namespace {

bool ends_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_';
}

// The name in "const float* in"; empty where only a type stands: "float*", "unsigned int", "ns::half".
std::string name_of_parameter(const std::string& part) {
  static const RE2 in_brackets(R"(\(\s*[*&]\s*(\w+)\s*\))"), named(R"(^(.*\W)(\w+)\s*$)");
  static const RE2 no_type(R"(\b(const|volatile|struct|class|enum|typename|__grid_constant__)\b)");
  static const RE2 no_name(
      "const|volatile|unsigned|signed|int|long|short|char|float|double|bool|void|"
      "restrict|__restrict|__restrict__");
  const std::string head = on_one_line(part.substr(0, part.find_first_of("[=")));
  std::string type, name;
  if (RE2::PartialMatch(head, in_brackets, &name)) {
    return name;
  }
  if (!RE2::FullMatch(head, named, &type, &name) || RE2::FullMatch(name, no_name)) {
    return "";
  }
  RE2::GlobalReplace(&type, no_type, "");
  const bool has_type = type.find_first_not_of(' ') != type.npos && !type.ends_with("::");
  return has_type ? name : "";
}

// "const float* __restrict__ in", "size_t n"
std::string argument_type(const std::string& declaration) {
  static const std::pair<RE2, const char*> types[] = {{R"([*\[])", "buffer"},
                                                      {R"(\bdouble\b)", "double"},
                                                      {R"(\bfloat\b)", "float"},
                                                      {R"(\b(__)?half\b)", "half"},
                                                      {"bfloat16", "bfloat16"},
                                                      {R"(\b(bool|u?int8_t|char)\b)", "char"},
                                                      {R"(\b(u?int16_t|short)\b)", "short"},
                                                      {R"(\blong\b|64|size_t|ptrdiff_t)", "long_long"}};
  const auto found =
      std::ranges::find_if(types, [&](const auto& type) { return RE2::PartialMatch(declaration, type.first); });
  return found != std::end(types) ? found->second : "int";
}

std::vector<DeclaredParameter> declared_at(const std::string& text, std::size_t open) {
  std::vector<DeclaredParameter> parameters;
  for (const std::string& part : split_parameters(text, open)) {
    const std::string declaration = on_one_line(part);
    if (!declaration.empty() && declaration != "void") {
      parameters.push_back({name_of_parameter(part), declaration, argument_type(part)});
    }
  }
  return parameters;
}

// The places of the opening parentheses where kernels of this name are declared; definitions come first.
std::vector<std::size_t> declarations_of(const std::string& text, const std::string& function) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find("__global__"); at != std::string::npos;
       at = text.find("__global__", at + 1)) {
    const std::size_t name = text.find(function, at);
    const std::size_t open =
        name == std::string::npos ? name : text.find_first_not_of(" \t\r\n", name + function.size());
    if (open != std::string::npos && ends_name(text[name - 1]) && text[open] == '(' &&
        std::ranges::find(places, open) == places.end()) {
      places.push_back(open);
    }
  }
  std::ranges::stable_partition(places, [&](std::size_t open) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", closing(text, open) + 1);
    return next != std::string::npos && text[next] == '{';
  });
  return places;
}

// #if and its kind among the parameters become blanks; enclosed: the parameters between them too.
void blank_conditions(std::string& text, std::size_t open, bool enclosed) {
  const std::size_t end = std::min(closing(text, open), text.size());
  int depth = 0;
  for (std::size_t at = text.find('\n', open); at < end; at = text.find('\n', at + 1)) {
    const std::size_t next = std::min(text.find('\n', at + 1), end);
    const std::string_view line = std::string_view(text).substr(at, next - at);
    const auto words = identifiers(line);
    const bool is_directive = line.find_first_not_of(" \t\n") != line.npos && !words.empty() &&
                              line[line.find_first_not_of(" \t\n")] == '#';
    depth += is_directive && words[0].starts_with("if") ? 1 : 0;
    if (is_directive || (enclosed && depth > 0)) {
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(at + 1),
                text.begin() + static_cast<std::ptrdiff_t>(next), ' ');
    }
    depth -= is_directive && words[0] == "endif" ? 1 : 0;
  }
}

struct Declaration {
  std::string text;
  std::size_t open = 0;  // the parenthesis of its parameters
};

// The first one; parameters: their number, by which kernels that share a name are told apart.
std::optional<Declaration> declaration_of(std::string_view code, const std::string& function,
                                          std::optional<std::size_t> parameters = {}) {
  const std::string plain = without_comments(code);
  const std::vector<std::size_t> places = declarations_of(plain, function);
  for (const bool enclosed : {false, true}) {
    for (const std::size_t open : places) {
      std::string text = plain;
      blank_conditions(text, open, enclosed);
      if (!parameters || declared_at(text, open).size() == *parameters) {
        return Declaration{std::move(text), open};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<DeclaredParameter> declared_parameters(std::string_view code, const std::string& kernel,
                                                   std::optional<std::size_t> parameters) {
  const auto found = declaration_of(code, base_name(kernel), parameters);
  return found ? declared_at(found->text, found->open) : std::vector<DeclaredParameter>{};
}

int line_of_parameter(std::string_view code, const SourceKernel& kernel, std::size_t index) {
  const auto found = declaration_of(code, base_name(kernel.name), kernel.types.size());
  const auto parts = found ? split_parameters(found->text, found->open) : std::vector<std::string>{};
  if (index >= parts.size()) {
    return 0;
  }
  const std::string& text = found->text;
  const std::size_t begin =
      behind(found->open, {parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(index)});
  const std::size_t solid = std::min(text.find_first_not_of(" \t\r\n", begin), text.size());
  return 1 +
         static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(solid), '\n'));
}

std::vector<std::string> parameter_names(std::string_view code, const SourceKernel& kernel) {
  const auto parameters = declared_parameters(code, kernel.name, kernel.types.size());
  std::vector<std::string> names;
  std::ranges::transform(parameters, std::back_inserter(names), &DeclaredParameter::name);
  return names;
}

std::string body_of(std::string_view code, const std::string& kernel) {
  const auto found = declaration_of(code, base_name(kernel));
  const std::string text = found ? found->text : "";
  const std::size_t begin = found ? text.find('{', found->open) : std::string::npos;
  int depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (depth == 0) {
      return text.substr(begin, at + 1 - begin);
    }
  }
  return "";
}

}  // namespace rooftile
