// How well predictions agree with launches that were measured.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/predict/prediction.hpp"
#include "analysis/record/session_file.hpp"

namespace rooftile {

struct JudgedLaunch {
  std::string kernel, gpu;
  std::string problem;  // the same for launches that do the same work on the same GPU
  double size = 0;      // the kernel's N; 0 without
  Seconds measured, predicted, least;
};

// Launches that were timed and whose kernel is in the catalogue and has a prediction there.
std::vector<JudgedLaunch> judged_launches(const SessionLog& log, const std::vector<Manifest>& catalogue,
                                          const ModelAt& model_at = stated_model);

// A launch that was timed, beside what a model of it predicts; empty where one of the two is missing.
std::optional<JudgedLaunch> judged_launch(const Point& point, const Manifest& kernel, const Model& model,
                                          const SessionLog& log);

// Launches that differ by less than this have no order to predict.
inline constexpr double worth_ordering = 1.05;

struct Judgement {
  std::size_t launches = 0;
  double median_error = 1, error_95 = 1;     // the larger of measured / predicted and its inverse
  double within_1_3 = 0;                     // 0..1, of the launches
  std::size_t pairs = 0, pairs_ordered = 0;  // of one problem that differ by more than 5 %; a tie is no order
  std::size_t problems = 0,
              good_favourites = 0;  // its fastest by prediction is at most 10 % slower than the best
  double worst_favourite = 1;
  std::size_t impossible = 0;  // more than 2 % faster than its roofs allow
};
// The launches share one meaning of "problem".
Judgement judge(std::span<const JudgedLaunch> launches);

}  // namespace rooftile
