// The model of a launch from its compiled code, with a worker that compiles nothing else.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "analysis/manifest/manifest.hpp"
#include "analysis/ptx/trace/block_trace.hpp"
#include "analysis/ptx/work/derived_model.hpp"
#include "app/session/ptx_reader.hpp"

namespace rooftile {

// A launch whose code is to be read: made where its manifest is, read in any thread.
struct CodeToRead {
  // place: complete and legal. Throws Error where no launch is possible.
  CodeToRead(const Manifest& from, Parameters at, std::optional<Compiled> made, Gpu on)
      : kernel(from),
        place(std::move(at)),
        compiled(made),
        gpu(std::move(on)),
        stated(ptx::stated_launch(kernel, place, gpu)) {}

  Manifest kernel;  // no formula is evaluated any more
  Parameters place;
  std::optional<Compiled> compiled;
  Gpu gpu;
  ptx::StatedLaunch stated;
};

class LaunchDeriver {
 public:
  // Throws Error where the worker cannot be started.
  LaunchDeriver(const std::vector<std::string>& worker,
                const std::vector<std::filesystem::path>& kernel_folders)
      : reader_(worker, kernel_folders) {}

  // Waits for the compiler, and runs a few blocks. Throws Error, in a sentence, for a kernel that does not
  // compile and for code that is not followed.
  ptx::DerivedLaunch derive(const CodeToRead& launch);
  Model model(const CodeToRead& launch);
  ptx::BlockTrace trace(const CodeToRead& launch);

  void stop() { reader_.stop(); }  // from any thread: what waits for the compiler fails then
  // The same for sizes and scalars that are arguments.
  const KernelPtx& ptx_at(const Manifest& kernel, const Parameters& parameters, ComputeCapability cc);

 private:
  auto of_code(const CodeToRead& launch, const auto& derived);

  PtxReader reader_;
  std::map<std::string, KernelPtx> known_;
};

}  // namespace rooftile
