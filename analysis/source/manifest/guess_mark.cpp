#include "analysis/source/manifest/guess_mark.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "analysis/text/toml_edit.hpp"

namespace rooftile {
namespace {

constexpr std::string_view of_compiler = " The compiler knows the types; ", guesses = " first guesses.";

std::string escaped(const std::string& text) {
  const std::string quoted = toml_text(text);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::string launch_place(const GuessMark& mark) {
  return fmt::format("line {}{}", mark.line, mark.file.empty() ? "" : " of " + escaped(mark.file));
}

std::string guess_mark(const std::filesystem::path& source, const GuessMark& mark) {
  const std::string what = mark.line > 0 ? fmt::format("grid and block stand in {}{}; sizes and buffers are",
                                                       mark.file.empty() ? "its " : "", launch_place(mark))
                           : mark.why_no_launch.empty()
                               ? "sizes, block and grid are"
                               : fmt::format("{}; sizes, block and grid are", mark.why_no_launch);
  return fmt::format("# Made from {}.{}{}{}\n", escaped(source.generic_string()), of_compiler, what, guesses);
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
  static const RE2 read(
      R"(# Made from (?:.*/)?(.*)\. The compiler .* stand in (?:its )?line ([0-9]+)(?: of (.*))?;)"),
      refused(R"(The compiler knows the types; (line .*); sizes, block)");
  const re2::StringPiece mark(manifest.data(), manifest.find('\n'));
  std::string source, line, file, why;
  return RE2::PartialMatch(mark, read, &source, &line, &file)
             ? fmt::format("as in line {} of {}", line, file.empty() ? source : file)
         : RE2::PartialMatch(mark, refused, &why) ? fmt::format("a guess: {}", why)
                                                  : "a guess";
}

}  // namespace rooftile
