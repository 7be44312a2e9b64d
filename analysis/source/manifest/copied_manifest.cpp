#include "analysis/source/manifest/copied_manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace rooftile {
namespace {

constexpr std::array<std::string_view, 6> own_keys = {"title", "short_title", "group",
                                                      "order", "source",      "entry"};

// "title" of "title = "Copy"".
std::string_view key_of(std::string_view line) {
  return line.substr(0, std::min(line.find_first_of(" ="), line.size()));
}

}  // namespace

std::string copied_manifest(std::string_view text, const Manifest& original) {
  std::string copy =
      fmt::format("# Begun as a copy of {}.{}\n", original.name,
                  original.problem.empty() ? "" : " Sizes, buffers and reference stand in problem.toml.");
  copy += "group = \"Own kernels\"\n";
  if (original.library.empty()) {
    copy += fmt::format("entry = \"{}\"\n", original.entry);
  }
  std::istringstream lines{std::string(text)};
  bool in_heading = true;
  for (std::string line; std::getline(lines, line);) {
    in_heading = in_heading && !line.starts_with('[');
    if (!in_heading || std::ranges::find(own_keys, key_of(line)) == own_keys.end()) {
      copy += line + "\n";
    }
  }
  return copy;
}

}  // namespace rooftile
