#include "analysis/source/code/foreign_text.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

std::string why_no_cuda(std::string_view code) {
  if (code.starts_with("version https://git-lfs")) {
    return " is a pointer of Git LFS: fetch the file that it stands for, with git lfs pull.";
  }
  if (code.starts_with("\xff\xfe") || code.starts_with("\xfe\xff")) {
    return " is UTF-16: save it as UTF-8.";
  }
  if (const std::size_t solid = code.find_first_not_of(" \t\r\n");
      solid != code.npos &&
      (code.substr(solid).starts_with("<!DOCTYPE") || code.substr(solid).starts_with("<html"))) {
    return " is a page of the web: download the source that the page shows.";
  }
  const std::string unmerged = why_unmerged(code);
  return unmerged.empty() ? why_other_language(code) : unmerged;
}

}  // namespace rooftile
