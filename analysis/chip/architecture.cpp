#include "analysis/chip/architecture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

namespace rooftile {
namespace {

constexpr int kib = 1024;

// The driver splits one memory between L1 and shared memory in these steps, up to all the SM has. Pascal's
// shared memory is a memory of its own.
constexpr int pascal[] = {64};
constexpr int volta[] = {0, 8, 16, 32, 64, 96};
constexpr int turing[] = {32, 64};
constexpr int ampere[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

struct Row {
  ComputeCapability cc;
  int threads;
  int blocks;
  int sub_partitions;
  int shared_kib;
  int shared_per_block_optin_kib;
  int shared_reserved_kib;
  int shared_allocation_unit;
  std::span<const int> carveouts_kib;
  int barriers_per_block_slot;  // named barriers of an SM, as a multiple of its block slots; 0: no limit
  bool clusters;
  bool two_part_l2;
  TensorInstruction tensor;
  bool fp8;
  Fp64Mma fp64_mma;
  double l1_bytes;  // per clock and SM
  double l2_bytes;
};

using enum TensorInstruction;
using enum Fp64Mma;
constexpr bool yes = true, no = false;

// L1 and shared memory: CUDA Programming Guide, 32 banks of 4 bytes. L2: 2,048 bytes per clock of the V100 and
// 5,120 of the A100 and the H100 (NVIDIA's A100 whitepaper; 36.5 per SM are measured on an H200).
// Estimates, to be measured: half of the banks' width for loads of Turing; compute capability 10 as 9; 20 for
// L2 of Turing, 16 of boards with GDDR memory.

// clang-format off
constexpr Row rows[] = {
    //        threads  sub-partitions  optin  unit          barriers  two-part L2
    //              blocks   shared       reserved  carveouts  clusters   tensor     fp8   fp64       L1   L2
    {{6, 0},  2048, 32, 2,   64,  48,  0,   256, pascal,   0,  no,  no,  none,       no,  absent,    128, 20},
    {{7, 0},  2048, 32, 4,   96,  96,  0,   256, volta,    0,  no,  no,  none,       no,  absent,    128, 25.6},
    {{7, 5},  1024, 16, 4,   64,  64,  0,   256, turing,   0,  no,  no,  none,       no,  absent,     64, 20},
    {{8, 0},  2048, 32, 4,  164, 163,  1,   128, ampere,   0,  no,  yes, mma,        no,  m8n8k4,    128, 47.4},
    {{8, 6},  1536, 16, 4,  100,  99,  1,   128, ampere,   0,  no,  no,  mma,        no,  absent,    128, 16},
    {{8, 7},  1536, 16, 4,  164, 163,  1,   128, ampere,   0,  no,  no,  mma,        no,  absent,    128, 16},
    {{8, 9},  1536, 24, 4,  100,  99,  1,   128, ampere,   0,  no,  no,  mma,        yes, absent,    128, 16},
    {{9, 0},  2048, 32, 4,  228, 227,  1,   128, ampere,   2,  yes, yes, wgmma,      yes, m16n8k16,  128, 38.8},
    {{10, 0}, 2048, 32, 4,  228, 227,  1,   128, ampere,   2,  yes, yes, tcgen05,    yes, m16n8k16,  128, 38.8},
    {{10, 3}, 2048, 32, 4,  228, 227,  1,   128, ampere,   2,  yes, yes, tcgen05,    yes, m16n8k16,  128, 38.8},
    {{11, 0}, 1536, 24, 4,  228, 227,  1,   128, ampere,   1,  yes, no,  tcgen05,    yes, m16n8k16,  128, 16},
    {{12, 0}, 1536, 24, 4,  100,  99,  1,   128, ampere,   1,  yes, no,  mma,        yes, m16n8k16,  128, 16},
    {{12, 1}, 1536, 24, 4,  100,  99,  1,   128, ampere,   1,  yes, no,  mma,        yes, m16n8k16,  128, 16},
};
// clang-format on

std::vector<int> carveouts(const Row& row) {
  std::vector<int> steps;
  for (const int step : row.carveouts_kib) {
    if (step <= row.shared_kib) {
      steps.push_back(step * kib);
    }
  }
  return steps;
}

SmLimits limits(const Row& row) {
  SmLimits sm;
  sm.threads = row.threads;
  sm.warps = row.threads / warp_size;
  sm.blocks = row.blocks;
  sm.registers = 64 * kib;
  sm.sub_partitions = row.sub_partitions;
  sm.shared_bytes = row.shared_kib * kib;
  sm.shared_bytes_per_block = 48 * kib;
  sm.shared_bytes_per_block_optin = row.shared_per_block_optin_kib * kib;
  sm.shared_bytes_reserved = row.shared_reserved_kib * kib;
  sm.shared_allocation_unit = row.shared_allocation_unit;
  sm.named_barriers = row.barriers_per_block_slot * row.blocks;
  sm.carveouts = carveouts(row);
  return sm;
}

std::vector<Architecture> make_table() {
  std::vector<Architecture> table;
  for (const Row& row : rows) {
    table.push_back({row.cc, limits(row), row.clusters, row.two_part_l2, row.tensor, row.fp8, row.fp64_mma,
                     row.l1_bytes, row.l2_bytes});
  }
  return table;
}

std::optional<int> whole_number(std::string_view digits) {
  int value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool all = failure == std::errc{} && end == digits.data() + digits.size() && value >= 0;
  return all ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string text(ComputeCapability cc) {
  return fmt::format("{}.{}", cc.major, cc.minor);
}

// The last digit of an architecture is the minor version; a letter after it asks for features of that one
// alone.
std::optional<ComputeCapability> compute_capability(std::string_view written) {
  std::string_view major, minor;
  if (written.starts_with("sm_") && written.size() >= 5) {
    written.remove_prefix(3);
    written.remove_suffix(written.ends_with('a') || written.ends_with('f') ? 1 : 0);
    major = written.substr(0, written.size() - 1);
    minor = written.substr(written.size() - 1);
  } else if (const auto dot = written.find('.'); dot != std::string_view::npos) {
    major = written.substr(0, dot);
    minor = written.substr(dot + 1);
  }
  const auto major_number = whole_number(major);
  const auto minor_number = whole_number(minor);
  return major_number && minor_number ? std::optional(ComputeCapability{*major_number, *minor_number})
                                      : std::nullopt;
}

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> table = make_table();
  return table;
}

const Architecture* find_architecture(ComputeCapability cc) {
  const auto found = std::ranges::find(architectures(), cc, &Architecture::cc);
  return found != architectures().end() ? &*found : nullptr;
}

const Architecture& closest_architecture(ComputeCapability cc) {
  const auto later = std::ranges::upper_bound(architectures(), cc, {}, &Architecture::cc);
  return later == architectures().begin() ? *later : *std::prev(later);
}

std::optional<SmLimits> sm_limits(ComputeCapability cc) {
  const Architecture* architecture = find_architecture(cc);
  return architecture != nullptr ? std::optional(architecture->sm) : std::nullopt;
}

}  // namespace rooftile
