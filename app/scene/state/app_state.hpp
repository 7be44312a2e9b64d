// Everything the window knows. Panels read it through const and append to Actions; apply() is the one place
// where it changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/manifest/configuration.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/model/compiled_table.hpp"
#include "analysis/record/session_file.hpp"
#include "app/scene/chart/launch_extents.hpp"
#include "app/scene/chart/placed_rows.hpp"
#include "app/scene/launch/launch_edit.hpp"
#include "app/scene/map/best_search.hpp"
#include "app/scene/map/kept_map.hpp"
#include "app/scene/paper/theme.hpp"
#include "app/scene/program/program_view.hpp"
#include "app/scene/state/recordings.hpp"
#include "app/scene/state/shown.hpp"
#include "app/scene/table/table_order.hpp"

namespace rooftile::scene {

// Where the figures on the screen come from. live: a device measures. recorded: a file is read, nothing is
// launched. predicted: the compiler and the model answer for the chosen GPU, no device is used.
enum class Mode { live, recorded, predicted };

// The session as the window last saw it.
struct SessionView {
  std::string device;     // that measures; empty: none
  bool starting = false;  // the worker has not said yet what it is
  bool reading = false;   // the log still grows by what was recorded
  bool compiles = true;   // a compiler answers
  bool busy = false;
  std::shared_ptr<const SessionLog> log = std::make_shared<const SessionLog>();  // the session's own
  std::optional<Progress> progress;
  std::optional<Seconds> time_left;
  // Of the launch that is waited for: for how long, and when it is given up. Empty while nobody waits.
  std::optional<Seconds> waited, gives_up_in;
  bool worker_given_up = false;  // it can be started again by hand
  bool sweep_paused = false;
  std::vector<std::uint64_t> swept;    // the launches of the newest sweep
  int compilers = 1;                   // that compile ahead at the same time
  std::optional<ProgramView> program;  // of the command line
};

inline constexpr Seconds long_wait{3};  // from here on the window counts a wait down

// What the user is told once: what went wrong, or what was done.
struct Message {
  enum class Kind { done, wrong };
  Kind kind = Kind::done;
  std::string text;
  double since = 0;  // [s]
};

// What the user has chosen. Undo brings an older one back.
struct Choice {
  std::string gpu;
  std::string kernel;
  std::map<std::string, Parameters> given;  // by kernel; the rest has the manifest's defaults
  Caches caches = Caches::cold;
  std::vector<std::uint64_t> trail;            // points visited, newest last
  std::size_t joined = 0;                      // how many of the session's live launches have joined it
  std::set<std::uint64_t> pinned;              // stay on the chart whatever is dialled
  std::map<std::uint64_t, std::string> names;  // that the user gave to launches
  std::optional<std::uint64_t> selected;       // by hand, until a dial moves
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
  double x_min = 0.04, x_max = 4000;    // [FLOP/B] or [instructions per transaction]
  double y_min = 1e11, y_max = 1.5e14;  // [FLOP/s] or [instructions/s]
  bool operator==(const Axes&) const = default;
};

// A move under way: the newest point comes from where `from` stands.
struct Motion {
  ChartRow from;
  double started = 0;  // [s]
};

// What the next sweep measures. A dial that is not named has all its values where the map shows it, else its
// present one.
struct SweepChoice {
  std::string kernel;  // that it was made for; another kernel begins anew
  std::map<std::string, std::set<double>> values;
  bool compile_ahead = true;
  bool operator==(const SweepChoice&) const = default;
};

enum class SidePanel { occupancy, proof };
enum class LowerPanel { points, map, why, source, roofs, occupancy, launch };
// What the rail of a small window opens over the chart.
enum class Drawer { kernels, dials, points, map, why, source, roofs, curves, launch, shares, occupancy, proof };

// The last advice that was worked out, and what of.
struct KeptAdvice {
  Point point;
  std::uint64_t revision = 0;  // of the log
  std::optional<Advice> advice;
};

// Advice that was followed.
struct Followed {
  Place place;
  std::string kernel, gpu;
  Seconds predicted;
  Seconds before;  // of the launch it was given for
};

// A source that was opened has several kernels, or templates: which one is meant?
struct KernelQuestion {
  std::filesystem::path source;
  std::vector<std::string> names;  // to choose from; of a template one instance, which is a guess
  std::string typed;               // the answer so far
  std::string wrong;               // with the last answer, in a sentence; may be empty
};

struct View {
  MemoryLevel level = MemoryLevel::dram;
  ByteDefinition bytes = ByteDefinition::requested;
  std::optional<Origin> origin;    // of roofs; empty: the best there is
  bool instructions = false;       // the instruction roofline is wanted
  bool occupancy_on_dots = false;  // a dot is the larger, the more of an SM is used
  Axes axes;
  std::string dial;          // has the keyboard
  double kernel_chosen = 0;  // [s] when
  bool more_open = false;
  std::map<std::string, bool> groups;  // of kernels: opened or closed by hand
  bool keys_open = false;
  SidePanel side = SidePanel::occupancy;  // below the verdict, where there is room for one
  LowerPanel lower = LowerPanel::points;  // below the chart
  MapChoice map;
  std::optional<Followed> followed;  // the newest
  TableChoice table;
  std::set<std::uint64_t> selection;  // launches ringed everywhere, until others are selected
  bool sweep_open = false;            // its panel
  SweepChoice sweep;
  std::optional<std::uint64_t> pointed;  // launch under the pointer, ringed wherever it is shown
  std::optional<Drawer> drawer;          // open in a small window
  bool picture_asked = false;            // of the next frame without a menu
  std::string roof;                      // whose sources are shown
  std::string beside;                 // GPU whose launches stand beside those of the chosen one; may be empty
  std::vector<std::string> compared;  // GPUs whose occupancy stands beside that of the chosen one
  std::map<std::string, LaunchEdits> edits;  // in the launch form, by kernel; not saved
  std::optional<KernelQuestion> question;
  std::optional<Motion> motion;
  std::optional<Message> message;  // the newest
};

// Where the window stands while it follows a program by itself; who goes elsewhere stays there.
struct ProgramFollow {
  std::optional<std::uint64_t> launch;
  Axes axes;
};

struct AppState {
  std::vector<Manifest> catalogue;
  std::vector<std::string> mistakes;             // in the files of kernels that the catalogue leaves out
  std::map<std::string, std::string> sources;    // the text of each kernel's source, by kernel
  std::map<std::string, std::string> versions;   // of a launch of each kernel that is not bundled, by kernel
  std::map<std::string, std::string> manifests;  // the text of each kernel.toml that is not bundled, by kernel
  std::vector<Gpu> gpus;                         // the bundled table
  CompiledTable compiled;  // of bundled kernels: for places that no compiler has seen here
  SessionView session;
  Recordings recordings;                          // of the log, ready to look up
  LaunchExtents extents;                          // of its launches, ready to fit axes to
  std::uint64_t followed = 0;                     // the revision of the log that has been followed so far
  std::vector<std::uint64_t> live;                // launches of this session that have landed, oldest first
  std::unordered_set<std::uint64_t> landed_live;  // the same ones
  std::set<std::string> placed_kernels;           // without [work], of which a launch was counted
  std::unordered_set<std::uint64_t> earlier;      // of kernels of the user's own, launched as they are no more
  ProgramFollow program_follow;
  PlacedRows placed;             // of its launches, for the chart
  TableKeys table_keys;          // and for the table
  KeptMap kept_map;              // and for the map
  std::optional<Places> places;  // of the chosen kernel and GPU, modelled for advice so far
  std::optional<KeptAdvice> advice;
  Choice choice;
  std::vector<Choice> older_choices;
  Settings settings;
  float display_scale = 1;  // of the monitor; settings.scale contains it
  View view;
  std::optional<BestSearch> search;  // the newest, also when it is over
  Shown shown;
  double now = 0;  // [s] since the window opened
};

inline constexpr std::size_t most_compared = 3;
inline constexpr double motion_seconds = 0.15;
inline constexpr double message_seconds = 20;

const Manifest& kernel(const AppState& state);
Parameters dialled(const AppState& state);           // complete
Configuration configuration(const AppState& state);  // what the dials say
const Gpu* gpu(const AppState& state);               // empty where nothing is known of the chosen one
const Gpu* gpu_called(const AppState& state, const std::string& name);  // of the session, else of the table
// A GPU of the session to compare the chosen one with: the same one in another session, else the last. Empty:
// there is no other.
std::string other_gpu(const AppState& state);
// Of the chosen GPU and kernel: live on the session's device, recorded where there are points, else predicted.
Mode mode(const AppState& state);

// The one place for what goes wrong and for what was done; a newer message replaces the older one.
void tell(AppState& state, Message::Kind kind, std::string text);

// Lets the time pass: ends a motion and an old message. True if there is something new to draw.
bool pass_time(AppState& state, double now);

// Works out `shown` and starts the animation of a point that has moved.
void refresh(AppState& state);
// Texts of files by kernel; of bundled kernels the source alone.
struct KernelTexts {
  std::map<std::string, std::string> manifests, sources;
};
// The kernels were read again: what was worked out of the former ones goes, as do values and edits that a
// kernel takes no more.
void use_kernels(AppState& state, std::vector<Manifest> kernels, KernelTexts texts);
// The source of this kernel was saved with this text.
void use_source(AppState& state, const std::string& kernel, std::string text);
// The log has grown: points that have landed join the trail.
void follow_log(AppState& state);
}  // namespace rooftile::scene
