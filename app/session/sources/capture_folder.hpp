// The folder of a launch that the library in a program writes down. It is written beside its place and moved
// there whole, so that what is there is always complete.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>

#include "analysis/manifest/manifest.hpp"
#include "analysis/platform/private_folder.hpp"
#include "analysis/record/session_file.hpp"
#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

class CaptureFolder {
 public:
  // Throws Error if there is something at the place, or no folder can be made beside it.
  explicit CaptureFolder(std::filesystem::path place);

  const std::filesystem::path& place() const { return place_; }
  std::filesystem::path written_at() const;  // for ProfileOptions::capture
  bool is_written() const;

  // Moves it to its place and returns its kernel; empty if no launch was written down. packed: its arrays are
  // compressed first, which takes seconds for each GB. Throws Error where something has come to the place
  // meanwhile.
  std::optional<Manifest> take(bool packed);

 private:
  std::filesystem::path place_;
  platform::PrivateFolder folder_;
};

// Lets the captured launch compile this source from now on, which gives it the dials of the source. Throws
// Error where the kernel of the source takes other arguments, and leaves the folder as it was.
void give_source(const std::filesystem::path& place, const SourceKernel& kernel,
                 const std::filesystem::path& source);

// The file that the program's line table names as the source of the launch, if it is there.
std::optional<std::filesystem::path> source_named(const std::filesystem::path& place);

// The name of the launched kernel as a source has it: "tile<16>" for "void tile<(int)16>(float const*)".
std::string name_in_source(const Manifest& launch);

// A folder of the current one that is not there yet, with a name that no bundled kernel has: "gemm" or "gemm_2"
// for "void mine::gemm<float, 16>(float const*)".
std::filesystem::path free_place(const std::string& kernel);

// "gemm is captured, with the 256 B of memory that it reaches"
std::string what_was_captured(const Manifest& launch);
// The library in the program tells what a replay of the launch lacks: a line each. Empty: nothing.
std::string what_a_replay_lacks(const std::deque<SessionLog>& processes);

}  // namespace rooftile
