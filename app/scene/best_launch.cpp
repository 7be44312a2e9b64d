#include "app/scene/best_launch.hpp"

#include <algorithm>

namespace rooftile::scene {

const Point* best_launch(const AppState& state) {
  const Manifest& manifest = kernel(state);
  const Parameters present = dialled(state);
  const auto is_same_work = [&](const Parameters& values) {
    return std::ranges::all_of(manifest.parameters, [&](const Parameter& parameter) {
      const auto value = values.find(parameter.name);
      return !parameter.is_of_problem() ||
             (value != values.end() && value->second == present.at(parameter.name));
    });
  };
  const Point* best = nullptr;
  state.recordings.each(state.choice.gpu, state.choice.kernel, state.choice.caches,
                        [&](const Parameters& values, std::uint64_t id) {
                          const Point* point = state.session.log->points.find(id);
                          const bool faster = point && (!best || point->timing->median < best->timing->median);
                          best = faster && is_same_work(values) ? point : best;
                        });
  return best;
}

}  // namespace rooftile::scene
