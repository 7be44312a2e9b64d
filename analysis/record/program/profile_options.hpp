// Rooftile's requests to the library that it puts into a program. They go there as environment variables, which
// the program's children inherit.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace rooftile {

struct ProfileOptions {
  std::filesystem::path folder;  // for the records, a file for each process
  std::string kernel;            // a regular expression that a kernel's name holds; empty: all
  int skip = 0;                  // launches of these kernels, before any is counted
  int count = 0;                 // at most so many are counted; 0: no limit
  int every = 0;  // of each kernel and shape one launch in so many is counted; 0: the first alone
  std::string range =
      {};  // a regular expression that an NVTX range around the launch holds; empty: all launches
  bool operator==(const ProfileOptions&) const = default;
};

std::map<std::string, std::string> variables_of(const ProfileOptions& options);

// value_of: the value of a variable, null where it is not set. Empty where no folder is named; throws Error for
// a number or a regular expression that cannot be read.
std::optional<ProfileOptions> profile_options(const std::function<const char*(const char*)>& value_of);

// Throws Error, with what is wrong, unless it is a regular expression as RE2 reads them, which neither hangs
// nor takes stack on any name.
void expect_expression(const std::string& text);

}  // namespace rooftile
