#include "analysis/predict/judgement.hpp"

#include <algorithm>
#include <map>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr double good_error = 1.3, good_favourite = 1.1;

// Zeros switch something off that other kernels of the problem may not have.
Parameters problem_of(const Manifest& kernel, const Point& point) {
  Parameters problem = point.parameters;
  std::erase_if(problem, [&](const auto& value) {
    const Parameter* parameter = kernel.parameter(value.first);
    return !parameter || !parameter->is_of_problem() || value.second == 0;
  });
  return problem;
}

std::optional<JudgedLaunch> judged(const Point& point, const Manifest& kernel, const SessionLog& log,
                                   const ModelAt& model_at) {
  const Gpu* gpu = log.gpu(point.gpu);
  return point.timing && gpu
             ? judged_launch(point, kernel, model_at(kernel, complete(kernel, point.parameters), *gpu), log)
             : std::nullopt;
}

double error_of(const JudgedLaunch& launch) {
  const double ratio = launch.measured / launch.predicted;
  return std::max(ratio, 1 / ratio);
}

void judge_errors(std::span<const JudgedLaunch> launches, Judgement& judgement) {
  std::vector<double> errors;
  std::ranges::transform(launches, std::back_inserter(errors), error_of);
  std::ranges::sort(errors);
  judgement.median_error = errors[errors.size() / 2];
  judgement.error_95 = errors[errors.size() - 1 - errors.size() / 20];
  judgement.within_1_3 = static_cast<double>(std::ranges::upper_bound(errors, good_error) - errors.begin()) /
                         static_cast<double>(errors.size());
}

using OfOneProblem = std::vector<const JudgedLaunch*>;

void judge_pair(const JudgedLaunch& a, const JudgedLaunch& b, Judgement& judgement) {
  const auto& [fast, slow] =
      std::minmax(a, b, [](const auto& x, const auto& y) { return x.measured < y.measured; });
  if (slow.measured.value > worth_ordering * fast.measured.value) {
    ++judgement.pairs;
    judgement.pairs_ordered += fast.predicted < slow.predicted ? 1 : 0;
  }
}

void judge_problem(const OfOneProblem& launches, Judgement& judgement) {
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      judge_pair(*launches[i], *launches[j], judgement);
    }
  }
  if (launches.size() > 1) {
    const auto* favourite = *std::ranges::min_element(launches, {}, &JudgedLaunch::predicted);
    const auto* best = *std::ranges::min_element(launches, {}, &JudgedLaunch::measured);
    const double slower = favourite->measured / best->measured;
    ++judgement.problems;
    judgement.good_favourites += slower <= good_favourite ? 1 : 0;
    judgement.worst_favourite = std::max(judgement.worst_favourite, slower);
  }
}

}  // namespace

std::optional<JudgedLaunch> judged_launch(const Point& point, const Manifest& kernel, const Model& model,
                                          const SessionLog& log) {
  const Gpu* gpu = log.gpu(point.gpu);
  const Roofs* roofs = log.roofs_of(point.gpu);
  if (!point.timing || point.failure || !gpu || !roofs) {
    return {};
  }
  const auto prediction = predict(model, point.compiled, *gpu, *roofs, point.caches);
  if (!prediction) {
    return {};
  }
  const auto size = point.parameters.find("N");
  return JudgedLaunch{
      kernel.name,
      gpu->name,
      gpu->name + kernel.name + text(problem_of(kernel, point)) + (point.caches == Caches::warm ? " warm" : ""),
      size == point.parameters.end() ? 0 : size->second,
      point.timing->median,
      prediction->time,
      prediction->least};
}

std::vector<JudgedLaunch> judged_launches(const SessionLog& log, const std::vector<Manifest>& catalogue,
                                          const ModelAt& model_at) {
  std::vector<JudgedLaunch> launches;
  for (const Point& point : log.points) {
    const Manifest* kernel = known_kernel(catalogue, point.kernel);
    if (const auto launch = kernel ? judged(point, *kernel, log, model_at) : std::nullopt) {
      launches.push_back(*launch);
    }
  }
  return launches;
}

Judgement judge(std::span<const JudgedLaunch> launches) {
  Judgement judgement;
  judgement.launches = launches.size();
  if (launches.empty()) {
    return judgement;
  }
  judge_errors(launches, judgement);
  std::map<std::string, OfOneProblem> problems;
  for (const JudgedLaunch& launch : launches) {
    problems[launch.problem].push_back(&launch);
    judgement.impossible += launch.measured.value < launch.least.value / (1 + roof_tolerance) ? 1 : 0;
  }
  for (const auto& [problem, of_it] : problems) {
    judge_problem(of_it, judgement);
  }
  return judgement;
}

}  // namespace rooftile
