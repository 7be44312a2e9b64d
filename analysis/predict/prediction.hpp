// The time a launch should take: each thing that can hold it up alone, and together. No term knows a kernel by
// name, and none is fitted to one kernel.
// Limits: what the manifest does not say is not seen: divergence, imbalance inside a block, instructions of the
// compiler's own. The launch runs alone, at the boost clock, on the roofs it is given.
#pragma once

#include <optional>
#include <string>

#include "analysis/chip/gpu.hpp"
#include "analysis/predict/term_times.hpp"
#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile {

// How much more the fullest SM has to do than the mean: the last wave of blocks, or the block that does most
// where each SM has one. 1 where it is not known.
double imbalance(const Model& model, const Gpu& gpu);

struct Prediction {
  Seconds time;       // never less than the longest term
  Seconds least;      // that the roofs alone allow
  TermTimes terms;    // at least one takes time
  bool is_least;      // DRAM may move more bytes than the model knows, and then it takes longer
  std::string basis;  // "the compiled code and 44 registers compiled for 8.6"
};

// Time, basis and what takes longest go with the figures.
void note(const Prediction& prediction, ModelFigures& figures);

// Empty where not one block fits an SM, and where no term is known. compiled: if empty, registers limit
// nothing. caches: if warm, data that L2 keeps from launch to launch does not come from DRAM.
std::optional<Prediction> predict(const Model& model, const std::optional<Compiled>& compiled, const Gpu& gpu,
                                  const Roofs& roofs, Caches caches);

}  // namespace rooftile
