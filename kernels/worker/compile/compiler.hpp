// Compiles a kernel variant to a cubin: options from the dials, a cache on disk, and the compiler's figures.
#pragma once

#include <filesystem>
#include <optional>

#include "analysis/manifest/manifest.hpp"
#include "analysis/record/point.hpp"
#include "kernels/worker/compile/nvrtc.hpp"

namespace rooftile::worker {

// Throws Error naming the file when it cannot be read.
std::string read_source(const std::filesystem::path& file);

struct Binary {
  std::string cubin;
  std::string symbol;  // the kernel's name in it
  Compiled compiled;
};

// "-arch=sm_90", or "-arch=sm_90a" with the instructions that later architectures do not have either.
std::string architecture_option(ComputeCapability cc, bool specific);

struct CompiledSource {
  std::filesystem::path file;
  std::string entry;
  std::vector<std::filesystem::path> include_folders;  // beyond the source's own and the toolkit's
};

class Compiler {
 public:
  // cache: a folder for cubins; empty: none is kept.
  Compiler(Nvrtc nvrtc, std::filesystem::path cache) : nvrtc_(std::move(nvrtc)), cache_(std::move(cache)) {}

  // Compiles the variant of a kernel whose macros and template arguments have these values. Throws Error if it
  // does not compile.
  Binary compile(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const;
  // Its PTX, with lines of the source; nothing of it is kept.
  Ptx ptx(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const;
  // Compiles the reference that verifies it; a reference of its own has no macros.
  Binary compile_reference(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const;
  // Compiles a source of ours, with compiler options in place of dials. "-arch=sm_90a" asks for what only that
  // architecture has.
  Binary compile(const std::filesystem::path& source, const std::string& entry,
                 std::vector<std::string> options, ComputeCapability cc) const;

  const Nvrtc& nvrtc() const { return nvrtc_; }

 private:
  Binary compile_with(const CompiledSource& source, std::vector<std::string> options,
                      ComputeCapability cc) const;
  Cubin cubin_of(const std::string& code, const CompiledSource& source,
                 const std::vector<std::string>& options) const;

  Nvrtc nvrtc_;
  std::filesystem::path cache_;
};

}  // namespace rooftile::worker
