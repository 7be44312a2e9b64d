// The program of the command line, as the window last saw it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analysis/record/program/program_points.hpp"

namespace rooftile::scene {

struct ProgramStatus {
  int status = 0;      // as a shell has it: 128 + the signal where one ended it
  std::string signal;  // "Segmentation fault"; empty where it ended by itself
};

// A launch that the program runs again for, to have it written down.
struct ProgramCapture {
  std::string kernel;
  bool is_written = false;
  std::string lacks = {};  // what a replay does, a line each
};

struct ProgramView {
  std::string name;                            // "python3"
  bool started = false;                        // before, the roofs are measured
  Seconds running_for;                         // or ran
  ProgramTotals totals;                        // so far
  std::size_t processes = 0;                   // that recorded anything
  std::string why_not_loaded = {};             // once it has ended and none did
  std::optional<ProgramStatus> end;            // empty while it runs
  std::optional<ProgramCapture> capture = {};  // empty: its launches are counted
  bool runs() const { return started && !end; }
};

}  // namespace rooftile::scene
