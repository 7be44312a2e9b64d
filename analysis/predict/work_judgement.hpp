// Compares the work that is derived from compiled code with the counters of recorded launches.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/predict/judgement.hpp"
#include "analysis/predict/picture_judgement.hpp"
#include "analysis/ptx/work/memory_traffic.hpp"
#include "analysis/record/point.hpp"
#include "analysis/record/source_profile.hpp"

namespace rooftile {

enum class WorkFigure {
  flops,
  requests,
  l1_bytes,
  l1_misses,
  l2_bytes,
  dram_read,
  dram_bytes,
  wavefronts,
  wavefronts_of_lines,
  instructions
};
inline constexpr std::array work_figures = {
    WorkFigure::flops,       WorkFigure::requests,   WorkFigure::l1_bytes,
    WorkFigure::l1_misses,   WorkFigure::l2_bytes,   WorkFigure::dram_read,
    WorkFigure::dram_bytes,  WorkFigure::wavefronts, WorkFigure::wavefronts_of_lines,
    WorkFigure::instructions};
std::string_view title(WorkFigure figure);  // "L1 bytes"
std::string_view key(WorkFigure figure);    // "l1_bytes"

struct WorkRatio {
  WorkFigure figure;
  double derived = 0, counted = 0;
  // Not below 1, whichever is larger; infinite where one of them is 0.
  double error() const;
};

// One ratio per counted figure. A figure that is 0 both derived and counted is left out. traffic: derived;
// empty if it is not known. lines: of the same launch; null if it was not looked at. Their wavefronts are those
// that the instructions need; the point's include those that were repeated because the banks were taken.
std::vector<WorkRatio> work_ratios(const ptx::KernelWork& work,
                                   const std::optional<ptx::MemoryTraffic>& traffic, const Point& point,
                                   const SourceProfile* lines);

struct JudgedWork {
  std::string kernel, launch;  // launch: its GPU and its dials, as people write them
  std::vector<WorkRatio> ratios;
  std::vector<std::string> findings = {};    // accesses outside of buffers, races
  Seconds reading, running;                  // of the PTX, and of its blocks
  std::optional<std::string> failure;        // why it was not followed
  std::optional<JudgedLaunch> time = {};     // beside the prediction, if it was timed
  std::vector<JudgedPicture> pictures = {};  // what the pictures of its accesses say
};

// The rules of ptx/work/ that follow from no document were chosen on the other kernels.
bool is_held_out(std::string_view kernel);

inline constexpr std::array work_bounds = {0.001, 0.01, 0.02, 0.1, 0.2, 1.0};  // of the error above 1

// One figure of many launches.
struct WorkScore {
  std::size_t launches = 0;
  std::array<std::size_t, work_bounds.size()> within{};  // of these, by bound
  double least = 0, most = 0;                            // derived / counted
  const JudgedWork* worst = nullptr;
};
WorkScore score_of(std::span<const JudgedWork> launches, WorkFigure figure);

// The pictures of many launches of one kernel.
struct PictureScore {
  std::size_t launches = 0, deviating = 0;
  double least = 0, most = 0;                  // drawn / counted
  std::vector<std::string_view> reasons = {};  // each once
};
PictureScore score_of(std::span<const JudgedWork> launches, PictureFigure figure);

// A sentence for each launch that deviates without a reason, and where these are all launches that there are,
// for each exception that no launch needs.
std::vector<std::string> picture_mistakes(std::span<const JudgedWork> launches, bool are_all);

}  // namespace rooftile
