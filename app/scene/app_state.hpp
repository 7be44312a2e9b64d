// Everything the window knows. Panels read it through const and append to Actions; apply() is the one place
// where it changes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "analysis/configuration.hpp"
#include "analysis/manifest.hpp"
#include "analysis/mode.hpp"
#include "analysis/session_file.hpp"
#include "app/scene/recordings.hpp"
#include "app/scene/shown.hpp"
#include "app/scene/theme.hpp"

namespace rooftile::scene {

// The session as the window last saw it.
struct SessionView {
  Mode mode = Mode::predicted;
  bool starting = false;  // the worker has not said yet what it is
  bool busy = false;
  std::string gpu;  // the device that measures, or was measured on; empty: none
  SessionLog log;
  std::optional<Progress> progress;
  std::optional<Seconds> time_left;
  std::optional<std::string> error;
};

// What the user has chosen. Undo brings an older one back.
struct Choice {
  std::string gpu;
  std::string kernel;
  std::map<std::string, Parameters> given;  // by kernel; the rest has the manifest's defaults
  Caches caches = Caches::cold;
  std::vector<std::uint64_t> trail;  // points visited, newest last
  std::set<std::uint64_t> pinned;    // stay on the chart whatever is dialled
  std::set<std::uint64_t> removed;
  bool operator==(const Choice&) const = default;
};

// Remembered from run to run.
struct Settings {
  Theme theme = Theme::dark;
  float scale = 1;
  int width = 1600, height = 960;
  float chart_share = 0.74f;  // of the middle column; the points have the rest
  bool animate = true;
  bool operator==(const Settings&) const = default;
};

// Limits of the axes of the roofline, or of the instruction roofline.
struct Axes {
  double x_min = 0.04, x_max = 4000;    // [FLOP/B] or [instructions a transaction]
  double y_min = 1e11, y_max = 1.5e14;  // [FLOP/s] or [instructions/s]
  bool operator==(const Axes&) const = default;
};

// A move under way: the newest point comes from where `from` stands.
struct Motion {
  ChartRow from;
  double started = 0;  // [s]
};

enum class SidePanel { occupancy, proof };
enum class LowerPanel { points, source, roofs };

struct View {
  MemoryLevel level = MemoryLevel::dram;
  ByteDefinition bytes = ByteDefinition::requested;
  std::optional<Origin> origin;  // of roofs; empty: the best there is
  bool instructions = false;     // the instruction roofline is wanted
  Axes axes;
  std::string dial;          // has the keyboard
  double kernel_chosen = 0;  // [s] when
  bool more_open = false;
  bool keys_open = false;
  SidePanel side = SidePanel::occupancy;  // below the verdict, where there is room for one
  LowerPanel lower = LowerPanel::points;  // below the chart
  std::string roof;                       // whose sources are shown
  std::optional<Motion> motion;
  std::string notice;                // what was last done for the user: "Saved picture.png"
  std::optional<std::string> error;  // why a action could not be carried out
};

struct AppState {
  std::vector<Manifest> catalogue;
  std::vector<Gpu> gpus;  // the bundled table
  SessionView session;
  Recordings recordings;  // of the log, ready to look up
  Choice choice;
  std::vector<Choice> older_choices;
  Settings settings;
  View view;
  Shown shown;
  double now = 0;  // [s] since the window opened
};

inline constexpr double motion_seconds = 0.15;

const Manifest& kernel(const AppState& state);
Parameters dialled(const AppState& state);           // complete
Configuration configuration(const AppState& state);  // what the dials say
const Gpu* gpu(const AppState& state);               // empty where nothing is known of the chosen one
// Of the chosen GPU and kernel: live on the session's device, recorded where there are points, else predicted.
Mode mode(const AppState& state);

// Works out `shown` and starts the animation of a point that has moved.
void refresh(AppState& state);
// The session has news: points that have landed join the trail.
void take_log(AppState& state, const SessionLog& log);
// Chooses the GPU, the kernel and the first place of the dials, and fits the axes.
void open(AppState& state);

}  // namespace rooftile::scene
