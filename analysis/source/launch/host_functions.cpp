#include "analysis/source/launch/host_functions.hpp"

#include <algorithm>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/launch/host_launches.hpp"

namespace rooftile {
namespace {

// "n" of "int n = 3", "f" of "void (*f)(float*)".
std::string parameter_name(std::string_view declaration) {
  const std::size_t pointer = declaration.find("(*");
  const auto words = identifiers(pointer == declaration.npos ? declaration.substr(0, declaration.find('='))
                                                             : declaration.substr(pointer));
  return words.empty() ? "" : std::string(pointer == declaration.npos ? words.back() : words.front());
}

std::vector<std::string> declared_names(const std::vector<std::string>& declarations) {
  std::vector<std::string> names;
  std::ranges::transform(declarations, std::back_inserter(names), parameter_name);
  return names;
}

}  // namespace

std::optional<AngleList> list_in_angles(std::string_view text, std::size_t place) {
  const std::size_t open = text.find_first_not_of(" \t\r\n", place);
  if (open == text.npos || text[open] != '<' || text.substr(open, 3) == "<<<") {
    return std::nullopt;
  }
  int depth = 0;
  for (std::size_t at = open; at < text.size() && text[at] != ';' && text[at] != '{'; ++at) {
    depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
    if (depth == 0) {
      return AngleList{arguments_of(text.substr(open + 1, at - open - 1)), at + 1};
    }
  }
  return std::nullopt;
}

std::vector<HostFunction> host_functions(std::string_view text) {
  std::vector<HostFunction> functions;
  std::size_t head = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ';' || text[at] == '}') {
      head = at + 1;
    } else if (text[at] == '{') {
      const std::size_t open = text.find('(', head);
      const auto words = identifiers(text.substr(head, at - head));
      const bool is_scope = std::ranges::any_of(words, [](std::string_view word) {
        return word == "namespace" || word == "class" || word == "struct" || word == "extern";
      });
      if (open < at) {
        HostFunction function{{head, at}, {at, closing(text, at)}, "", {}, {}};
        const auto names = identifiers(text.substr(head, open - head));
        function.name = names.empty() ? "" : names.back();
        function.parameters = declared_names(arguments_behind(text, open));
        if (const auto word = text.find("template", head); word < open) {
          const auto list = list_in_angles(text, word + std::string_view("template").size());
          function.template_parameters = declared_names(list ? list->arguments : std::vector<std::string>{});
        }
        at = function.body.end;
        functions.push_back(std::move(function));
      } else if (!is_scope) {
        at = closing(text, at);
      }
      head = at + 1;
    }
  }
  return functions;
}

}  // namespace rooftile
