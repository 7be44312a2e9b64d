// How the user looks at it: what is open, selected, typed and pointed at. Undo leaves it alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/scene/launch/launch_edit.hpp"
#include "app/scene/state/panel.hpp"
#include "app/scene/state/shown/chart.hpp"
#include "app/scene/state/shown/dials.hpp"
#include "app/scene/state/shown/landscape.hpp"
#include "app/scene/state/shown/point_table.hpp"

namespace rooftile::scene {

// A message that the user gets once: what went wrong, or what was done.
struct Message {
  enum class Kind { done, wrong };
  Kind kind = Kind::done;
  std::string text;
  double since = 0;  // [s]
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

// The next sweep. A dial that is not named has all its values where the map shows it, else its present one.
struct SweepChoice {
  std::string kernel;  // that it was made for; another kernel begins anew
  std::map<std::string, std::set<double>> values;
  bool compile_ahead = true;
  bool operator==(const SweepChoice&) const = default;
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
  std::vector<std::string> names;  // to choose from; for a template one instance, which is a guess
  std::string typed;               // the answer so far
  std::string wrong;               // with the last answer, in a sentence; may be empty
};

// The place of the window while it follows a program by itself; a user who goes elsewhere stays there.
struct ProgramFollow {
  std::optional<std::uint64_t> launch;
  Axes axes;
};

// The judgement of an answer. unknown: it could not be judged.
struct LessonVerdict {
  enum class Kind { right, wrong, unknown };
  Kind kind = Kind::unknown;
  std::string sentence;
  bool operator==(const LessonVerdict&) const = default;
};

// A cell of a picture that was clicked on.
struct PickedCell {
  Panel picture = Panel::banks;
  std::size_t buffer = 0;  // of the tile, from the left
  std::int64_t cell = 0;   // of the buffer, row by row; in banks and sectors the word
  bool operator==(const PickedCell&) const = default;
};

// The lesson that is played, and how far it is.
struct LessonPlay {
  std::string lesson;  // its id
  std::size_t step = 0;
  std::string typed = {};                 // the answer so far: a number, or the option that is pressed
  std::optional<PickedCell> picked = {};  // instead of it
  std::optional<LessonVerdict> verdict = {};
  bool revealed = false;
};

// The chart, or the picture that is open, alone and large, for a class.
struct Presentation {
  double began = 0;  // [s] from when its timer counts
  float scale_before = 1;
  bool hides = false;  // the launch, until the class has guessed
  bool laser = false;  // the pointer is a red spot
  // The picture stays while dials move, until one of these is another: nothing else was worked out.
  struct Frozen {
    std::string kernel, gpu;
    std::optional<Panel> drawer;
    bool hides = false;
    bool operator==(const Frozen&) const = default;
  };
  std::optional<Frozen> frozen = {};
};

// The warp and the step of an access that a picture shows.
struct StepChoice {
  struct Playing {
    double began = 0;  // [s]
    std::size_t from = 0;
    bool operator==(const Playing&) const = default;
  };
  int warp = 0;
  std::size_t step = 0;
  std::optional<Playing> playing;  // the steps follow one another
  bool operator==(const StepChoice&) const = default;
};

// The kernels of one problem are on the chart together, but for these.
struct Ladder {
  std::set<std::string> hidden;
  bool operator==(const Ladder&) const = default;
};

struct View {
  std::optional<LessonPlay> lesson;
  std::optional<std::string> note;  // that is written, so far
  std::optional<Presentation> presentation;
  MemoryLevel level = MemoryLevel::dram;
  ByteDefinition bytes = ByteDefinition::requested;
  std::optional<Origin> origin;  // of roofs; empty: the best there is
  std::optional<Ladder> ladder;
  bool instructions = false;       // the instruction roofline is wanted
  bool occupancy_on_dots = false;  // a dot is the larger, the more of an SM is used
  Axes axes;
  std::string dial;          // has the keyboard
  double kernel_chosen = 0;  // [s] when
  bool more_open = false;
  bool machine_code = false;           // its instructions stand below the lines of the source
  std::map<std::string, bool> groups;  // of kernels: opened or closed by hand
  bool keys_open = false;
  bool folded = false;            // a small window: a panel opens as a drawer over the chart
  Panel lower = Panel::points;    // of lower_tabs: below the chart
  Panel side = Panel::occupancy;  // of side_tabs: below the verdict, where there is room for one
  std::optional<Panel> drawer;    // open in a small window
  MapChoice map;
  std::optional<Followed> followed;  // the newest
  TableChoice table;
  std::set<std::uint64_t> selection;  // launches ringed everywhere, until others are selected
  bool sweep_open = false;            // its panel
  SweepChoice sweep;
  std::optional<std::uint64_t> pointed;  // launch under the pointer, ringed wherever it is shown
  bool picture_asked = false;            // of the next frame without a menu
  std::string roof;                      // whose sources are shown
  std::string access;                    // to memory, whose words are shown; empty: the dearest
  StepChoice steps;                      // of the pictures
  std::string beside;                 // GPU whose launches stand beside those of the chosen one; may be empty
  std::vector<std::string> compared;  // GPUs whose occupancy stands beside that of the chosen one
  std::map<std::string, LaunchEdits> edits;  // in the launch form, by kernel; not saved
  std::optional<KernelQuestion> question;
  ProgramFollow program_follow;
  std::optional<Motion> motion;
  std::optional<Message> message;  // the newest
};

// Whether the panel is looked at. A panel with a column of its own always is, in a window with room for
// columns.
bool is_open(const View& view, Panel panel);
// Opens it where it has its place: as a tab, or as a drawer.
void show_panel(View& view, Panel panel);
// The window was made so small that panels open as drawers, or larger again. A tab's panel stays in sight.
void fold(View& view, bool folded);

}  // namespace rooftile::scene
