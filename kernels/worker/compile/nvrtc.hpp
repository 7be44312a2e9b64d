// NVRTC, loaded at run time: CUDA C++ to a cubin, without nvcc and without a driver.
#pragma once

#include <nvrtc.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "kernels/worker/compile/ptx_text.hpp"

namespace rooftile::worker {

struct Nvrtc {
#define ROOFTILE_NVRTC_FUNCTIONS(F) \
  F(nvrtcVersion);                  \
  F(nvrtcGetErrorString);           \
  F(nvrtcGetNumSupportedArchs);     \
  F(nvrtcGetSupportedArchs);        \
  F(nvrtcCreateProgram);            \
  F(nvrtcDestroyProgram);           \
  F(nvrtcAddNameExpression);        \
  F(nvrtcGetLoweredName);           \
  F(nvrtcCompileProgram);           \
  F(nvrtcGetCUBINSize);             \
  F(nvrtcGetCUBIN);                 \
  F(nvrtcGetPTXSize);               \
  F(nvrtcGetPTX);                   \
  F(nvrtcGetProgramLogSize);        \
  F(nvrtcGetProgramLog)
#define ROOFTILE_MEMBER(name) decltype(&::name) name = nullptr
  ROOFTILE_NVRTC_FUNCTIONS(ROOFTILE_MEMBER);
#undef ROOFTILE_MEMBER
  std::string file;
  std::string version;                             // "13.0"
  std::string build;                               // tells patches apart that share a version
  bool has_cache = false;                          // of its own, kept by the driver: CUDA 12.9 and later
  std::size_t most_memory = std::size_t{4} << 30;  // for one source: a bundled one takes a tenth of it
};

// The architectures it compiles for, oldest first.
std::vector<ComputeCapability> architectures(const Nvrtc& nvrtc);

// Empty when no NVRTC is found; `tried` then says where it was looked for. driver: the CUDA version that it
// serves; empty: there is none.
std::optional<Nvrtc> load_nvrtc(std::string* tried = nullptr, const std::string& driver = {});

struct Cubin {
  std::string bytes;
  std::string log;     // warnings, and what ptxas says of registers, shared memory and spills
  std::string symbol;  // the kernel's name in it
  Instructions instructions = {};
};

// A kernel by its symbol, if declared extern "C", or by its C++ name: "sum", "reduce<float, TILE>".
struct Entry {
  std::string name;
  bool is_symbol = true;
};

// "_Z3sumPf", which names one of several functions of the same name.
inline bool is_symbol(std::string_view name) {
  return name.starts_with("_Z");
}

struct NvrtcInput {
  std::string code;
  std::filesystem::path name;
  std::vector<std::pair<std::string, std::string>> headers;  // name, as it is included, and text
  std::vector<std::string> missing;                          // headers that are empty because they are nowhere
};

// Throws Error with the compiler's own messages (file and line) when the source does not compile.
Cubin compile_to_cubin(const Nvrtc& nvrtc, const NvrtcInput& input, const std::vector<std::string>& options,
                       const Entry& entry);
struct Ptx {
  std::string text;    // which describes every kernel
  std::string symbol;  // of the entry; empty where none is asked for
};
// Throws likewise.
Ptx compile_to_ptx(const Nvrtc& nvrtc, const NvrtcInput& input, const std::vector<std::string>& options,
                   const Entry& entry);

}  // namespace rooftile::worker
