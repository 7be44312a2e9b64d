// A launch as a program made it, and the kernel.toml that makes it again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/chip/launch.hpp"

namespace rooftile {

// An address within a parameter.
struct CapturedPointer {
  std::size_t at = 0;        // of its first byte in the parameter
  std::size_t buffer = 0;    // that it points into
  std::uint64_t offset = 0;  // in that buffer
};

struct CapturedParameter {
  std::string bytes;
  std::vector<CapturedPointer> pointers;
};

// An allocation of the program.
struct CapturedBuffer {
  std::uint64_t bytes = 0;
  bool is_written = false;  // its contents were others after the launch
};

struct CapturedLaunch {
  std::string symbol, name, short_name;  // names: as people write them
  ComputeCapability cc;
  Launch launch;
  std::vector<CapturedParameter> parameters;
  std::vector<CapturedBuffer> buffers;
  std::vector<std::string> globals;  // names of variables
  std::string source;                // a file of the program's owner; empty: not known
  std::vector<std::string> remarks;  // sentences on what a replay lacks
};

// Names of the files beside the kernel.toml.
inline constexpr const char* captured_code = "kernel.cubin";
std::string contents_before(std::size_t buffer);  // "b0.npy"
std::string contents_after(std::size_t buffer);   // of one that is written
std::string contents_of_global(std::size_t global);

// It stands before the name of the source, in a line of its own.
inline constexpr const char* captured_source_remark = "# Its source, as the program's line table names it: ";
// The line above the dial of a block.
inline constexpr const char* captured_block_remark =
    "# The grid covers as many threads. A kernel that does not read blockDim gives another result.\n";

std::string captured_manifest(const CapturedLaunch& launch);

}  // namespace rooftile
