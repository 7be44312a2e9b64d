#include "app/scene/program/program_kernels.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>

#include "analysis/record/program/program_points.hpp"
#include "app/scene/chart/chart.hpp"

namespace rooftile::scene {

bool is_of_program(const Manifest& manifest) {
  return manifest.file.empty();
}

std::vector<const Point*> program_launches(const AppState& state, const std::string& kernel) {
  std::map<ProgramIdentity, const Point*> newest;
  for (const Point& point : state.known.session.log->points) {
    if (point.program && point.gpu == state.choice.gpu && landed(point) &&
        (kernel.empty() || point.kernel == kernel)) {
      newest[program_identity(point)] = &point;
    }
  }
  std::vector<const Point*> launches;
  std::ranges::copy(newest | std::views::values, std::back_inserter(launches));
  std::ranges::stable_sort(launches, {}, [](const Point* point) { return point->program->total.value; });
  return launches;
}

bool may_run_program(const AppState& state) {
  return state.known.session.program && state.known.session.program->end;
}

const Point* tunable_launch(const AppState& state) {
  const Point* shown = current_point(state);
  return may_run_program(state) && shown && shown->program && is_of_program(kernel(state)) ? shown : nullptr;
}

}  // namespace rooftile::scene
