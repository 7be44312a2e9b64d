// Writes one launch of the program down: its code, its arguments, and the memory that they reach, before it and
// after it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "analysis/platform/private_folder.hpp"
#include "analysis/record/records.hpp"
#include "kernels/inject/capture/kept_cubins.hpp"
#include "kernels/inject/capture/reached_memory.hpp"
#include "kernels/inject/tracing.hpp"

namespace rooftile::inject {

class LaunchCapture {
 public:
  // place: the folder that is written, which nothing has yet. limit: of the memory [B].
  LaunchCapture(const worker::Driver& driver, std::filesystem::path place, std::uint64_t limit);

  KeptCubins& cubins() { return cubins_; }
  // Until a launch has been captured, or could not be.
  bool is_open() const { return state_.name.empty(); }

  // Called right before the launch and right after it, in its thread, while nothing else is launched. begin()
  // is false, and end() is not called, where the launch cannot be captured. No failure reaches the program.
  bool begin(const LaunchKey& key, const std::string& kernel, const LaunchCall& call, ComputeCapability cc);
  void end(bool launched);

  // Says whether a launch was captured, and if not, why. in_graphs: CUDA graphs
  // alone launched such kernels.
  Facility facility(bool in_graphs) const;

 private:
  void read(const LaunchKey& key, const LaunchCall& call);
  void read_parameters(const std::string& cubin, const LaunchCall& call);
  void note_textures(std::size_t parameter);
  void expect_within_limit() const;
  void write_before(const std::string& cubin, CUmodule module);
  void write_globals(const std::string& cubin, CUmodule module);
  void note_addresses(std::size_t buffer, std::uint64_t at, std::string_view piece);
  bool write_after(std::size_t buffer) const;
  void write_after();
  // The contents of device memory, in pieces.
  void each_piece(const Allocation& memory, const auto& call) const;
  void fail(const std::string& why);

  const worker::Driver* driver_;
  std::filesystem::path place_;
  std::uint64_t limit_;
  KeptCubins cubins_;

  Facility state_;  // without a name: open
  CapturedLaunch launch_;
  ReachedMemory memory_;
  std::size_t words_asked_about_ = 0;
  std::unique_ptr<platform::PrivateFolder> folder_;
};

}  // namespace rooftile::inject
