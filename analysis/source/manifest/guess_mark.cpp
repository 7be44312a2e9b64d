#include "analysis/source/manifest/guess_mark.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "analysis/text/toml_edit.hpp"

namespace rooftile {
namespace {

constexpr std::string_view of_compiler = " The compiler knows the types; ", guesses = " first guesses.";

}  // namespace

std::string guess_mark(const std::filesystem::path& source, const GuessMark& mark) {
  const std::string place = toml_text(source.generic_string());
  const std::string what =
      mark.line > 0 ? fmt::format("grid and block stand in its line {}; sizes and buffers are", mark.line)
      : mark.why_no_launch.empty() ? "sizes, block and grid are"
                                   : fmt::format("{}; sizes, block and grid are", mark.why_no_launch);
  return fmt::format("# Made from {}.{}{}{}\n", std::string_view(place).substr(1, place.size() - 2),
                     of_compiler, what, guesses);
}

bool holds_guesses(std::string_view manifest) {
  return manifest.substr(0, manifest.find('\n')).find(guesses) != std::string_view::npos;
}

std::string without_guesses(std::string manifest) {
  if (holds_guesses(manifest)) {
    const std::size_t begin = manifest.find(of_compiler);
    manifest.erase(begin, manifest.find(guesses) + guesses.size() - begin);
  }
  return manifest;
}

std::string launch_origin(std::string_view manifest) {
  if (!holds_guesses(manifest)) {
    return "";
  }
  static const RE2 read(R"(# Made from (?:.*/)?(.*)\. The compiler .* stand in its line ([0-9]+);)"),
      refused(R"(The compiler knows the types; (line .*); sizes, block)");
  const re2::StringPiece mark(manifest.data(), manifest.find('\n'));
  std::string file, line, why;
  return RE2::PartialMatch(mark, read, &file, &line) ? fmt::format("as in line {} of {}", line, file)
         : RE2::PartialMatch(mark, refused, &why)    ? fmt::format("a guess: {}", why)
                                                     : "a guess";
}

}  // namespace rooftile
