// The model of a launch out of its compiled code, where its manifest states no work.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/model/model.hpp"
#include "analysis/ptx/work/kernel_work.hpp"
#include "analysis/ptx/work/manifest_launch.hpp"
#include "analysis/ptx/work/memory_traffic.hpp"

namespace rooftile::ptx {

// Traffic that a cache model knows. Without it, L2 is not known, and DRAM moves at least what is touched.
struct CacheTraffic {
  std::optional<Bytes> l2, dram;
  Bytes between_l2_parts = {};  // of those at L2
};
// Empty where the model knows bounds alone.
CacheTraffic cache_traffic(const std::optional<MemoryTraffic>& traffic);

// stated: what the manifest says, of which launch and elements stay. source: the text of the kernel's file,
// after whose lines accesses are named.
Model derived_model(const Model& stated, const Program& program, const KernelWork& work,
                    const CacheTraffic& traffic, std::string_view source);

// A buffer in a launch. Sectors of 32 B are counted as often as they are asked for.
struct BufferWork {
  std::string name;
  Bytes size, read, written;
  Bytes touched;  // read or written at least once, at most
};

// What the compiled code says of a launch.
struct DerivedLaunch {
  Model model;
  std::vector<std::string> findings;     // a sentence each: accesses outside of buffers, races, wrong claims
  std::vector<LineWork> lines;           // of the kernel's own file, in order
  std::vector<BufferWork> buffers = {};  // those that are accessed, in the order of the manifest
  double barriers = 0, divergent_branches = 0;  // of warps: arrivals, and branches at which one parts
};

// The compiled code of a kernel, and the launch it is for.
struct CompiledLaunch {
  std::string_view ptx, symbol, source;         // source: the text of the kernel's file
  std::optional<Compiled> compiled;             // registers and shared memory; empty: registers limit nothing
  std::vector<MachineBlock> machine_code = {};  // may be empty
};

// All that a manifest says of a launch. Its formulas are evaluated then: one thread at a time may.
struct StatedLaunch {
  Model model;
  ProgramLaunch launch;
};
// parameters: complete and legal. Throws Error for what cannot be launched.
StatedLaunch stated_launch(const Manifest& manifest, const Parameters& parameters, const Gpu& gpu);

// Runs a few of its blocks, in any thread. Throws Error, in a sentence with the line, for what cannot be
// followed. The model alone takes a fraction of the time.
Model derived_model(const CompiledLaunch& code, const StatedLaunch& stated, const Gpu& gpu);
DerivedLaunch derived_launch(const CompiledLaunch& code, const StatedLaunch& stated, const Gpu& gpu);

}  // namespace rooftile::ptx
