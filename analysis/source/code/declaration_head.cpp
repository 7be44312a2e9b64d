#include "analysis/source/code/declaration_head.hpp"

#include <algorithm>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

constexpr std::array<std::string_view, 6> attributes = {"__attribute__", "__launch_bounds__", "__align__",
                                                        "__declspec",    "__maxnreg__",       "alignas"};

// The position that closes the angle bracket at `open`: "<int N, bool B = (N > 4)>".
std::size_t closing_angle(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
      at = closing(text, at);
    } else if (text[at] == '<') {
      ++depth;
    } else if (text[at] == '>' && --depth == 0) {
      return at;
    }
  }
  return text.size();
}

// "std::vector x" of "std::vector<int> x"; none is a comparison.
std::string without_angles(std::string_view head) {
  std::string plain;
  for (std::size_t at = 0; at < head.size(); ++at) {
    if (head[at] == '<') {
      at = closing_angle(head, at);
    } else {
      plain += head[at];
    }
  }
  return plain;
}

}  // namespace

std::size_t next_solid(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

std::string outline(std::string_view head) {
  std::string outline;
  for (std::size_t at = 0; at < head.size(); ++at) {
    if (head[at] == '{') {
      outline += "{}";
      at = closing(head, at);
      continue;
    }
    if (head[at] != '(' && head[at] != '[') {
      outline += head[at];
      const auto word = std::string_view(outline);
      const std::size_t next = next_solid(head, at + 1);
      if (word.ends_with("template") && next < head.size() && head[next] == '<') {
        at = closing_angle(head, next);
      }
      continue;
    }
    const std::size_t close = closing(head, at);
    const auto words = identifiers(outline);
    const std::string_view last = words.empty() ? "" : words.back();
    const bool attribute = std::ranges::find(attributes, last) != attributes.end();
    if (attribute && next_solid(outline, outline.rfind(last) + last.size()) == outline.size()) {
      outline.resize(outline.rfind(last));
    } else if (head[at] == '(') {
      outline += "()";
    }
    at = close;
  }
  return outline;
}

std::string without_bases(const std::string& outline) {
  std::size_t colon = outline.find(':');
  while (colon != outline.npos && outline.compare(colon, 2, "::") == 0) {
    colon = outline.find(':', colon + 2);
  }
  return outline.substr(0, colon);
}

std::vector<std::string> declared(const std::string& outline) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < outline.size();) {
    const std::size_t end = std::min(outline.find(',', begin), outline.size());
    const std::string_view one = std::string_view(outline).substr(begin, end - begin);
    const std::string head = without_angles(one.substr(0, std::min(one.find_first_of("=([{"), one.size())));
    const auto words = identifiers(head);
    if (!words.empty() && std::ranges::find(class_keys, words.back()) == class_keys.end()) {
      names.emplace_back(words.back());
    }
    begin = end + 1;
  }
  return names;
}

std::string_view without_last_list(std::string_view statement) {
  const bool has_list = statement.ends_with(')') && statement.starts_with("typedef");
  std::size_t open = has_list ? statement.size() - 1 : statement.size();
  for (int depth = has_list ? 1 : 0; depth > 0 && open > 0;) {
    --open;
    depth += statement[open] == ')' ? 1 : statement[open] == '(' ? -1 : 0;
  }
  return statement.substr(0, open);
}

}  // namespace rooftile
