#include "analysis/source/code/source_kernels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Comments become blanks, so that no name is found in them.
std::string without_comments(std::string_view code) {
  std::string text(code);
  for (std::size_t at = 0; (at = text.find('/', at)) != std::string::npos;) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (next != '/' && next != '*') {
      ++at;
      continue;
    }
    const std::size_t found = next == '/' ? text.find('\n', at) : text.find("*/", at + 2);
    const std::size_t end = found == std::string::npos ? text.size() : found + (next == '/' ? 0 : 2);
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return c != '\n'; }, ' ');
    at = end;
  }
  return text;
}

// "(float* a, int n)" from its parenthesis on: "float* a" and "int n".
std::vector<std::string> split_parameters(const std::string& text, std::size_t open) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '(' || c == '[' || c == '<' ? 1 : c == ')' || c == ']' || c == '>' ? -1 : 0;
    if (depth == 0) {
      break;
    }
    if (c == ',' && depth == 1) {
      parts.emplace_back();
    } else if (at > open) {
      parts.back() += c;
    }
  }
  return parts;
}

// The place behind the bracket that closes what was split.
std::size_t behind(std::size_t open, const std::vector<std::string>& parts) {
  std::size_t length = 0;
  for (const std::string& part : parts) {
    length += part.size() + 1;
  }
  return open + 1 + length;
}

std::string last_word(std::string part) {
  part = part.substr(0, part.find_first_of("[="));
  const auto end = std::find_if(part.rbegin(), part.rend(), in_word).base();
  const auto begin = std::find_if_not(std::make_reverse_iterator(end), part.rend(), in_word).base();
  return {begin, end};
}

std::string on_one_line(std::string part) {
  static const RE2 blanks(R"(\s+)"), edges("^ | $");
  RE2::GlobalReplace(&part, blanks, " ");
  RE2::GlobalReplace(&part, edges, "");
  return part;
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
    if (open != std::string::npos && !in_word(text[name - 1]) && text[open] == '(' &&
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

// The first of them; parameters: their number, by which kernels that share a name are told apart.
std::optional<std::size_t> parameters_of(const std::string& text, const std::string& function,
                                         std::optional<std::size_t> parameters = {}) {
  const std::vector<std::size_t> places = declarations_of(text, function);
  const auto found = std::ranges::find_if(
      places, [&](std::size_t open) { return !parameters || declared_at(text, open).size() == *parameters; });
  return found != places.end() ? std::optional(*found) : std::nullopt;
}

// "{ ... }" of a kernel; empty where the text does not declare it.
std::string body_of(const std::string& text, const std::string& kernel) {
  const auto open = parameters_of(text, base_name(kernel));
  const std::size_t begin = open ? text.find('{', *open) : std::string::npos;
  int depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (depth == 0) {
      return text.substr(begin, at + 1 - begin);
    }
  }
  return "";
}

bool divides_grid_index_by_warp(const std::string& body) {
  static const RE2 setting(R"((\w+)\s*=\s*([^;/>]*);)");
  std::string index = R"(blockIdx\.x[^;()]*threadIdx\.x\s*\))", variable, value;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, setting, &variable, &value);) {
    const bool is_index =
        value.find("blockIdx.x") != std::string::npos && value.find("threadIdx.x") != std::string::npos;
    index += is_index ? "|" + variable : "";
  }
  return RE2::PartialMatch(body,
                           fmt::format(R"((?:{})\s*(?:/\s*(?:32|warpSize|WARP_SIZE|WARP)\b|>>\s*5\b))", index));
}

bool is_width(const std::string& name) {
  static const RE2 word("DIM|COL|WIDTH|HIDDEN|LEN|HEAD|ROW");
  return RE2::PartialMatch(name, word);
}

// The factors of the block's index; empty where the kernel does not use it.
std::optional<std::vector<std::string>> factors_of_block(const std::string& body) {
  if (body.find("blockIdx.x") == std::string::npos) {
    return std::nullopt;
  }
  static const RE2 setting(R"((\w+)\s*=\s*blockIdx\.x\s*[;,])");
  std::string index = R"(blockIdx\.x)", variable;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, setting, &variable);) {
    index += "|" + variable;
  }
  const RE2 product(fmt::format(
      R"(\b(?:{0})\b\s*(?:\*|<<)\s*([\w.]+)|([\w.]+)\s*\*\s*(?:\([\w ]+\)\s*)?\b(?:{0})\b)", index));
  std::vector<std::string> factors;
  std::string behind_index, before_index;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, product, &behind_index, &before_index);) {
    factors.push_back(behind_index + before_index);  // one of them is empty
  }
  return factors;
}

// Tiles of matrix products that fit each other with the other guesses: of a block, and of a warp in it.
const std::map<std::string, const char*, std::less<>> customary_tiles = {
    {"BM", "128"}, {"BN", "128"}, {"BK", "16"}, {"WM", "64"}, {"WN", "32"}};

// "class T", "int THREADS", "int N = 4". element: what T stands for.
std::string guessed_argument(const std::string& parameter, const char* element, const std::string& text) {
  static const RE2 value(R"(=\s*(.*\S))"), type(R"(\b(typename|class)\b)"), truth(R"(\bbool\b)"),
      block("(?i)block|thread"), tile("(?i)tile");
  if (std::string given; RE2::PartialMatch(parameter, value, &given)) {
    return given;
  }
  const std::string name = last_word(parameter);
  if (const auto found = customary_tiles.find(name); found != customary_tiles.end()) {
    return found->second;
  }
  const bool is_side = RE2::PartialMatch(text, fmt::format(R"(\b{0}\s*\*\s*{0}\b)", name));  // of a square tile
  return RE2::PartialMatch(parameter, type)    ? element
         : RE2::PartialMatch(parameter, truth) ? "true"
         : RE2::PartialMatch(name, block)      ? (is_side ? "32" : "256")
         : RE2::PartialMatch(name, tile)       ? "16"
                                               : "4";
}

// The name in " __global__ void __launch_bounds__(256) sum(float* a)"; empty where no kernel is declared.
std::string kernel_declared(const std::string& text) {
  static const RE2 name(R"((\w+)\s*\()");
  if (text.find("__global__") == std::string::npos) {
    return "";
  }
  std::string word;
  for (re2::StringPiece rest = text; RE2::FindAndConsume(&rest, name, &word);) {
    if (!word.starts_with("__")) {
      return word;
    }
    const std::size_t open = text.size() - rest.size() - 1;  // of an attribute's own arguments
    rest.remove_prefix(std::min(closing(text, open), text.size()) - open - 1);
  }
  return "";
}

// The named namespaces around a place of a text, asked for in order: "ours::detail::".
class NamespacesAround {
 public:
  explicit NamespacesAround(std::string_view text) : rest_(text.data(), text.size()) {}

  std::string at(const char* place) {
    static const RE2 brace(R"((?:\bnamespace\s+([\w:]+)\s*)?([{}]))");
    std::string name, side;
    for (re2::StringPiece next = rest_; RE2::FindAndConsume(&next, brace, &name, &side) && next.data() <= place;
         rest_ = next) {
      if (side == "{") {
        open_.push_back(name.empty() ? "" : name + "::");
      } else if (!open_.empty()) {
        open_.pop_back();
      }
    }
    return fmt::format("{}", fmt::join(open_, ""));
  }

 private:
  re2::StringPiece rest_;
  std::vector<std::string> open_;  // by brace
};

struct TemplateHead {
  std::string scope, kernel;
  std::vector<std::string> parameters;
};

std::vector<TemplateHead> template_heads(std::string_view code) {
  static const RE2 head(R"(\btemplate\s*<)");
  const std::string text = without_comments(code);
  std::vector<TemplateHead> heads;
  NamespacesAround namespaces(text);
  for (re2::StringPiece rest = text; RE2::FindAndConsume(&rest, head);) {
    const std::size_t open = text.size() - rest.size() - 1;
    std::vector<std::string> parameters = split_parameters(text, open);
    const std::size_t declared = std::min(behind(open, parameters), text.size());
    std::string name = kernel_declared(text.substr(declared, text.find_first_of(";{", declared) - declared));
    if (!name.empty()) {
      heads.push_back({namespaces.at(text.data() + open), std::move(name), std::move(parameters)});
    }
  }
  return heads;
}

}  // namespace

std::vector<SourceMacro> macros_with_default(std::string_view code) {
  static const RE2 pattern(
      R"(#[ \t]*ifndef[ \t]+(\w+)\s*\n[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?(-?[0-9]+(?:\.[0-9]+)?)\)?\s*\n)");
  const std::string text = without_comments(code) + "\n";
  std::vector<SourceMacro> macros;
  std::string asked, defined, digits;
  for (re2::StringPiece rest = text; RE2::FindAndConsume(&rest, pattern, &asked, &defined, &digits);) {
    double value = 0;
    const bool is_number =
        std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{};
    if (asked == defined && is_number) {
      macros.push_back({asked, value});
    }
  }
  return macros;
}

std::vector<DeclaredParameter> declared_parameters(std::string_view code, const std::string& kernel,
                                                   std::optional<std::size_t> parameters) {
  const std::string text = without_comments(code);
  const auto open = parameters_of(text, base_name(kernel), parameters);
  return open ? declared_at(text, *open) : std::vector<DeclaredParameter>{};
}

int line_of_parameter(std::string_view code, const SourceKernel& kernel, std::size_t index) {
  const std::string text = without_comments(code);
  const auto open = parameters_of(text, base_name(kernel.name), kernel.types.size());
  const auto parts = open ? split_parameters(text, *open) : std::vector<std::string>{};
  if (index >= parts.size()) {
    return 0;
  }
  const std::size_t begin = behind(*open, {parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(index)});
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

// "sum" of "_Z3sumPf" and of "_ZN4ours3sumEPf".
std::string name_in_symbol(const std::string& symbol) {
  std::size_t at = symbol.starts_with("_ZN") ? 3 : 2, size = 0;
  std::string name;
  while (at < symbol.size() &&
         std::from_chars(symbol.data() + at, symbol.data() + symbol.size(), size).ec == std::errc{} &&
         size > 0) {
    at = symbol.find_first_not_of("0123456789", at);
    name = symbol.substr(std::min(at, symbol.size()), size);
    at = std::min(at, symbol.size()) + std::min(size, symbol.size());
    if (symbol.compare(0, 3, "_ZN") != 0) {
      break;
    }
  }
  return name;
}

std::string base_name(const std::string& kernel) {
  if (kernel.starts_with("_Z")) {
    return name_in_symbol(kernel);
  }
  const std::string plain = kernel.substr(0, kernel.find('<'));
  const std::size_t colons = plain.rfind("::");
  return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

ItemUse item_use(std::string_view code, const std::string& kernel) {
  const std::string body = body_of(without_comments(code), kernel);
  if (divides_grid_index_by_warp(body)) {
    return {ItemOwner::warp};
  }
  const std::vector<DeclaredParameter> parameters = declared_parameters(code, kernel);
  const auto factors = factors_of_block(body);
  ItemUse use{factors ? ItemOwner::block : ItemOwner::thread};
  for (const std::string& factor : factors.value_or(std::vector<std::string>{})) {
    const bool is_parameter =
        std::ranges::find(parameters, factor, &DeclaredParameter::name) != parameters.end();
    if (!is_parameter && !is_width(factor)) {
      return {};
    }
    use.width = is_parameter ? use.width : factor;
  }
  return use;
}

int dimensions_named(std::string_view code, const std::string& kernel) {
  static const RE2 axis(R"(\b(?:threadIdx|blockIdx|blockDim|gridDim)\.([xyz]))");
  const std::string body = body_of(without_comments(code), kernel);
  int dimensions = 1;
  char side = 'x';
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, axis, &side);) {
    dimensions = std::max(dimensions, 1 + side - 'x');
  }
  return dimensions;
}

bool waits_for_grid(std::string_view code, const std::string& kernel) {
  static const RE2 grid(R"(\bthis_grid\s*\(|\bgrid_group\b)");
  return RE2::PartialMatch(body_of(without_comments(code), kernel), grid);
}

std::string type_of_variable(std::string_view code, const std::string& variable) {
  static const RE2 surplus(R"(__align__\(\d+\)|alignas\(\d+\)|\b(?:static|extern|const|volatile)\b)");
  std::string text = without_comments(code);
  RE2::GlobalReplace(&text, surplus, " ");
  const RE2 declaration(fmt::format(
      R"(__(?:constant|device|managed)__\s+(?:__\w+__\s+)*(\w[\w:]*(?:\s+(?:int|char|short|long|double))*)\s+(?:[^;{{}}()#]*[,\s])?{}\b)",
      base_name(variable)));
  std::string type;
  return RE2::PartialMatch(text, declaration, &type) ? on_one_line(type) : "";
}

std::size_t kernels_declared(std::string_view code) {
  static const RE2 kernel(R"(\b__global__\b)");
  const std::string text = without_comments(code);
  std::size_t count = 0;
  for (re2::StringPiece rest = text; RE2::FindAndConsume(&rest, kernel);) {
    ++count;
  }
  return count;
}

std::vector<std::string> template_instances(std::string_view code) {
  const std::string text = without_comments(code);
  const char* const element = code.find("cuda_fp16") != std::string_view::npos ? "__half" : "float";
  std::vector<std::string> instances;
  for (const TemplateHead& head : template_heads(code)) {
    std::string arguments;
    for (const std::string& parameter : head.parameters) {
      arguments += (arguments.empty() ? "" : ", ") + guessed_argument(parameter, element, text);
    }
    instances.push_back(fmt::format("{}{}<{}>", head.scope, head.kernel, arguments));
  }
  return instances;
}

std::vector<std::string> template_parameters(std::string_view code, const std::string& kernel) {
  const std::vector<TemplateHead> heads = template_heads(code);
  const auto found = std::ranges::find(heads, base_name(kernel), &TemplateHead::kernel);
  return found == heads.end() ? std::vector<std::string>{} : found->parameters;
}

}  // namespace rooftile
