#include "analysis/advice/recorded_space.hpp"

#include <algorithm>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/predict/prediction.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

bool is_of_problem(const Manifest& kernel, const std::string& name) {
  const Parameter* parameter = kernel.parameter(name);
  return !parameter || parameter->is_of_problem();
}

// Its problem without dials, its dials without problem.
std::pair<Parameters, Parameters> parted(const Manifest& kernel, const Parameters& values) {
  std::pair<Parameters, Parameters> parts;
  for (const auto& [name, value] : values) {
    (is_of_problem(kernel, name) ? parts.first : parts.second)[name] = value;
  }
  return parts;
}

RecordedSpace& space_of(std::vector<RecordedSpace>& spaces, const Point& point, const Parameters& problem) {
  const auto known = std::ranges::find_if(spaces, [&](const RecordedSpace& each) {
    return each.kernel == point.kernel && each.gpu == point.gpu && each.caches == point.caches &&
           each.problem == problem;
  });
  if (known != spaces.end()) {
    return *known;
  }
  return spaces.emplace_back(RecordedSpace{point.kernel, point.gpu, point.caches, problem, {}, {}});
}

void take_launch(std::vector<RecordedSpace>& spaces, const Point& point, const Manifest& kernel,
                 const SessionLog& log, const ModelAt& model_at) {
  const Gpu* gpu = log.gpu(point.gpu);
  const Roofs* roofs = log.roofs_of(point.gpu);
  if (!point.competes() || !gpu || !roofs) {
    return;
  }
  const Parameters values = complete(kernel, point.parameters);
  const auto [problem, dials] = parted(kernel, values);
  RecordedSpace& space = space_of(spaces, point, problem);
  if (space.times.insert_or_assign(dials, *point.timing).second) {
    space.places.push_back(search_place(kernel, values, *gpu, *roofs, point.caches, model_at));
    space.places.back().values = dials;
  }
}

}  // namespace

SearchPlace search_place(const Manifest& kernel, const Parameters& values, const Gpu& gpu, const Roofs& roofs,
                         Caches caches, const ModelAt& model_at) {
  const auto is_of_problem = [&](const auto& given) { return kernel.parameter(given.first)->is_of_problem(); };
  return {values, predicted_time(kernel, values, gpu, roofs, caches, model_at),
          std::ranges::all_of(given_of(kernel, values), is_of_problem)};
}

Seconds RecordedSpace::best() const {
  return std::ranges::min_element(times, {}, [](const auto& each) { return each.second.median; })
      ->second.median;
}

Search RecordedSpace::search(SearchLimits limits) const {
  return find_best(places, limits, [&](const Parameters& dials) { return std::optional(times.at(dials)); });
}

std::vector<RecordedSpace> recorded_spaces(const SessionLog& log, const std::vector<Manifest>& catalogue,
                                           const ModelAt& model_at) {
  std::vector<RecordedSpace> spaces;
  for (const Point& point : log.points) {
    if (const Manifest* kernel = known_kernel(catalogue, point.kernel)) {
      take_launch(spaces, point, *kernel, log, model_at);
    }
  }
  return spaces;
}

std::optional<Seconds> predicted_time(const Manifest& kernel, const Parameters& values, const Gpu& gpu,
                                      const Roofs& roofs, Caches caches, const ModelAt& model_at) {
  try {
    const auto prediction = predict(model_at(kernel, values, gpu), {}, gpu, roofs, caches);
    return prediction ? std::optional(prediction->time) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace rooftile
