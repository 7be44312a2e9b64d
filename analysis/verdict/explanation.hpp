// Why one launch takes longer than another one: the difference of their times, split among causes.
// Method: both times are put together from the parts of the prediction (predict/prediction.hpp), by counters
// where both launches were counted. Parts are exchanged one after the other, and each cause has the mean change
// over all orders: its Shapley value, the one split that is symmetric and adds up (L. S. Shapley, "A value for
// n-person games", 1953). The part of the difference that the prediction misses is a bar of its own.
// Limits: those of the prediction; the clock is taken to slow the SMs alone, not L2 and DRAM.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile {

struct CauseBar {
  std::string name;          // "DRAM", "bank conflicts"
  Seconds change;            // that it adds to the time; below 0: it saves
  std::string meaning = {};  // a sentence
};

struct Explanation {
  Seconds from, to;
  std::vector<CauseBar> bars;       // of every cause that changes anything, in a fixed order
  Seconds unattributed;             // with the bars it adds up to the difference
  bool predicted = false;           // both times are; else both were measured
  std::string of_faster = {};       // "L2 moves 2.1 GB instead of 4.3 GB"; empty: the model names nothing
  const CauseBar* largest() const;  // null: no cause changes anything
};

// One kernel, or two kernels of a family that do the same work.
bool solve_one_problem(const Manifest& a, const Manifest& b);

// A launch, and the kernel that it is of.
struct LaunchOf {
  const Manifest& kernel;
  const Point& point;
};

// Takes two timed launches on one GPU, or two predictions, of one kernel or of two for the same problem; empty
// for others.
std::optional<Explanation> explain(const LaunchOf& from, const LaunchOf& to, const Gpu& gpu, const Roofs& roofs,
                                   const ModelAt& model_at = stated_model);

// "+30.1 µs"
std::string signed_text(Seconds change);
// "−224 µs: bank conflicts −111 µs; not explained −113 µs."
std::string sentence(const Explanation& explanation);

}  // namespace rooftile
