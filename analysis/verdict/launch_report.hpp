// The report of a launch: all that is said of it wherever it is shown, in the window, the command line, JSON,
// CSV and the drawn page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/advice/advice_words.hpp"
#include "analysis/record/session_file.hpp"
#include "analysis/verdict/diagnosis.hpp"
#include "analysis/verdict/launch_cell.hpp"
#include "analysis/verdict/proof.hpp"

namespace rooftile {

struct LaunchReport {
  std::string name;  // the kernel, and the parameters that tell the launch from others of this kernel
  Point point;
  ByteDefinition bytes = ByteDefinition::requested;
  std::optional<Placement> placement;
  std::optional<Occupancy> theoretical;  // empty: not compiled
  Verdict verdict;
  std::vector<Check> checks;              // of measured launches
  std::optional<AdviceInWords> advice{};  // where it was asked for

  LaunchFacts facts() const;
  Cell cell(Figure figure, std::optional<MemoryLevel> level = {}) const {
    return cell_of({figure, level}, facts());
  }
  Cell rate() const { return cell_of(rate_key(facts().placement), facts()); }
  std::vector<Cell> cells() const;         // all there are, known or not
  std::vector<std::string> flags() const;  // of these, a sentence each
};

// gpu, roofs: of the point's GPU; null where they are not known.
LaunchReport launch_report(const Point& point, const Gpu* gpu, const Roofs* roofs,
                           ByteDefinition bytes = ByteDefinition::requested);
// With what the session knows of its GPU.
LaunchReport launch_report(const Point& point, const SessionLog& log,
                           ByteDefinition bytes = ByteDefinition::requested);
std::vector<LaunchReport> launch_reports(const SessionLog& log);  // of all its launches

// The bound of a launch, or what went wrong first: it failed, its result is wrong, nothing is predicted, no
// roof is known.
Verdict verdict_of(const Point& point, const std::optional<Placement>& placement,
                   const std::optional<Occupancy>& theoretical);

// Why the model gives no time: the launch does not fit, or nobody stated its work, which is no failure.
std::optional<std::string> why_not_predicted(const Point& point);

}  // namespace rooftile
