// The kernel's source, line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/source/code/compile_errors.hpp"
#include "app/scene/state/shown/dials.hpp"

namespace rooftile::scene {

// One line of the kernel's source beside what it did.
struct SourceLine {
  int number = 0;      // 0: none
  std::string offset;  // of an instruction of the machine, which stands below its line; else empty
  std::string text;
  double heat = 0;  // its samples, as a share of the hottest line's
  std::string samples, waits_for, executed, sectors, wavefronts;
  bool conflicts = false;          // more wavefronts than ideal
  std::vector<std::string> facts;  // for the reader who points at it; none: nothing runs here
  std::vector<CompileError> errors;
};

struct SourceView {
  std::vector<SourceLine> lines;  // none: nobody knows the source
  int opens_at = 0;               // the number of the line with most samples, else of the one executed most
  bool counted = false;           // the lines say what they did
  bool has_machine_code = false;  // which can be listed
  std::string summary;            // the longest waits
  std::vector<std::string> facts;
  std::string notice;                   // instead of counts
  std::optional<Place> elsewhere;       // where the dials have lines with counts
  std::string cost;                     // of counting
  std::optional<std::string> why_not;   // nobody can count
  std::optional<std::uint64_t> failed;  // the launch whose source does not compile: lines have errors
};

}  // namespace rooftile::scene
