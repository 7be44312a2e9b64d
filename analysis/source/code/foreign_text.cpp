#include "analysis/source/code/foreign_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

// "<<<<<<< HEAD", as Git leaves it.
std::string why_unmerged(std::string_view code) {
  const std::size_t mark = code.find("<<<<<<< ");
  const bool begins_line = mark != code.npos && (mark == 0 || code[mark - 1] == '\n');
  return begins_line && code.find("\n>>>>>>> ", mark) != code.npos
             ? fmt::format("({}): the marks of an unfinished merge stand here: keep one of the two sides.",
                           1 + std::ranges::count(code.substr(0, mark), '\n'))
             : "";
}

// Kernels that are written for another interface than CUDA.
std::string why_other_language(std::string_view code) {
  constexpr std::string_view advice = ": write the kernel for CUDA, as a __global__ void function.";
  const std::string text = masked(code).text;
  const auto words = identifiers(text);
  const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  return has("__global__")                          ? ""
         : has("__kernel")                          ? fmt::format(" is OpenCL{}", advice)
         : code.find("<metal_stdlib>") != code.npos ? fmt::format(" is Metal{}", advice)
                                                    : "";
}

struct Beginning {
  std::string_view text, why;
};
constexpr std::string_view why_page = " is a page of the web: download the source that the page shows.";
constexpr std::string_view why_pattern =
    " is a pattern that another program fills in: open the file that it writes.";
constexpr std::array<Beginning, 8> beginnings = {{
    {"version https://git-lfs",
     " is a pointer of Git LFS: fetch the file that it stands for, with git lfs pull."},
    {"\xff\xfe", " is UTF-16: save it as UTF-8."},
    {"\xfe\xff", " is UTF-16: save it as UTF-8."},
    {"<!DOCTYPE", why_page},
    {"<html", why_page},
    {"```", " is Markdown: keep the lines between two ``` alone."},
    {"{#", why_pattern},
    {"{%", why_pattern},
}};

}  // namespace

std::string why_no_cuda(std::string_view code) {
  const std::string_view solid = code.substr(std::min(code.find_first_not_of(" \t\r\n"), code.size()));
  const auto known =
      std::ranges::find_if(beginnings, [&](const Beginning& each) { return solid.starts_with(each.text); });
  if (known != beginnings.end()) {
    return std::string(known->why);
  }
  const std::string unmerged = why_unmerged(code);
  return unmerged.empty() ? why_other_language(code) : unmerged;
}

}  // namespace rooftile
