// A small session made up for tests: its figures follow from the models, nobody measured them.
#pragma once

#include <functional>

#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/actions/requests.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

inline constexpr const char* synthetic_gpu = "synthetic H200";

// Every bundled kernel, the GPU table, and no session yet.
AppState state_without_session();
// sgemm_tiled with tiles 4, 8, 32 (not 16) at N = 1024 and 2048 without padding, and with padding of A 1 at
// tile 32; transpose_tiled with tile 32 and padding 0 and 1, the first of them line by line. Recorded, opened,
// nothing touched.
AppState recorded_state();
// The recording that is bundled, opened. Read once.
const AppState& bundled_recording();
// The same GPU at work, with nothing measured so far.
AppState live_state();

// At work too, with a kernel of the user's own chosen: "sum", whose kernel.toml rooftile has just made.
AppState own_kernel_state(const std::string& code =
                              "#ifndef BLOCK\n#define BLOCK 128\n#endif\n"
                              "__global__ void sum(const float* in, float* out, int n) {}");

// The code of a place on the chosen GPU counts as read: it is test::made_up_model, changed by `change`.
void know_code(
    AppState& state, const std::string& kernel, const Parameters& place,
    const std::function<void(Model&)>& change = [](Model&) {});

// The point as the worker would send it after its last stage.
Point counted_point(const AppState& state, std::uint64_t id, const std::string& kernel,
                    const Parameters& given);
// Its lines: the fourth is the hottest and has conflicts, the second waits for global memory.
SourceProfile line_profile(const Point& point);
// The session holds this log from now on.
void show(AppState& state, SessionLog log);
// One more record arrives.
void land(AppState& state, const Record& record);
// The newest request of a kind; nullptr: there is none.
template <class Kind>
const Kind* requested(const Requests& requests) {
  const Kind* newest = nullptr;
  for (const Request& each : requests) {
    const Kind* found = std::get_if<Kind>(&each);
    newest = found ? found : newest;
  }
  return newest;
}
// The places of the sweep that is asked for; none: no sweep is.
std::vector<Configuration> swept(const Requests& requests);
// The names of the compute roofs that the chart shows.
std::vector<std::string> compute_roofs(const AppState& state);

}  // namespace rooftile::scene
