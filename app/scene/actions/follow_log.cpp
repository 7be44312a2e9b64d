#include "app/scene/actions/follow_log.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/source/manifest/launch_version.hpp"
#include "app/scene/actions/edit_launch.hpp"
#include "app/scene/actions/follow_program.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/teaching.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/program/program_kernels.hpp"

namespace rooftile::scene {
namespace {

// True of a launch of another source, or with another kernel.toml than now. Bundled kernels stay what they
// were.
bool is_launched_otherwise(const AppState& state, const Point& point) {
  const auto version = state.known.versions.find(point.kernel);
  if (version == state.known.versions.end()) {
    return false;
  }
  const Manifest& manifest = find_kernel(state.known.catalogue, point.kernel);
  const bool has_all =
      std::ranges::all_of(point.parameters, [&](const auto& each) { return manifest.parameter(each.first); });
  return !has_all || (!point.version.empty() && point.version != version->second);
}

// The first counted launch of a kernel without [work]: until then nobody knows where it stands.
bool is_first_place(AppState& state, const Point& point) {
  const Manifest* known = known_kernel(state.known.catalogue, point.kernel);
  return known && !known->states_work && !point.program && point.counters &&
         state.known.placed_kernels.insert(point.kernel).second;
}

// Files all launches again after kernels changed; results of the former kernels go.
void follow_log_again(AppState& state) {
  state.known.versions.clear();
  for (const auto& [name, text] : state.known.manifests) {
    if (const Manifest* manifest = known_kernel(state.known.catalogue, name)) {
      const auto source = state.known.sources.find(name);
      state.known.versions[name] =
          launch_version(*manifest, source != state.known.sources.end() ? source->second : "");
    }
  }
  state.known.code.clear();
  ++state.known.code_revision;
  state.known.steps.clear();
  state.derived.advice = {};
  state.derived.kept_map = {};
  state.derived.shown.landscape = {};
  state.derived.shown.sweep = {};
  state.known.recordings = {};
  state.known.earlier.clear();
  state.known.followed = 0;
  follow_log(state);
}

}  // namespace

// Only what has changed since the last time: a session grows to many thousands of points.
void follow_log(AppState& state) {
  const PointList& points = state.known.session.log->points;
  bool fits_no_more = false;
  for (const std::size_t position :
       points.changed_since(std::exchange(state.known.followed, points.revision()))) {
    const Point& point = points[position];
    learn_kernel(state, point);
    if (is_launched_otherwise(state, point)) {
      state.known.earlier.insert(point.id);
    } else {
      state.known.recordings.add(point, state.known.catalogue);
    }
    state.known.extents.add(point);
    const bool is_over = landed(point) || point.failure;
    if (is_over && !state.known.session.device.empty()) {
      land_live(state, point.id);
    }
    fits_no_more = (is_first_place(state, point) && point.kernel == state.choice.kernel) || fits_no_more;
  }
  if (fits_no_more) {
    state.view.axes = fitted_axes(state, roofs_of(state));
  }
  follow_notes(state);
  reconcile(state);
}

void use_kernels(AppState& state, std::vector<Manifest> kernels, KernelTexts texts) {
  std::ranges::copy_if(state.known.catalogue, std::back_inserter(kernels), is_of_program);
  state.known.catalogue = std::move(kernels);
  state.known.manifests = std::move(texts.manifests);
  state.known.sources = std::move(texts.sources);
  state.view.sweep = {};
  drop_old_edits(state);
  follow_log_again(state);
}

void use_code(AppState& state, const CodePlace& place, CodeAnswer answer) {
  const auto known = std::ranges::find(state.known.catalogue, place.kernel, &Manifest::name);
  if (code_version(state, place.kernel) != place.version || known == state.known.catalogue.end()) {
    return;
  }
  const bool first = answer.launch && state.known.placed_kernels.insert(place.kernel).second;
  if (answer.launch && known->pipe != answer.launch->model.pipe) {
    known->pipe = answer.launch->model.pipe;
    state.derived.advice.places.reset();  // they know the kernel as it was
  }
  state.known.code[place] = std::move(answer);
  ++state.known.code_revision;
  if (first && place.kernel == state.choice.kernel) {
    state.view.axes = fitted_axes(state, roofs_of(state));
  }
}

void use_code(AppState& state, const CodePlace& place, TraceAnswer answer) {
  constexpr std::size_t most_places = 32;  // some megabytes each
  if (code_version(state, place.kernel) != place.version) {
    return;
  }
  if (state.known.steps.size() >= most_places) {
    state.known.steps.clear();
  }
  state.known.steps[place] = std::move(answer);
}

void use_source(AppState& state, const std::string& kernel, std::string text) {
  state.known.sources[kernel] = std::move(text);
  follow_log_again(state);
}

}  // namespace rooftile::scene
