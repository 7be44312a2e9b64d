#include "analysis/source/kernels/open_macros.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/text/edit_distance.hpp"

namespace rooftile {
namespace {

std::vector<std::string> undefined_names(std::string_view log) {
  static const RE2 message(R"re(identifier "(\w+)" is undefined)re");
  std::vector<std::string> names;
  std::string name;
  for (re2::StringPiece rest(log.data(), log.size()); RE2::FindAndConsume(&rest, message, &name);) {
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

char solid_before(std::string_view text, std::size_t at) {
  const std::size_t found = text.substr(0, at).find_last_not_of(" \t\r\n");
  return found == text.npos ? ';' : text[found];
}

enum class MacroUse { number, unclear, another };

// Neither a function nor an array, an object or what is assigned to; nor a type, which a name follows. A star
// behind
// "(N" may belong to a product or to a type.
MacroUse use_at(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", end);
  const char after = next == text.npos ? ';' : text[next], before = solid_before(text, begin);
  const bool begins = std::string_view("({};,").find(before) != std::string_view::npos;
  const std::string_view two = next == text.npos ? "" : text.substr(next, 2);
  const bool assigned = after == '=' && two != "==";
  if (std::isalpha(static_cast<unsigned char>(after)) != 0 || after == '_' || assigned || before == '.' ||
      std::string_view("([.{").find(after) != std::string_view::npos || two == "->" || two == "::" ||
      two == "++") {
    return MacroUse::another;
  }
  return (after == '*' || after == '&') && begins ? MacroUse::unclear : MacroUse::number;
}

bool is_number(std::string_view text, std::string_view name) {
  bool used = false;
  for (const std::string_view word : identifiers(text)) {
    if (word == name) {
      const auto begin = static_cast<std::size_t>(word.data() - text.data());
      const MacroUse use = use_at(text, begin, begin + word.size());
      used |= use == MacroUse::number;
      if (use == MacroUse::another) {
        return false;
      }
    }
  }
  return used;
}

// #pragma unroll STEPS
bool is_in_pragma(const MaskedCode& code, std::string_view name) {
  return std::ranges::any_of(code.directives, [&](const Directive& directive) {
    const auto words = identifiers(directive.text);
    return words.size() > 2 && words[0] == "pragma" && std::ranges::find(words, name) != words.end();
  });
}

// N, TILE and block_size_x, as macros are called; an x is none, nor is HIP's hipThreadIdx_x.
bool looks_like_macro(std::string_view name) {
  return !name.starts_with("hip") &&
         (name.find('_') != name.npos ||
          std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; }));
}

// True if the name differs by one letter from a name of the text that is defined.
bool is_misspelt(std::string_view text, const std::string& name, const std::vector<std::string>& undefined) {
  std::set<std::string_view> words;
  for (const std::string_view word : identifiers(text)) {
    words.insert(word);
  }
  for (const std::string& other : undefined) {
    words.erase(other);
  }
  return name.size() > 2 && std::ranges::any_of(words, [&](std::string_view word) {
           const bool is_axis =
               word.substr(0, word.size() - 1) == std::string_view(name).substr(0, name.size() - 1);
           return word != name && word.size() > 2 && !is_axis && edit_distance(std::string(word), name) <= 1;
         });
}

// block_size_x beside block_size_y is one of two sides of a block.
double guessed_value(const std::string& name, const std::vector<std::string>& all) {
  std::string small = name;
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto has = [&](const char* part) { return small.find(part) != std::string::npos; };
  if (has("warp") && has("size")) {
    return 32;
  }
  if (has("block") || has("thread")) {
    std::string other = name;
    other.back() = other.back() == 'x' ? 'y' : other.back() == 'X' ? 'Y' : other.back() == 'y' ? 'x' : 'X';
    const bool is_side = other != name && std::ranges::find(all, other) != all.end();
    return has("num") ? 128 : is_side ? 16 : 256;
  }
  return has("width") || has("height") || has("size") || small == "n" || small == "m" || small == "k"
             ? (has("tile") ? 1 : 1024)
             : 1;
}

// TILE_SIZE of #error "TILE_SIZE is undefined".
std::vector<std::string> names_asked_for(std::string_view log) {
  static const RE2 message(
      R"re(#error directive:[^\n]*\b([A-Z][A-Z0-9_]{2,}) (?:is (?:undefined|not defined)|must be defined))re");
  std::string name;
  return RE2::PartialMatch(re2::StringPiece(log.data(), log.size()), message, &name)
             ? std::vector{name}
             : std::vector<std::string>{};
}

}  // namespace

std::vector<SourceMacro> open_macros(std::string_view log, std::string_view code) {
  const MaskedCode text = masked(code);
  const std::vector<std::string> names = undefined_names(log);
  std::vector<SourceMacro> macros;
  for (const std::string& name : names_asked_for(log)) {
    macros.push_back({name, guessed_value(name, {})});
  }
  for (const std::string& name : names) {
    if (looks_like_macro(name) && (is_number(text.text, name) || is_in_pragma(text, name)) &&
        !is_misspelt(text.text, name, names)) {
      macros.push_back({name, guessed_value(name, names)});
    }
  }
  return macros;
}

std::vector<SourceMacro> asked_macros(std::string_view code) {
  static const RE2 comparison(R"(\b([A-Za-z]\w*)\s*(?:==|!=|>=?)\s*[0-9])");
  const MaskedCode text = masked(code);
  std::set<std::string> defined, asked;
  for (const Directive& directive : text.directives) {
    const auto words = identifiers(directive.text);
    if (words.size() > 1 && (words[0] == "define" || words[0] == "ifndef")) {
      defined.emplace(words[1]);
    } else if (!words.empty() && (words[0] == "if" || words[0] == "elif")) {
      std::string name;
      for (re2::StringPiece rest = directive.text; RE2::FindAndConsume(&rest, comparison, &name);) {
        asked.insert(name);
      }
    }
  }
  std::vector<SourceMacro> macros;
  for (const std::string& name : asked) {
    if (!defined.contains(name) && !name.starts_with("CUDA") && !name.starts_with("NVCC")) {
      macros.push_back({name, 0});
    }
  }
  return macros;
}

}  // namespace rooftile
