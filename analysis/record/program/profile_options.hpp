// Rooftile's requests to the library that it puts into a program. They go there as environment variables, which
// the program's children inherit.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rooftile {

// Launches that CUPTI may run again for every pass, saving and restoring the GPU's memory. never: each counted
// launch is counted in one pass, so that a kernel needs as many launches as there are passes. seldom: the first
// launch of each kernel and shape is replayed until the program repeats itself or replays cost much
// (kernels/inject/count/replay_rule.hpp); from then on as never. always: what is counted is replayed.
enum class ReplayUse { never, seldom, always };
inline constexpr std::array<std::string_view, 3> replay_words = {"never", "seldom", "always"};  // by ReplayUse

inline constexpr std::uint64_t usual_capture_limit = std::uint64_t{4} << 30;

struct ProfileOptions {
  std::filesystem::path folder;  // for the records, a file for each process
  std::string kernel;            // a regular expression that a kernel's name holds; empty: all
  int skip = 0;                  // launches of these kernels, before any is counted
  int count = 0;                 // at most so many are counted; 0: no limit
  int every = 0;  // of each kernel and shape one launch in so many is counted; 0: until it is counted once
  std::string range =
      {};  // a regular expression that an NVTX range around the launch holds; empty: all launches
  ReplayUse replay = ReplayUse::seldom;
  int times = 1;          // each kernel and shape is counted so many times over
  bool by_range = false;  // the time of each NVTX range is told
  // A folder, which is not there yet, for the first launch of these kernels; nothing is counted then. Empty:
  // none.
  std::filesystem::path capture = {};
  std::uint64_t capture_limit = usual_capture_limit;  // of the memory that it reaches [B]
  std::string shape = {};    // of the launches that are meant, as shape_text() says it; empty: all
  bool by_caller = false;    // the time of each function of the host that launches is told, in place of ranges
  bool by_operator = false;  // a program in Python opens ranges for modules, operators and kernels of Triton
  bool operator==(const ProfileOptions&) const = default;
};

std::map<std::string, std::string> variables_of(const ProfileOptions& options);

// value_of: the value of a variable, null where it is not set. Empty where no folder is named; throws Error for
// a number that cannot be read.
std::optional<ProfileOptions> profile_options(const std::function<const char*(const char*)>& value_of);

// The library in the program asks rooftile at this socket whether a name is meant: "kernel NAME" of a kernel,
// "range NAME" of an NVTX range (meant_names.hpp).
std::filesystem::path question_socket(const ProfileOptions& options);
inline constexpr std::string_view kernel_question = "kernel ", range_question = "range ";

}  // namespace rooftile
