#include "kernels/worker/compile/files/source_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/source/code/masked_code.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/compile/files/include_folders.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

constexpr int most_entries_searched = 20000;  // a tenth of a second

bool is_file(const fs::path& file) {
  std::error_code none;
  return fs::is_regular_file(file, none);
}

struct Include {
  std::string name;  // empty: a macro stands for it
  bool quoted = false;
};

// "vector" from "#include <vector>", and from "#define HEADER <vector>".
Include named_in(const std::string& directive) {
  const std::size_t open = directive.find_first_of("\"<");
  const std::size_t close =
      open == directive.npos ? open : directive.find(directive[open] == '<' ? '>' : '"', open + 1);
  return close == directive.npos
             ? Include{}
             : Include{directive.substr(open + 1, close - open - 1), directive[open] == '"'};
}

// If there are several, the nearest one: with the fewest folders between.
std::optional<fs::path> found_around(const std::string& name, const fs::path& own_folder) {
  std::error_code failed;
  const fs::path folder = fs::absolute(own_folder, failed).lexically_normal();
  std::optional<fs::path> nearest;
  const auto distance = [&](const fs::path& file) {
    const fs::path way = file.lexically_relative(folder);
    return std::pair(std::distance(way.begin(), way.end()), file);
  };
  int left = most_entries_searched;
  for (fs::recursive_directory_iterator at(repository_around(folder), failed), end;
       !failed && at != end && left-- > 0; at.increment(failed)) {
    const std::string own = at->path().filename().string();
    if (own.starts_with('.')) {
      at.disable_recursion_pending();
    } else if (own == fs::path(name).filename() && is_file(at->path()) &&
               ("/" + at->path().generic_string())
                   .ends_with("/" + fs::path(name).lexically_normal().generic_string()) &&
               (!nearest || distance(at->path()) < distance(*nearest))) {
      nearest = at->path();
    }
  }
  return nearest;
}

// Archives of a repository come without its .git.
bool has_mark_of_repository(const fs::path& folder) {
  constexpr std::array marks = {".gitignore", ".gitattributes", "LICENSE",   "LICENSE.md", "LICENSE.txt",
                                "COPYING",    "README",         "README.md", "readme.md",  "CMakeLists.txt"};
  return std::ranges::any_of(marks, [&](const char* mark) { return is_file(folder / mark); });
}

class Reader {
 public:
  Reader(const fs::path& source, std::vector<fs::path> own, std::vector<fs::path> toolkit)
      : source_(source), own_(std::move(own)), toolkit_(std::move(toolkit)) {}

  SourceFiles read(std::string code) {
    files_.file = source_;
    if (std::error_code none; code.find("#pragma once") != code.npos) {
      names_.emplace(fs::weakly_canonical(source_, none), "");  // its own headers may include it
    }
    read_includes(code, folder_of(source_));
    files_.code = std::move(code);
    for (std::size_t i = 0; i < files_.headers.size(); ++i) {
      const OwnHeader header = files_.headers[i];  // more are added
      read_includes(header.code, header.file.parent_path());
    }
    files_.folders = own_;
    files_.folders.push_back(folder_of(source_));
    std::ranges::copy(toolkit_, std::back_inserter(files_.folders));
    return std::move(files_);
  }

 private:
  void read_includes(const std::string& code, const fs::path& folder) {
    for (const Directive& directive : masked(code).directives) {
      const auto words = identifiers(directive.text);
      if (words.size() > 1 && words[0] == "define") {
        values_[std::string(words[1])].push_back(named_in(directive.text));
      } else if (!words.empty() && words[0] == "include") {
        include(named_in(directive.text), words, folder);
      }
    }
  }

  // A macro may stand for another file than those that the code names, and for each of them.
  void include(const Include& named, const std::vector<std::string_view>& words, const fs::path& folder) {
    if (named.name.empty()) {
      files_.all_known = false;
      for (const Include& value : words.size() > 1 ? values_[std::string(words[1])] : std::vector<Include>{}) {
        if (is_file(folder / value.name) && seen_.insert(value.name).second) {
          find(value, folder);
        }
      }
    } else if (seen_.insert(named.name).second) {
      find(named, folder);
    }
  }

  void find(const Include& include, const fs::path& folder) {
    std::vector<fs::path> places = own_;
    places.insert(include.quoted ? places.begin() : places.end(), folder);
    places.push_back(folder_of(source_));
    for (const fs::path& place : places) {
      if (is_file(place / include.name)) {
        return add(include.name, place / include.name);
      }
    }
    if (std::ranges::any_of(toolkit_, [&](const fs::path& place) { return is_file(place / include.name); })) {
      files_.of_toolkit.push_back(include.name);
    } else if (const auto file = !include.quoted && is_of_system(include.name)
                                     ? std::nullopt
                                     : found_around(include.name, folder_of(source_))) {
      add(include.name, *file);
      own_.push_back(folder_that_gives(*file, include.name));
      files_.found.push_back({own_.back(), include.name});
    } else {
      files_.missing.push_back(include.name);
    }
  }

  // "common" of "common/math/a.h", included as "math/a.h".
  static fs::path folder_that_gives(const fs::path& file, const std::string& name) {
    fs::path folder = file;
    for (const fs::path& part : fs::path(name).lexically_normal()) {
      folder = part == ".." ? folder : folder.parent_path();
    }
    return folder;
  }

  // One that is included under two names is one file for #pragma once.
  void add(const std::string& name, const fs::path& file) {
    std::error_code none;
    const fs::path place = fs::weakly_canonical(file, none);
    const auto before = names_.emplace(place, name);
    files_.headers.push_back({name, file,
                              before.second ? platform::read_text(file).value_or("")
                              : before.first->second.empty()
                                  ? ""
                                  : fmt::format("#include \"{}\"\n", before.first->second)});
  }

  fs::path source_;
  std::vector<fs::path> own_, toolkit_;
  SourceFiles files_;
  std::set<std::string> seen_;
  std::map<fs::path, std::string> names_;
  std::map<std::string, std::vector<Include>> values_;  // of macros
};

}  // namespace

fs::path folder_of(const fs::path& source) {
  return source.has_parent_path() ? source.parent_path() : fs::path(".");
}

bool is_of_system(std::string_view header) {
  constexpr std::array<std::string_view, 39> names = {
      "arm_neon.h", "assert.h",   "complex.h",   "cpuid.h",    "ctype.h",    "errno.h",   "fcntl.h",
      "float.h",    "getopt.h",   "immintrin.h", "intrin.h",   "inttypes.h", "io.h",      "iso646.h",
      "limits.h",   "malloc.h",   "math.h",      "memory.h",   "omp.h",      "process.h", "pthread.h",
      "signal.h",   "stdalign.h", "stdarg.h",    "stdbool.h",  "stddef.h",   "stdint.h",  "stdio.h",
      "stdlib.h",   "string.h",   "strings.h",   "tchar.h",    "time.h",     "unistd.h",  "values.h",
      "windows.h",  "Windows.h",  "windowsx.h",  "x86intrin.h"};
  constexpr std::array<std::string_view, 4> folders = {"sys/", "linux/", "netinet/", "hip"};
  return header.find_first_of("./") == header.npos || std::ranges::find(names, header) != names.end() ||
         std::ranges::any_of(folders, [&](std::string_view folder) { return header.starts_with(folder); });
}

bool names_specific_instructions(const SourceFiles& files) {
  constexpr std::array<std::string_view, 6> words = {"wgmma",
                                                     "setmaxnreg",
                                                     "tcgen05",
                                                     "__CUDA_ARCH_FEAT_SM",
                                                     "__CUDA_ARCH_SPECIFIC__",
                                                     "__CUDA_ARCH_FAMILY_SPECIFIC__"};
  const auto names_one = [&](const std::string& text) {
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
  };
  return names_one(files.code) ||
         std::ranges::any_of(files.headers, [&](const OwnHeader& header) { return names_one(header.code); });
}

fs::path repository_around(const fs::path& folder) {
  std::error_code none;
  const fs::path home = platform::home_folder();
  fs::path around = folder;
  for (fs::path at = fs::absolute(folder, none).lexically_normal(); at != at.parent_path() && at != home;
       at = at.parent_path()) {
    if (fs::exists(at / ".git", none)) {
      return at;
    }
    around = has_mark_of_repository(at) ? at : around;
  }
  return around;
}

std::string read_source(const fs::path& file) {
  auto code = platform::read_text(file);
  if (!code) {
    throw Error(fmt::format("{} cannot be read: is it there?", file.string()));
  }
  return std::move(*code);
}

CompileOptions project_options(const fs::path& source) {
  std::error_code none;
  const fs::path file = fs::weakly_canonical(source, none), root = repository_around(file.parent_path());
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    for (const fs::path& place : {folder, folder / "build"}) {
      if (is_file(place / "compile_commands.json")) {
        return compile_options(read_source(place / "compile_commands.json"), file);
      }
    }
    if (folder == root || folder == folder.parent_path()) {
      return {};
    }
  }
}

SourceFiles read_source_files(const fs::path& source, const std::vector<fs::path>& include_folders) {
  return Reader(source, include_folders, toolkit_include_folders()).read(read_source(source));
}

}  // namespace rooftile::worker
