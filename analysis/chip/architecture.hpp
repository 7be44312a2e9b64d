// The facts of one architecture. They stand in one table, architecture.cpp: a new architecture is a row there.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/text/units.hpp"

namespace rooftile {

inline constexpr int warp_size = 32;
inline constexpr int bank_count = 32;
inline constexpr int bank_bytes = 4;

struct ComputeCapability {
  int major = 0;
  int minor = 0;
  auto operator<=>(const ComputeCapability&) const = default;
};
std::string text(ComputeCapability cc);                                 // "9.0"
std::optional<ComputeCapability> compute_capability(std::string_view);  // from "9.0", "sm_90" or "sm_90a"

// The limits of one SM for resident blocks.
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

// The instruction that feeds the tensor cores fastest.
enum class TensorInstruction {
  none,  // no tensor cores, or only types that rooftile does not measure
  mma,
  wgmma,
  tcgen05,  // rooftile has no microbenchmark of it, and mma.sync is far slower
};
// The largest mma.sync of FP64.
enum class Fp64Mma { absent, m8n8k4, m16n8k16 };

struct Architecture {
  ComputeCapability cc;
  SmLimits sm;
  bool clusters = false;  // and so shared memory of other blocks
  // Requests of an SM to the far part of L2 are counted in both parts.
  bool two_part_l2 = false;
  TensorInstruction tensor = TensorInstruction::none;
  bool fp8 = false;  // on tensor cores
  Fp64Mma fp64_mma = Fp64Mma::absent;
  // Per clock and SM. L1 and shared memory share one pipe, except on Pascal.
  double l1_bytes_per_clock = 128, l2_bytes_per_clock = 16;
  // Measured on an H200, and taken for every other chip until somebody measures it there.
  Bytes fetched_past_l1{0.5e6};        // instructions that the SMs fetch through L2, whatever the kernel moves
  double instrumented_slowdown = 270;  // of a launch counted line by line: transposes 30, products 270
};

const std::vector<Architecture>& architectures();
// Null for one that nobody has described yet.
const Architecture* find_architecture(ComputeCapability cc);
// For one that nobody has described yet: the newest one before it.
const Architecture& closest_architecture(ComputeCapability cc);
// Empty for one that nobody has described yet.
std::optional<SmLimits> sm_limits(ComputeCapability cc);

}  // namespace rooftile
