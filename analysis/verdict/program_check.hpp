// Whether a program has become slower, or does more work, since a baseline: several runs of both, kernel by
// kernel.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/record/program/program_points.hpp"
#include "analysis/record/session_file.hpp"
#include "analysis/verdict/paired_ratio.hpp"

namespace rooftile {

enum class CheckedFigure { time, flops, dram, l2, l1 };  // time: the median of a kernel's launches
inline constexpr std::array<std::string_view, 5> checked_figure_ids = {"time", "flops", "dram_bytes",
                                                                       "l2_bytes", "l1_bytes"};

struct CheckLimits {
  double tolerance = 0.03;    // by which a figure may grow, a share
  double least_share = 0.01;  // of the program's GPU time; kernels with less are not judged
};

// Its shape stands in the point of the last run, of the baseline if there is no other.
struct KernelCheck {
  Point point;
  double share = 0;                    // of the GPU time of all kernels, now; in the baseline if it is gone
  std::optional<Seconds> before, now;  // a launch, the median of the runs; empty: it was not launched
  double launches_before = 0, launches_now = 0;                              // in a run
  std::array<std::optional<PairedRatio>, checked_figure_ids.size()> ratios;  // now by before; empty: unknown

  const std::optional<PairedRatio>& ratio(CheckedFigure figure) const {
    return ratios[static_cast<std::size_t>(figure)];
  }
  bool is_judged(const CheckLimits& limits) const { return before && now && share >= limits.least_share; }
  // A figure that has grown beyond the tolerance; empty: none.
  std::optional<CheckedFigure> grown(const CheckLimits& limits) const;
  bool is_faster(const CheckLimits& limits) const;
};

struct ProgramCheck {
  std::vector<KernelCheck> kernels;  // those with most time first
  PairedRatio time;                  // of all kernels together
  std::size_t rounds = 0;

  bool passes(const CheckLimits& limits) const;
};

// A session holds the points of its runs one after the other: as many of one kernel and shape as there were
// runs. Throws Error if one of them has fewer runs than an interval needs.
ProgramCheck check_program(const SessionLog& baseline, const SessionLog& now);

}  // namespace rooftile
