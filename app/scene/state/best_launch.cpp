#include "app/scene/state/best_launch.hpp"

namespace rooftile::scene {

const Point* best_launch(const AppState& state) {
  const auto id = state.known.recordings.fastest(state.choice.gpu, state.choice.kernel, state.choice.caches,
                                                 problem_of(kernel(state), dialled(state)));
  return id ? state.known.session.log->point(*id) : nullptr;
}

}  // namespace rooftile::scene
