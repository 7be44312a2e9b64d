// NVRTC, which knows device code alone, and nvcc, which knows all, a second later.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/source/code/compile_errors.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/compile/nvcc.hpp"

namespace rooftile::worker {

// Compiles with NVRTC, and with nvcc if NVRTC refuses. Throws the Error of nvcc if nvcc found a mistake in the
// source itself, else the Error of NVRTC: nvcc may lack a host header or the host compiler.
template <class ByNvrtc, class ByNvcc>
auto with_either(const std::optional<Nvcc>& nvcc, const std::filesystem::path& source, const ByNvrtc& by_nvrtc,
                 const ByNvcc& by_nvcc) -> decltype(by_nvrtc()) {
  try {
    return by_nvrtc();
  } catch (const Error& refused) {
    // A source that takes too much memory would take as much of nvcc, and as long.
    if (!nvcc || std::string_view(refused.what()).find("out of memory") != std::string_view::npos) {
      throw;
    }
    try {
      return by_nvcc(*nvcc);
    } catch (const Error& also) {
      const std::string file = source.filename().string();
      throw Error(compile_errors(also.what(), file).empty() ? refused.what() : also.what());
    }
  }
}

}  // namespace rooftile::worker
