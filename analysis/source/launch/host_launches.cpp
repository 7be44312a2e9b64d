#include "analysis/source/launch/host_launches.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

// The kernel's name before "<<<", with its template arguments: where it begins.
std::size_t name_begin(std::string_view text, std::size_t launch) {
  std::size_t at = text.find_last_not_of(" \t\r\n", launch - 1);
  if (at != text.npos && text[at] == '>') {
    int depth = 0;
    for (; at > 0; --at) {
      depth += text[at] == '>' ? 1 : text[at] == '<' ? -1 : 0;
      if (depth == 0) {
        break;
      }
    }
    at = at > 0 ? text.find_last_not_of(" \t\r\n", at - 1) : 0;
  }
  while (at != text.npos && at > 0 && (is_part_of_name(text[at - 1]) || text[at - 1] == ':')) {
    --at;
  }
  return at == text.npos ? launch : at;
}

void add_written_launches(std::string_view text, std::vector<HostLaunch>& all) {
  for (std::size_t at = text.find("<<<"); at != text.npos; at = text.find("<<<", at + 3)) {
    const std::size_t end = text.find(">>>", at);
    const std::size_t open = end == text.npos ? end : text.find_first_not_of(" \t\r\n", end + 3);
    if (open == text.npos || text[open] != '(' || at == 0) {
      continue;
    }
    const std::size_t begin = name_begin(text, at);
    all.push_back({at, std::string(trimmed(text.substr(begin, at - begin))),
                   arguments_of(text.substr(at + 3, end - at - 3)), arguments_behind(text, end + 3), false});
  }
}

// "sum" of "(const void*)&sum".
std::string without_cast(std::string_view kernel) {
  kernel.remove_prefix(std::min(kernel.rfind(')') + 1, kernel.size()));
  kernel.remove_prefix(kernel.starts_with('&') ? 1 : 0);
  return std::string(trimmed(kernel));
}

// cudaLaunchKernelEx(&config, sum, in, out), where config has members.
HostLaunch launch_of_config(std::size_t place, const std::vector<std::string>& words) {
  const std::string config = without_cast(words[0]) + ".";
  return {place,
          without_cast(words[1]),
          {config + "gridDim", config + "blockDim", config + "dynamicSmemBytes"},
          std::vector(words.begin() + 2, words.end()),
          false};
}

void add_called_launches(std::string_view text, std::vector<HostLaunch>& all) {
  constexpr std::string_view call = "cudaLaunch";
  for (std::size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
    std::size_t behind = at;
    while (behind < text.size() && is_part_of_name(text[behind])) {
      ++behind;
    }
    const std::string_view function = text.substr(at, behind - at);
    const auto words = arguments_behind(text, behind);
    const bool is_cooperative = function == "cudaLaunchCooperativeKernel";
    if (function == "cudaLaunchKernelEx" && words.size() >= 2) {
      all.push_back(launch_of_config(at, words));
    } else if ((is_cooperative || function == "cudaLaunchKernel") && words.size() >= 4) {
      all.push_back({at, without_cast(words[0]), {words[1], words[2]}, std::nullopt, is_cooperative});
      if (words.size() > 4) {
        all.back().settings.push_back(words[4]);
      }
    }
  }
}

// A macro with arguments that launches.
struct LaunchMacro {
  std::string name, body;
  std::vector<std::string> parameters;
};

std::optional<LaunchMacro> launch_macro(const Directive& directive) {
  const auto words = identifiers(directive.text);
  const std::string_view text = directive.text;
  if (words.size() < 2 || words[0] != "define" ||
      (text.find("<<<") == text.npos && text.find("cudaLaunch") == text.npos)) {
    return std::nullopt;
  }
  const std::size_t open = text.find(words[1]) + words[1].size();
  if (open >= text.size() || text[open] != '(') {
    return std::nullopt;
  }
  const std::size_t close = std::min(closing(text, open), text.size() - 1);
  return LaunchMacro{std::string(words[1]), std::string(text.substr(close + 1)), arguments_behind(text, open)};
}

// The arguments as the body names them: those for "..." are __VA_ARGS__.
std::string body_with(LaunchMacro macro, std::vector<std::string> arguments) {
  if (const std::size_t named = macro.parameters.size() - 1;
      !macro.parameters.empty() && macro.parameters.back() == "..." && arguments.size() > named) {
    macro.parameters.back() = "__VA_ARGS__";
    arguments[named] = fmt::format(
        "{}", fmt::join(arguments.begin() + static_cast<std::ptrdiff_t>(named), arguments.end(), ", "));
  }
  std::string body;
  for (std::size_t at = 0; at < macro.body.size();) {
    std::size_t end = at;
    while (end < macro.body.size() && is_part_of_name(macro.body[end])) {
      ++end;
    }
    end = std::max(end, at + 1);
    const std::string word = macro.body.substr(at, end - at);
    const auto found = std::ranges::find(macro.parameters, word);
    const auto index = static_cast<std::size_t>(found - macro.parameters.begin());
    body += index < std::min(macro.parameters.size(), arguments.size()) ? arguments[index] : word;
    at = end;
  }
  static const RE2 glue(R"(\s*##\s*)");
  RE2::GlobalReplace(&body, glue, "");
  std::ranges::replace(body, '\n', ' ');
  return body;
}

// Lines stay where they are.
void expand(const LaunchMacro& macro, std::string& text) {
  for (std::size_t at = text.find(macro.name); at != text.npos; at = text.find(macro.name, at + 1)) {
    const std::size_t open = text.find_first_not_of(' ', at + macro.name.size());
    if ((at > 0 && is_part_of_name(text[at - 1])) || open == text.npos || text[open] != '(') {
      continue;
    }
    const std::size_t size = std::min(closing(text, open) + 1, text.size()) - at;
    std::string body = body_with(macro, arguments_behind(text, open));
    body.append(static_cast<std::size_t>(std::ranges::count(text.substr(at, size), '\n')), '\n');
    text.replace(at, size, body);
    at += body.size();
  }
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  return text.substr(begin, end == text.npos ? 0 : end + 1 - begin);
}

std::string without_space(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](unsigned char c) { return std::isspace(c) != 0; });
  return plain;
}

std::vector<std::string> arguments_of(std::string_view list) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back(trimmed(list.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  return trimmed(list).empty() ? std::vector<std::string>{} : parts;
}

std::vector<std::string> arguments_behind(std::string_view text, std::size_t behind) {
  const std::size_t open = text.find_first_not_of(" \t\r\n", behind);
  return open == text.npos || text[open] != '('
             ? std::vector<std::string>{}
             : arguments_of(text.substr(open + 1, closing(text, open) - open - 1));
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string text_with_launches(std::string_view code) {
  MaskedCode all = masked(code);
  // A macro that calls another stands behind it.
  for (auto directive = all.directives.rbegin(); directive != all.directives.rend(); ++directive) {
    if (const auto macro = launch_macro(*directive)) {
      expand(*macro, all.text);
    }
  }
  return std::move(all.text);
}

std::vector<HostLaunch> launches_in(std::string_view text) {
  std::vector<HostLaunch> all;
  add_written_launches(text, all);
  add_called_launches(text, all);
  std::ranges::sort(all, {}, &HostLaunch::place);
  return all;
}

}  // namespace rooftile
