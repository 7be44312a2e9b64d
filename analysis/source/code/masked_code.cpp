#include "analysis/source/code/masked_code.hpp"

#include <algorithm>
#include <cctype>

namespace rooftile {
namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < std::min(end, text.size()); ++at) {
    text[at] = text[at] == '\n' ? '\n' : ' ';
  }
}

// Behind the quote that ends the text begun at `at`; one that is not ended ends with its line.
std::size_t behind_literal(std::string_view code, std::size_t at) {
  const char quote = code[at];
  for (++at; at < code.size() && code[at] != quote && code[at] != '\n'; ++at) {
    at += code[at] == '\\' ? 1 : 0;
  }
  return std::min(at + 1, code.size());
}

// R"x( ... )x"
std::size_t behind_raw_literal(std::string_view code, std::size_t quote) {
  const std::size_t open = std::min(code.find('(', quote), code.size());
  const std::string end = ")" + std::string(code.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t found = code.find(end, open);
  return found == code.npos ? code.size() : found + end.size();
}

std::size_t behind_comment(std::string_view code, std::size_t at) {
  const bool line = code[at + 1] == '/';
  const std::size_t end = line ? code.find('\n', at) : code.find("*/", at + 2);
  return end == code.npos ? code.size() : end + (line ? 0 : 2);
}

bool begins_comment(std::string_view code, std::size_t at) {
  return code[at] == '/' && at + 1 < code.size() && (code[at + 1] == '/' || code[at + 1] == '*');
}

// 1'000 has no literal in it.
bool begins_literal(std::string_view code, std::size_t at) {
  return code[at] == '"' ||
         (code[at] == '\'' && (at == 0 || std::isdigit(static_cast<unsigned char>(code[at - 1])) == 0));
}

bool begins_line(std::string_view text, std::size_t at) {
  const std::size_t before = text.substr(0, at).find_last_not_of(" \t");
  return before == text.npos || text[before] == '\n';
}

// The length of a backslash with the end of its line, which may be that of Windows; else 0.
std::size_t continuation_at(std::string_view code, std::size_t at) {
  return code.substr(at, 2) == "\\\n" ? 2 : code.substr(at, 3) == "\\\r\n" ? 3 : 0;
}

// Blanks of comments are kept, so that what is left stands where it stood.
Directive directive_at(std::string_view code, std::size_t begin) {
  Directive directive{begin, begin, ""};
  std::size_t at = begin;
  while (at < code.size() && code[at] != '\n') {
    if (begins_comment(code, at)) {
      at = behind_comment(code, at);
      directive.text += ' ';
    } else if (begins_literal(code, at)) {
      const std::size_t end = behind_literal(code, at);
      directive.text += code.substr(at, end - at);
      at = end;
    } else if (const std::size_t size = continuation_at(code, at); size > 0) {
      at += size;
    } else {
      directive.text += code[at++];
    }
  }
  directive.end = at;
  return directive;
}

// Literals keep their quotes, comments nothing.
MaskedCode without_words(std::string_view code) {
  MaskedCode masked{std::string(code), {}};
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at + 1;
    if (begins_comment(code, at)) {
      end = behind_comment(code, at);
      blank(masked.text, at, end);
    } else if (code[at] == '"' && at > 0 && code[at - 1] == 'R') {
      end = behind_raw_literal(code, at);
      blank(masked.text, at + 1, end - 1);
    } else if (begins_literal(code, at)) {
      end = behind_literal(code, at);
      blank(masked.text, at + 1, end - 1);
    } else if ((code[at] == '#' || code.substr(at, 2) == "%:") && begins_line(masked.text, at)) {
      masked.directives.push_back(directive_at(code, at));
      end = masked.directives.back().end;
      blank(masked.text, at, end);
    }
    at = end;
  }
  return masked;
}

// "if" of "# if 0".
std::string_view kind(const Directive& directive) {
  const auto words = identifiers(directive.text);
  return words.empty() ? "" : words.front();
}

bool is_never(const Directive& directive) {
  const auto words = identifiers(directive.text);
  return words.size() == 2 && words[0] == "if" && words[1] == "0";
}

int depth_of(std::string_view text) {
  return static_cast<int>(std::ranges::count(text, '{') - std::ranges::count(text, '}'));
}

// The branches of the group whose #if is directives[first], by the directives that begin and end them.
std::vector<std::size_t> branches_of(const std::vector<Directive>& directives, std::size_t first) {
  std::vector<std::size_t> bounds = {first};
  int depth = 0;
  for (std::size_t i = first; i < directives.size(); ++i) {
    const std::string_view what = kind(directives[i]);
    depth += what.starts_with("if") ? 1 : what == "endif" ? -1 : 0;
    if (depth == 0 || (depth == 1 && what.starts_with("el"))) {
      bounds.push_back(i);
    }
    if (depth == 0) {
      break;
    }
  }
  return bounds;
}

void mask_group(MaskedCode& masked, std::size_t first) {
  const std::vector<std::size_t> bounds = branches_of(masked.directives, first);
  const auto part = [&](std::size_t i) {
    const std::size_t begin = masked.directives[bounds[i]].end;
    return std::string_view(masked.text).substr(begin, masked.directives[bounds[i + 1]].begin - begin);
  };
  if (bounds.size() > 1 && is_never(masked.directives[first])) {
    blank(masked.text, masked.directives[first].end, masked.directives[bounds[1]].begin);
  }
  for (std::size_t i = 1; i + 1 < bounds.size(); ++i) {
    if (depth_of(part(i)) != 0 && depth_of(part(0)) != 0) {
      const std::size_t begin = masked.directives[bounds[i]].end;
      const std::size_t end = masked.directives[bounds[i + 1]].begin;
      std::replace_if(
          masked.text.begin() + static_cast<std::ptrdiff_t>(begin),
          masked.text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c == '{' || c == '}'; },
          ' ');
    }
  }
}

}  // namespace

MaskedCode masked(std::string_view code) {
  MaskedCode masked = without_words(code);
  for (std::size_t i = 0; i < masked.directives.size(); ++i) {
    if (kind(masked.directives[i]).starts_with("if")) {
      mask_group(masked, i);
    }
  }
  return masked;
}

std::size_t closing(std::string_view text, std::size_t open) {
  constexpr std::string_view opening = "([{", closings = ")]}";
  const char close = closings[opening.find(text[open])];
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == text[open] ? 1 : text[at] == close ? -1 : 0;
    if (depth == 0) {
      return at;
    }
  }
  return text.size();
}

std::vector<std::string_view> identifiers(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) {
      ++end;
    }
    if (end > at) {
      words.push_back(text.substr(at, end - at));
    }
    at = end + 1;
  }
  return words;
}

}  // namespace rooftile
