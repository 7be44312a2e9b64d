// nvcc, where there is one: it compiles a source with all its code of the host, in a second rather than 50 ms.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/worker/compile/files/source_files.hpp"
#include "kernels/worker/compile/nvrtc.hpp"

namespace rooftile::worker {

struct Nvcc {
  std::filesystem::path file;
  std::string build;        // what tells it from others: its size and time
  std::size_t most_memory;  // for one source, as NVRTC gets
};

// PATH, toolkit_folders(), and beside the NVRTC of NVIDIA's wheels. Empty where none has
// it.
std::optional<Nvcc> find_nvcc(const Nvrtc& nvrtc);

// entry: as C++ names it; empty: none is asked for. Throws Error with the
// compiler's own messages (file and line) when the source does not compile.
Cubin compile_to_cubin(const Nvcc& nvcc, const SourceFiles& files, const std::vector<std::string>& options,
                       const std::string& entry);
Ptx compile_to_ptx(const Nvcc& nvcc, const SourceFiles& files, const std::vector<std::string>& options,
                   const std::string& entry);

}  // namespace rooftile::worker
