#include "analysis/source/kernels/kernel_templates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/kernels/source_kernels.hpp"
#include "analysis/source/kernels/text_parts.hpp"

namespace rooftile {
namespace {

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string last_word(std::string part) {
  part = part.substr(0, part.find_first_of("[="));
  const auto end = std::find_if(part.rbegin(), part.rend(), in_word).base();
  const auto begin = std::find_if_not(std::make_reverse_iterator(end), part.rend(), in_word).base();
  return {begin, end};
}

// Tiles of matrix products that fit each other with the other guesses: of a block, and of a warp in it.
const std::map<std::string, const char*, std::less<>> customary_tiles = {
    {"BM", "128"}, {"BN", "128"}, {"BK", "16"}, {"WM", "64"}, {"WN", "32"}};

// A type such as "Op", which may be an enum of a header, unlike "int", "size_t" and "class".
bool is_own_type(std::string_view word) {
  constexpr std::array<std::string_view, 11> others = {"class", "typename", "int",  "unsigned", "long", "short",
                                                       "char",  "bool",     "uint", "auto",     "std"};
  return !word.ends_with("_t") && std::ranges::find(others, word) == others.end();
}

// "class IndexType" and "class InputIt" are no numbers to calculate with.
std::string guessed_type(const std::string& name, const std::string& element) {
  static const RE2 whole("(?i)(i|int|idx|index|size|key|offset|count)_?(t|type)?"),
      iterator("(?i).*(iterator|ptr|pointer)(_?t)?|.*It");
  return RE2::FullMatch(name, whole) ? "int" : RE2::FullMatch(name, iterator) ? element + "*" : element;
}

// "class T", "int THREADS", "int N = 4". element: what T stands for; scope: of the kernel.
std::string guessed_argument(const std::string& parameter, const std::string& element, const std::string& scope,
                             const std::string& text) {
  static const RE2 value(R"(=\s*(.*\S))"), type(R"(\b(typename|class)\b)"), truth(R"(\bbool\b)"),
      block("(?i)block|thread"), tile("(?i)tile");
  if (std::string given; RE2::PartialMatch(parameter, value, &given)) {
    return given;
  }
  const std::string name = last_word(parameter);
  if (const auto words = identifiers(parameter); words.size() == 2 && is_own_type(words[0])) {
    return fmt::format("({}{})0", scope, words[0]);
  }
  if (const auto found = customary_tiles.find(name); found != customary_tiles.end()) {
    return found->second;
  }
  const bool is_side = RE2::PartialMatch(text, fmt::format(R"(\b{0}\s*\*\s*{0}\b)", name));  // of a square tile
  return RE2::PartialMatch(parameter, type)    ? guessed_type(name, element)
         : RE2::PartialMatch(parameter, truth) ? "true"
         : RE2::PartialMatch(name, block)      ? (is_side ? "32" : "256")
         : RE2::PartialMatch(name, tile)       ? "16"
                                               : "4";
}

// The name in " __global__ void LAUNCH_BOUNDS(256) sum(float* a)", before the last list but those of
// attributes; empty where no kernel is declared.
std::string kernel_declared(const std::string& text) {
  static const RE2 list(R"((\w+)\s*\()");
  if (text.find("__global__") == std::string::npos) {
    return "";
  }
  std::string name, word;
  for (re2::StringPiece rest = text; RE2::FindAndConsume(&rest, list, &word);) {
    name = word.starts_with("__") ? name : word;
    const std::size_t open = text.size() - rest.size() - 1;
    rest.remove_prefix(std::min(closing(text, open), text.size()) - open - 1);
  }
  return name;
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
  bool has_body = false;
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
    const std::size_t end = text.find_first_of(";{", declared);
    std::string name = kernel_declared(text.substr(declared, end - declared));
    if (!name.empty()) {
      const bool has_body = end != text.npos && text[end] == '{';
      heads.push_back({namespaces.at(text.data() + open), std::move(name), std::move(parameters), has_body});
    }
  }
  return heads;
}

// text: the code without comments.
std::vector<std::string> guessed_arguments(const TemplateHead& head, const std::string& text) {
  const std::string element = text.find("cuda_fp16") != std::string::npos ? "__half" : "float";
  std::vector<std::string> arguments;
  for (const std::string& parameter : head.parameters) {
    arguments.push_back(guessed_argument(parameter, element, head.scope, text));
  }
  return arguments;
}

}  // namespace

std::vector<std::string> template_instances(std::string_view code) {
  const std::string text = without_comments(code);
  std::vector<std::string> instances;
  for (const TemplateHead& head : template_heads(code)) {
    if (head.has_body) {
      instances.push_back(
          fmt::format("{}{}<{}>", head.scope, head.kernel, fmt::join(guessed_arguments(head, text), ", ")));
    }
  }
  return instances;
}

std::vector<std::string> guessed_template_arguments(std::string_view code, const std::string& kernel) {
  const std::vector<TemplateHead> heads = template_heads(code);
  const auto found = std::ranges::find(heads, base_name(kernel), &TemplateHead::kernel);
  return found == heads.end() ? std::vector<std::string>{} : guessed_arguments(*found, without_comments(code));
}

std::vector<std::string> template_parameters(std::string_view code, const std::string& kernel) {
  const std::vector<TemplateHead> heads = template_heads(code);
  const auto found = std::ranges::find(heads, base_name(kernel), &TemplateHead::kernel);
  return found == heads.end() ? std::vector<std::string>{} : found->parameters;
}

}  // namespace rooftile
