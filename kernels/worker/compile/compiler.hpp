// Compiles a kernel variant to a cubin: options from the dials, a cache on disk, and the compiler's figures.
#pragma once

#include <filesystem>
#include <optional>

#include "analysis/manifest/manifest.hpp"
#include "analysis/record/point.hpp"
#include "kernels/worker/compile/files/source_files.hpp"
#include "kernels/worker/compile/nvcc.hpp"
#include "kernels/worker/compile/nvrtc.hpp"

namespace rooftile::worker {

struct Binary {
  std::string cubin;
  std::string symbol;  // the kernel's name in it
  Compiled compiled;
  Instructions instructions = {};  // of a kernel that came as a cubin, nothing is known
};

// "-arch=sm_90", or "-arch=sm_90a" with the instructions that later architectures do not have either.
std::string architecture_option(ComputeCapability cc, bool specific);

struct CompiledSource {
  std::filesystem::path file;
  std::string entry;
  std::vector<std::filesystem::path> include_folders;  // beyond the source's own and the toolkit's
  Parameters constants = {};                           // of the source, which these numbers replace
  std::vector<std::string> dials = {};                 // macros that are to change something
};

class Compiler {
 public:
  // cache: a folder for cubins and PTX; empty: none is kept.
  Compiler(Nvrtc nvrtc, std::filesystem::path cache)
      : nvrtc_(std::move(nvrtc)), nvcc_(find_nvcc(nvrtc_)), cache_(std::move(cache)) {}

  // Compiles the variant of a kernel whose macros and template arguments have these values. Throws Error if it
  // does not compile.
  Binary compile(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const;
  // Its PTX, with lines of the source. Unrolled loops take NVRTC 0.4 s, so it is kept as cubins are.
  Ptx ptx(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const;
  // Compiles the reference that verifies it; a reference of its own has no macros.
  Binary compile_reference(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const;
  // Compiles a source of ours, with compiler options in place of dials. "-arch=sm_90a" asks for what only that
  // architecture has.
  Binary compile(const std::filesystem::path& source, const std::string& entry,
                 std::vector<std::string> options, ComputeCapability cc) const;

  const Nvrtc& nvrtc() const { return nvrtc_; }
  // Why nothing is compiled for a GPU that is too old or too new for the compiler; empty where it is.
  std::optional<std::string> why_unknown(ComputeCapability cc) const;

 private:
  Binary compile_with(const CompiledSource& source, std::vector<std::string> options,
                      ComputeCapability cc) const;
  struct KeptCubin {
    Cubin cubin;
    bool from_cache;
  };
  std::filesystem::path cache_for(const SourceFiles& files) const;
  std::string key_of(const std::string& entry, const std::vector<std::string>& options) const;
  KeptCubin cubin_of(const SourceFiles& files, const std::vector<std::string>& options,
                     const std::string& entry) const;
  Cubin cubin_by_nvrtc(const SourceFiles& files, const NvrtcInput& input, std::vector<std::string> options,
                       const std::string& name) const;

  Nvrtc nvrtc_;
  std::optional<Nvcc> nvcc_;
  std::filesystem::path cache_;
};

}  // namespace rooftile::worker
