#include "kernels/worker/compile/compile_hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "analysis/platform/text_file.hpp"
#include "analysis/text/edit_distance.hpp"
#include "analysis/text/format.hpp"

namespace rooftile::worker {
namespace {

// The header that cannot be opened; empty where all can.
std::string_view missing_header(std::string_view log) {
  constexpr std::string_view words = "cannot open source file \"";
  const std::size_t found = log.find(words);
  if (found == log.npos) {
    return {};
  }
  const std::string_view name = log.substr(found + words.size());
  return name.substr(0, name.find('"'));
}

// True for the names of headers of C, C++ and the system: <vector>, <stdio.h>, <sys/time.h>.
bool is_of_system(std::string_view header) {
  constexpr std::array<std::string_view, 31> names = {
      "assert.h",  "complex.h", "ctype.h",   "errno.h",  "fcntl.h",  "float.h",   "getopt.h",  "inttypes.h",
      "io.h",      "limits.h",  "malloc.h",  "math.h",   "memory.h", "omp.h",     "process.h", "pthread.h",
      "signal.h",  "stdarg.h",  "stdbool.h", "stddef.h", "stdint.h", "stdio.h",   "stdlib.h",  "string.h",
      "strings.h", "tchar.h",   "time.h",    "unistd.h", "values.h", "windows.h", "windowsx.h"};
  return header.find('.') == header.npos || header.starts_with("sys/") ||
         std::ranges::find(names, header) != names.end();
}

std::string hint_on_missing(const std::vector<std::string>& missing) {
  std::vector<std::string> own = missing;
  std::erase_if(own, is_of_system);
  return own.empty() ? ""
                     : fmt::format(
                           "{} {} not found, neither in the repository nor in CUDA's toolkit: name the folder, "
                           "--include FOLDER "
                           "or include = [\"FOLDER\"] in kernel.toml.",
                           fmt::join(own, ", "), own.size() == 1 ? "is" : "are");
}

// Words of the compiler that newcomers meet, and what to write.
constexpr std::string_view texture_hint =
    "CUDA 12 has no texture references any more, and rooftile makes no textures: give the kernel a pointer.";
constexpr std::string_view library_hint =
    "Device code has little of C++'s library: no containers and no streams. Arrays and plain numbers are "
    "known.";
constexpr std::string_view nested_hint =
    "Kernels that launch kernels are not opened, since they need CUDA's device runtime: open the kernel that "
    "is launched, in a file without the one that launches it.";
struct KnownWords {
  std::string_view words, hint;
};
constexpr std::array<KnownWords, 10> known_words = {{
    {"identifier \"cudaTextureObject_t", texture_hint},
    {"identifier \"cudaSurfaceObject_t", texture_hint},
    {"device-side kernel launch", nested_hint},
    {"requires separate compilation mode", nested_hint},
    {"\"register\" storage class",
     "C++17 has no register any more: delete the word, or set options = [\"-std=c++14\"] in kernel.toml."},
    {"identifier \"__shfl",
     "Shuffles take the mask of their lanes now: __shfl_down_sync(0xffffffff, value, offset)."},
    {"identifier \"__ballot", "Votes take the mask of their lanes now: __ballot_sync(0xffffffff, condition)."},
    {"texture is not a template", texture_hint},
    {"namespace \"std\" has no member", library_hint},
    {"calling a __host__ function(\"std::", library_hint},
}};

// "Did you mean threadIdx?" for thraedIdx.
std::string hint_on_undefined(std::string_view log) {
  constexpr std::string_view words = "identifier \"";
  constexpr std::array<std::string_view, 8> names = {"threadIdx", "blockIdx",      "blockDim",  "gridDim",
                                                     "warpSize",  "__syncthreads", "atomicAdd", "__syncwarp"};
  for (std::size_t at = log.find(words); at != log.npos; at = log.find(words, at + 1)) {
    const std::string_view rest = log.substr(at + words.size());
    const std::string name(rest.substr(0, rest.find('"')));
    for (const std::string_view known : names) {
      if (rest.substr(std::min(name.size(), rest.size())).starts_with("\" is undefined") &&
          edit_distance(name, std::string(known)) <= 2) {
        return fmt::format("Did you mean {} instead of {}?", known, name);
      }
    }
  }
  return "";
}

// A function without __device__ is left out for NVRTC. A part of a larger source lacks what stands before its
// #include there.
std::string hint_in_source(const std::filesystem::path& source, const std::string& log) {
  static const RE2 undefined(R"re(identifier "(\w+)" is undefined)re");
  std::string name;
  if (!RE2::PartialMatch(log, undefined, &name)) {
    return "";
  }
  const RE2 function(fmt::format(R"((?m)^[ \t]*\w[\w \t*&<>:,]*\b{}\s*\([^;{{}}]*\)\s*\{{)", name));
  if (RE2::PartialMatch(platform::read_text(source).value_or(""), function)) {
    return fmt::format("{} is a function of the host: write __device__ before it.", name);
  }
  const RE2 include(
      fmt::format(R"re(#[ \t]*include[ \t]*"[^"]*\b{}")re", RE2::QuoteMeta(source.filename().string())));
  for (const auto& folder : {source.parent_path(), source.parent_path().parent_path()}) {
    std::error_code none;
    for (const auto& each : std::filesystem::directory_iterator(folder.empty() ? "." : folder, none)) {
      const std::string kind = each.path().extension().string();
      if ((kind == ".cu" || kind == ".cuh" || kind == ".c" || kind == ".cpp") && each.path() != source &&
          RE2::PartialMatch(platform::read_text(each.path()).value_or(""), include)) {
        return fmt::format("{} is a part of {}, which includes it: open that one.", source.filename().string(),
                           each.path().filename().string());
      }
    }
  }
  return "";
}

// From the first error on, since any number of warnings may stand before it.
std::string first_words(const std::string& log) {
  constexpr std::size_t most = 64 << 10;
  const std::size_t error = log.find("error");
  std::string words = error == log.npos ? log : log.substr(log.rfind('\n', error) + 1);
  static const RE2 total(R"(\n*[0-9]+ (?:catastrophic )?errors? detected in the compilation of [^\n]*\n*)");
  RE2::GlobalReplace(&words, total, "\n");  // of a file that is gone
  if (words.size() <= most) {
    return words;
  }
  const auto all = std::ranges::count(words, '\n');
  words.resize(words.rfind('\n', most));
  return fmt::format("{}\n{} more lines of the compiler are left out.", words,
                     count(static_cast<double>(all - std::ranges::count(words, '\n'))));
}

}  // namespace

std::string compile_hint(std::string_view log, std::string_view entry,
                         const std::vector<std::string>& missing) {
  if (const std::string_view header = missing_header(log); !header.empty()) {
    return log.find(fmt::format("\"{}\": not a regular file", header)) != log.npos
               ? fmt::format("{} is a folder or a device, which cannot be included.", header)
               : hint_on_missing({std::string(header)});
  }
  if (log.find("uses too much shared data") != log.npos) {
    return "It has more static shared memory than a block may have: declare the array as extern __shared__ and "
           "ask for its bytes with dynamic_shared_bytes in [launch].";
  }
  if (log.find("cannot determine which instance of") != log.npos) {
    return fmt::format("Several functions are called {}: name the kernel by its symbol, such as \"_Z3sumPf\".",
                       entry);
  }
  // NVRTC looks the entry up in a file of its own.
  if (!entry.empty() && log.find("__nv_name_map") != log.npos) {
    return fmt::format("The source has no kernel {}: set entry in kernel.toml to the name of its kernel.",
                       entry);
  }
  for (const KnownWords& known : known_words) {
    if (log.find(known.words) != log.npos) {
      return std::string(known.hint);
    }
  }
  if (entry.find('<') != entry.npos && log.find("during instantiation of \"void ") != log.npos) {
    return fmt::format("{} is an instance that does not work: choose other arguments, --kernel \"{}<...>\".",
                       entry, entry.substr(0, entry.find('<')));
  }
  const std::string hint = hint_on_undefined(log);
  return hint.empty() ? hint_on_missing(missing) : hint;
}

std::string refusal(const std::filesystem::path& source, const std::string& log, std::string_view entry,
                    const std::vector<std::string>& missing) {
  std::string hint = compile_hint(log, entry, missing);
  hint = hint.empty() ? hint_in_source(source, log) : hint;
  return fmt::format("{} does not compile:{}\n{}", source.filename().string(), hint.empty() ? "" : " " + hint,
                     first_words(log));
}

}  // namespace rooftile::worker
