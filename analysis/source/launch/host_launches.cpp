#include "analysis/source/launch/host_launches.hpp"

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

std::vector<std::string_view> arguments_of(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(list.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  return trimmed(list).empty() ? std::vector<std::string_view>{} : parts;
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<HostLaunch> launches_in(std::string_view text) {
  std::vector<HostLaunch> all;
  for (std::size_t at = text.find("<<<"); at != text.npos; at = text.find("<<<", at + 3)) {
    const std::size_t end = text.find(">>>", at);
    const std::size_t open = end == text.npos ? end : text.find_first_not_of(" \t\r\n", end + 3);
    if (open == text.npos || text[open] != '(' || at == 0) {
      continue;
    }
    const std::size_t begin = name_begin(text, at);
    all.push_back({at, std::string(trimmed(text.substr(begin, at - begin))),
                   arguments_of(text.substr(at + 3, end - at - 3)),
                   arguments_of(text.substr(open + 1, closing(text, open) - open - 1)), false});
  }
  for (const char* call : {"cudaLaunchCooperativeKernel", "cudaLaunchKernel"}) {
    for (std::size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
      const std::size_t open = text.find('(', at);
      const auto words = open == text.npos
                             ? std::vector<std::string_view>{}
                             : arguments_of(text.substr(open + 1, closing(text, open) - open - 1));
      if (words.size() >= 4 && text.find_first_not_of(" ", at + std::string_view(call).size()) == open) {
        std::string_view kernel = words[0].substr(std::min(words[0].rfind(')') + 1, words[0].size()));
        kernel.remove_prefix(kernel.starts_with('&') ? 1 : 0);
        std::vector<std::string_view> settings = {words[1], words[2]};
        if (words.size() > 4) {
          settings.push_back(words[4]);
        }
        all.push_back({at, std::string(trimmed(kernel)), settings, std::nullopt,
                       std::string_view(call) == "cudaLaunchCooperativeKernel"});
      }
    }
  }
  std::ranges::sort(all, {}, &HostLaunch::place);
  return all;
}

}  // namespace rooftile
