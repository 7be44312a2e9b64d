// How well advice does on launches that were measured, but whose times it was not told.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/advice/advice.hpp"
#include "analysis/record/session_file.hpp"

namespace rooftile {

// The hidden times of a recording. The results of the compiler are told.
enum class Hidden { others, all };  // others: the launch itself is known, no other one is

struct JudgedAdvice {
  std::string kernel, gpu;
  Seconds here;  // measured
  Advice advice;
  std::optional<Seconds> there;     // measured at the advised place; empty: not recorded
  std::optional<double> best_gain;  // of the moves of its dials that are recorded
};

// One for each timed launch that passes and whose kernel is in the catalogue and has something to advise.
std::vector<JudgedAdvice> judged_advice(const SessionLog& log, const std::vector<Manifest>& catalogue,
                                        const CompiledTable& compiled, Hidden hidden,
                                        const std::function<bool(const Point&)>& passes,
                                        const ModelAt& model_at = stated_model);

struct AdviceScore {
  std::size_t launches = 0;
  std::size_t moves = 0, moves_recorded = 0;
  std::size_t faster = 0;   // of the recorded moves
  double median_error = 1;  // of their time: the larger of measured / predicted and its inverse
  std::size_t nothing = 0, nothing_recorded = 0;  // with a recorded move
  std::size_t contradicted = 0;                   // of those: one that helps by more than 5 %
  std::size_t unknown = 0;
};
AdviceScore score(std::span<const JudgedAdvice> judged);

}  // namespace rooftile
