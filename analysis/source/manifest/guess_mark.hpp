// The first line of a kernel.toml that was made from a source: what of it is a guess, until a person confirms
// it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rooftile {

// origin: of grid and block, in words of GuessMark below.
struct GuessMark {
  int line = 0;               // of the launch; 0: grid and block are guesses
  std::string file;           // where it stands; empty: in the source
  std::string why_no_launch;  // "line 30 launches blocks of 2,048 threads, and 1,024 are the most"
};
std::string guess_mark(const std::filesystem::path& source, const GuessMark& mark);
// "line 57", "line 57 of ../runner.cu", as a comment may hold it.
std::string launch_place(const GuessMark& mark);

// Whether the first line still says that guesses are left; and the same text, confirmed by a person.
bool holds_guesses(std::string_view manifest);
std::string without_guesses(std::string manifest);
// The origin of its grid and block, from its first line: "as in line 57 of mine.cu", "a guess", "a guess: line
// 30 launches ...". Empty once a person has confirmed them.
std::string launch_origin(std::string_view manifest);

}  // namespace rooftile
