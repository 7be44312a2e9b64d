// All that is known: the kernels, the GPUs and the session, with what was launched filed for looking up.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/model/compiled_table.hpp"
#include "analysis/record/session_file.hpp"
#include "app/scene/chart/launch_extents.hpp"
#include "app/scene/lesson/lesson.hpp"
#include "app/scene/map/best_search.hpp"
#include "app/scene/program/program_view.hpp"
#include "app/scene/state/code_answer.hpp"
#include "app/scene/state/recordings.hpp"

namespace rooftile::scene {

// The session as the window last saw it.
struct SessionView {
  std::string device;        // that measures; empty: none
  bool starting = false;     // the worker has not said yet what it is
  bool reading = false;      // the log still grows by what was recorded
  bool compiles = true;      // a compiler answers
  bool brings_code = false;  // compiled code of some places came along, in a page
  bool busy = false;
  std::shared_ptr<const SessionLog> log = std::make_shared<const SessionLog>();  // the session's own
  std::optional<Progress> progress;
  std::optional<Seconds> time_left;
  // How long the awaited launch takes so far, and when it is given up. Empty while nobody waits.
  std::optional<Seconds> waited, gives_up_in;
  bool worker_given_up = false;  // it can be started again by hand
  bool sweep_paused = false;
  std::vector<std::uint64_t> swept;    // the launches of the newest sweep
  int compilers = 1;                   // that compile ahead at the same time
  std::optional<ProgramView> program;  // of the command line
};

inline constexpr Seconds long_wait{3};  // from here on the window counts a wait down

struct Knowledge {
  std::vector<Manifest> catalogue;
  std::vector<std::string> mistakes;             // in the files of kernels that the catalogue leaves out
  std::map<std::string, std::string> sources;    // the text of each kernel's source, by kernel
  std::map<std::string, std::string> versions;   // of a launch of each kernel that is not bundled, by kernel
  std::map<std::string, std::string> manifests;  // the text of each kernel.toml that is not bundled, by kernel
  std::vector<Gpu> gpus;                         // the bundled table
  std::vector<Lesson> lessons;                   // in the order they are taught; at last the session's notes
  std::vector<Note> notes;                       // of the log, as they were followed
  std::map<CodePlace, CodeAnswer> code;          // of kernels that state no work, as far as it was read
  std::uint64_t code_revision = 0;               // how often it changed
  std::map<CodePlace, TraceAnswer> steps;        // of blocks, for pictures; the newest places
  CompiledTable compiled;  // of bundled kernels: for places that no compiler has seen here
  SessionView session;
  Recordings recordings;                          // of the log, ready to look up
  LaunchExtents extents;                          // of its launches, ready to fit axes to
  std::uint64_t followed = 0;                     // the revision of the log that has been followed so far
  std::vector<std::uint64_t> live;                // launches of this session that have landed, oldest first
  std::unordered_set<std::uint64_t> landed_live;  // the same ones
  std::set<std::string> placed_kernels;       // without [work], of which a launch was counted or the code read
  std::unordered_set<std::uint64_t> earlier;  // of kernels of the user's own, launched as they are no more
  std::optional<BestSearch> search;           // the newest, also when it is over
  std::vector<Point> predicted;  // of places dialled where nothing measures; ids go on from first_predicted
};

inline constexpr std::uint64_t first_predicted = std::uint64_t{1} << 62;  // above all ids of launches

}  // namespace rooftile::scene
