#include "app/scene/program_kernels.hpp"

#include <algorithm>

#include "analysis/program_points.hpp"
#include "app/scene/visits.hpp"

namespace rooftile::scene {
namespace {

constexpr std::size_t longest_short_title = 28;

// That most of its FLOPs ran on.
std::string main_pipe(const Point& point) {
  const auto by_pipe = point.counters ? point.counters->flops_by_pipe() : std::map<std::string, Flops>{};
  const auto most = std::ranges::max_element(by_pipe, {}, [](const auto& each) { return each.second.value; });
  return most != by_pipe.end() ? most->first : fp32_pipe;
}

Manifest described(const Point& point) {
  Manifest manifest;
  manifest.name = point.kernel;
  manifest.title = short_kernel_name(point.kernel);
  manifest.short_title = short_kernel_name(point.kernel, longest_short_title);
  manifest.group = "Program";
  manifest.idea = "Of a program that rooftile-cli profile ran.";
  manifest.states_work = false;
  manifest.pipe = main_pipe(point);
  return manifest;
}

}  // namespace

bool is_of_program(const Manifest& manifest) {
  return manifest.file.empty();
}

void list_program_kernel(AppState& state, const Point& point) {
  if (point.program &&
      std::ranges::find(state.catalogue, point.kernel, &Manifest::name) == state.catalogue.end()) {
    state.catalogue.push_back(described(point));
    state.places.reset();  // they know a kernel of the catalogue that has moved
  }
}

void visit_program(AppState& state) {
  if (!is_of_program(kernel(state))) {
    return;
  }
  std::vector<const Point*> launches;
  for (const Point& point : state.session.log->points) {
    if (point.program && point.gpu == state.choice.gpu && landed(point)) {
      launches.push_back(&point);
    }
  }
  std::ranges::stable_sort(launches, {}, [](const Point* point) { return point->program->total.value; });
  for (const Point* launch : launches) {
    visit(state.choice, launch->id);
  }
  if (!launches.empty()) {
    select_launch(state, *launches.back());
  }
}

}  // namespace rooftile::scene
