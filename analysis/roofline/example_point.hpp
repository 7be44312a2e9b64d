// For tests: the tiled GEMM with tile 32 at N = 2048 as an H200 counted it, and the roofs measured there.
#pragma once

#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile::example {

inline Roofs h200_roofs() {
  return {"NVIDIA H200",
          {{MemoryLevel::dram, {4274e9}, Origin::measured, "copy"},
           {MemoryLevel::l2, {10e12}, Origin::measured, "read"},
           {MemoryLevel::shared, {32.85e12}, Origin::measured, "16-byte loads"}},
          {{fp32_pipe, {66.9e12}, Origin::spec, "counters x clock"}}};
}

inline Point predicted_gemm() {
  Point point;
  point.kernel = "sgemm_tiled";
  point.gpu = "NVIDIA H200";
  point.launch = {{64, 64, 1}, {32, 32, 1}, 0};
  point.version = "0123456789abcdef";
  point.modelled.flops = Flops{17'179'869'184};
  point.modelled.elements = 2048.0 * 2048;
  point.modelled.compulsory_dram = {50'331'648};
  point.modelled.bytes[MemoryLevel::l1] = Bytes{2.16e9};
  point.modelled.bytes[MemoryLevel::shared] = Bytes{53.7e9};
  return point;
}

inline Point timed_gemm() {
  Point point = predicted_gemm();
  point.compiled = Compiled{{9, 0}, 32, 8192, 0, 0, 0, false, 1};
  point.verification = Verification{true, 1e-5, 1e-3, ""};
  point.timing = Timing{{1.843e-3}, {1.840e-3}, {1.850e-3}, 7};
  return point;
}

inline Point counted_gemm() {
  Point point = timed_gemm();
  Counters counters;
  counters.fadd = 0;
  counters.fmul = 0;
  counters.ffma = 8'589'934'592;
  counters.dram_read = Bytes{33.6e6};
  counters.dram_write = Bytes{9.5e6};
  counters.l2 = Bytes{1.9e9};
  counters.l1 = Bytes{2.17e9};
  counters.shared_wavefronts = 421e6;
  counters.shared_conflicts = 1.8e6;
  counters.achieved_occupancy = 0.975;
  counters.sm_clock = Hertz{1.98e9};
  counters.passes = 3;
  point.counters = counters;
  return point;
}

}  // namespace rooftile::example
