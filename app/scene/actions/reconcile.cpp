#include "app/scene/actions/reconcile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/scene/actions/follow_program.hpp"
#include "app/scene/actions/visits.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/launch/launch_form.hpp"

namespace rooftile::scene {
namespace {

std::string first_gpu(const AppState& state) {
  const SessionView& session = state.known.session;
  if (!session.device.empty()) {
    return session.device;
  }
  if (!session.log->devices.empty()) {
    return session.log->devices.front().gpu.name;
  }
  return session.starting || state.known.gpus.empty()
             ? ""
             : std::ranges::max_element(state.known.gpus, {}, &Gpu::cc)->name;
}

// The kernel that a recording is mostly about; where nothing is measured yet, one with a tile.
void choose_kernel(AppState& state) {
  const auto places = [&](const Manifest& manifest) {
    return state.known.recordings.places(state.choice.gpu, manifest.name);
  };
  const auto most = std::ranges::max_element(state.known.catalogue, {}, places);
  const auto tiled = std::ranges::find_if(
      state.known.catalogue, [](const Manifest& manifest) { return manifest.parameter("TILE") != nullptr; });
  const bool measured = places(*most) > 0;
  state.choice.kernel = (measured || tiled == state.known.catalogue.end() ? most : tiled)->name;
}

void look_at_kernel(AppState& state) {
  state.view.dial = kernel(state).parameters.empty() ? "" : kernel(state).parameters.front().name;
  state.view.axes = fitted_axes(state, roofs_of(state));
}

void join_live_launches(AppState& state) {
  while (state.choice.joined < state.known.live.size()) {
    visit(state.choice, state.known.live[state.choice.joined++]);
  }
}

void keep_values_that_are_taken(AppState& state) {
  for (auto& [name, given] : state.choice.given) {
    if (const Manifest* manifest = known_kernel(state.known.catalogue, name)) {
      given = accepted(*manifest, std::move(given));
    }
  }
}

void leave_unknown_gpu(AppState& state) {
  const std::string gone = state.choice.gpu;
  if (gone.empty() || gpu(state) || state.known.recordings.any(gone) || gone == first_gpu(state)) {
    return;
  }
  state.choice.gpu = first_gpu(state);
  tell(state, Message::Kind::wrong,
       fmt::format("The GPU {} is not known any more: {} is shown instead.", gone, state.choice.gpu));
}

void leave_vanished_kernel(AppState& state) {
  const std::string gone = state.choice.kernel;
  if (gone.empty() || known_kernel(state.known.catalogue, gone)) {
    return;
  }
  choose_kernel(state);
  state.choice.selected.reset();
  settle_on_recording(state);
  look_at_kernel(state);
  tell(state, Message::Kind::wrong,
       fmt::format("The kernel {} is not there any more: {} is shown instead.", gone, kernel(state).title));
}

void drop_vanished_search(AppState& state) {
  if (state.known.search && !known_kernel(state.known.catalogue, state.known.search->kernel)) {
    state.known.search.reset();
  }
}

}  // namespace

void reconcile(AppState& state) {
  join_live_launches(state);
  keep_values_that_are_taken(state);
  leave_unknown_gpu(state);
  leave_vanished_kernel(state);
  drop_vanished_search(state);
}

bool land_live(AppState& state, std::uint64_t id) {
  const bool is_new = state.known.landed_live.insert(id).second;
  if (is_new) {
    state.known.live.push_back(id);
  }
  return is_new;
}

void choose_gpu(AppState& state) {
  if (state.choice.gpu.empty()) {
    state.choice.gpu = first_gpu(state);
  }
}

void open(AppState& state) {
  choose_gpu(state);
  choose_kernel(state);
  settle_on_recording(state);
  visit_first_dial(state);
  visit_program(state);
  reconcile(state);
  look_at_kernel(state);
}

}  // namespace rooftile::scene
