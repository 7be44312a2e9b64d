// The PTX of places of kernels, from a worker that compiles nothing else.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/record/kernel_ptx.hpp"
#include "analysis/record/records.hpp"

namespace rooftile {

class PtxReader {
 public:
  // worker: its command; empty: rooftile-worker beside this program. Throws Error where it cannot be started.
  PtxReader(const std::vector<std::string>& worker, const std::vector<std::filesystem::path>& kernel_folders);

  // Waits for the compiler. Throws Error in the words of the worker where it ends instead.
  KernelPtx read(CompileRequest request);
  void stop() { worker_.kill(); }  // from any thread: read() throws then

 private:
  std::filesystem::path log() const { return folder_.path() / "log"; }

  platform::TemporaryFolder folder_;
  platform::ChildProcess worker_;
  std::uint64_t asked_ = 0;
};

}  // namespace rooftile
