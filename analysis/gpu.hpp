// What a GPU is, as far as rooflines and occupancy ask. The bundled table (assets/gpus.toml) quotes datasheets;
// a detected device replaces what the driver knows better.
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/units.hpp"

namespace rooftile {

struct ComputeCapability {
  int major = 0;
  int minor = 0;
  auto operator<=>(const ComputeCapability&) const = default;
};
std::string text(ComputeCapability cc);                                 // "9.0"
std::optional<ComputeCapability> compute_capability(std::string_view);  // from "9.0", "sm_90" or "sm_90a"

// What one SM offers to resident blocks.
// Source: CUDA Programming Guide, "Technical Specifications per Compute Capability", and cuda_occupancy.h.
struct SmLimits {
  int threads = 0;
  int warps = 0;
  int blocks = 0;
  int registers = 0;
  int sub_partitions = 0;                // warp schedulers; registers are allocated per sub-partition
  int shared_bytes = 0;                  // largest shared-memory carveout of one SM
  int shared_bytes_per_block = 0;        // without opting in
  int shared_bytes_per_block_optin = 0;  // with cudaFuncAttributeMaxDynamicSharedMemorySize
  int shared_bytes_reserved = 0;         // taken by the system from each block
  int shared_allocation_unit = 0;        // [bytes]
  int named_barriers = 0;                // 0: no limit on this architecture
  std::vector<int> carveouts;            // [bytes] steps the driver can choose, ascending
  bool operator==(const SmLimits&) const = default;
};
// Empty for a capability nobody has described yet.
std::optional<SmLimits> sm_limits(ComputeCapability cc);
// A100, H100 and B200 have an L2 of two parts. What one SM asks of the far part is counted in both.
bool has_two_part_l2(ComputeCapability cc);

struct Gpu {
  std::string name;
  std::string driver_name;  // what the driver calls it: "NVIDIA H200"
  ComputeCapability cc;
  int sm_count = 0;
  Hertz boost_clock;
  std::optional<Hertz> tensor_clock;  // where quoted tensor peaks assume another clock than the rest: Hopper
  Bytes l2_size;
  SmLimits sm;
  BytesPerSecond quoted_dram;  // datasheet
  // Datasheet, dense; keys "FP32", "FP64", "FP16", "TF32 tensor", ... Tensor peaks accumulate in FP32 unless
  // the key says "FP16 accumulate".
  std::map<std::string, FlopsPerSecond> quoted_peaks;
  std::string source;                        // where the quoted figures were read
  std::map<std::string, std::string> notes;  // by figure ("DRAM", "FP32"): doubts, and how it was derived
  bool operator==(const Gpu&) const = default;
};

// Throws Error naming file and line when the table is malformed.
std::vector<Gpu> load_gpu_table(const std::filesystem::path& file);
// Case-insensitive; the full name, the driver's, or a part that begins a word of only one GPU's name: "h200"
// (which GH200 does not begin with), "4090", "a100 80".
const Gpu* find_gpu(const std::vector<Gpu>& table, std::string_view name);

}  // namespace rooftile
