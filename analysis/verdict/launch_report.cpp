#include "analysis/verdict/launch_report.hpp"

#include <fmt/format.h>

#include "analysis/record/distinguishing.hpp"
#include "analysis/source/code/compile_errors.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

// The compiler's messages on the source, a line for each error; any other failure in its own words.
std::string failure_grounds(const std::string& failure) {
  const std::size_t end = failure.find(" does not compile:");
  if (end == std::string::npos) {
    return failure;
  }
  const std::string source = failure.substr(0, end);
  std::string errors;
  for (const CompileError& error : compile_errors(failure, source)) {
    errors += fmt::format("\nLine {}: {}", error.line, error.words);
  }
  return errors.empty() ? failure : source + " does not compile." + errors;
}

std::string as_sentence(std::string words) {
  return words.empty() || words.ends_with('.') ? words : words + ".";
}

}  // namespace

LaunchFacts LaunchReport::facts() const {
  return {point, placement ? &*placement : nullptr, theoretical ? &*theoretical : nullptr};
}

std::vector<Cell> LaunchReport::cells() const {
  std::vector<Cell> all;
  for (const CellKey key : cell_keys()) {
    all.push_back(cell_of(key, facts()));
  }
  return all;
}

std::vector<std::string> LaunchReport::flags() const {
  std::vector<std::string> all;
  for (const Cell& cell : cells()) {
    // The nearest roof is one of the others.
    if (!cell.flag.empty() && cell.id != id_of({Figure::nearest_share})) {
      all.push_back(cell.flag);
    }
  }
  return all;
}

LaunchReport launch_report(const Point& point, const Gpu* gpu, const Roofs* roofs, ByteDefinition bytes) {
  LaunchReport report;
  report.name = point.kernel;
  report.point = point;
  report.bytes = bytes;
  report.placement = roofs ? place(point, *roofs, bytes) : std::nullopt;
  report.theoretical = gpu ? occupancy_of(point, gpu->sm) : std::nullopt;
  report.verdict = verdict_of(point, report.placement, report.theoretical);
  if (report.placement && report.placement->evidence != Evidence::predicted) {
    report.checks = prove(point, *report.placement, report.theoretical);
  }
  return report;
}

LaunchReport launch_report(const Point& point, const SessionLog& log, ByteDefinition bytes) {
  return launch_report(point, log.gpu(point.gpu), log.roofs_of(point.gpu), bytes);
}

std::vector<LaunchReport> launch_reports(const SessionLog& log) {
  const std::vector<Parameters> apart = distinguishing(log.points);
  std::vector<LaunchReport> all;
  for (std::size_t i = 0; i < log.points.size(); ++i) {
    all.push_back(launch_report(log.points[i], log));
    all.back().name += apart[i].empty() ? "" : " " + text(apart[i]);
  }
  return all;
}

Verdict verdict_of(const Point& point, const std::optional<Placement>& placement,
                   const std::optional<Occupancy>& theoretical) {
  if (point.wrong()) {
    return {"The result is wrong", as_sentence(point.verification->sentence), "wrong"};
  }
  if (point.failure) {
    return {point.final ? "This launch failed" : "This launch cannot run here", failure_grounds(*point.failure),
            "failed"};
  }
  if (const auto why_not = why_not_predicted(point); why_not && !point.timing) {
    return {"Nothing is predicted", *why_not, ""};
  }
  if (!placement && point.timing && point.timing->median < shortest_launch) {
    return {"The time cannot be right", text(point.timing->median) + " is shorter than any launch.", ""};
  }
  if (point.program && point.evidence() == Evidence::timed) {
    return {"Timed, not counted", point.notes.empty() ? "It was launched too seldom." : point.notes.front(),
            ""};
  }
  if (!placement) {
    return {"No roof to compare with", "No roof of this GPU is known for what this kernel moves.", ""};
  }
  return diagnose(point, *placement, theoretical);
}

std::optional<std::string> why_not_predicted(const Point& point) {
  if (!point.failure && !point.modelled.states_work) {
    return point.modelled.basis.empty() ? "Its kernel.toml states no [work]. Add it, or launch the kernel on a "
                                          "GPU, which counts the work."
                                        : point.modelled.basis;
  }
  return point.failure;
}

}  // namespace rooftile
