#include "app/scene/verdict/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/chip/occupancy.hpp"
#include "analysis/source/compile_errors.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/occupancy/occupancy_view.hpp"

namespace rooftile::scene {
namespace {

std::string capitalised(std::string words) {
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

ShareBar bar(const LevelUse& use) {
  return {.label = capitalised(std::string(title(use.level))),
          .level = use.level,
          .rate = text(use.bandwidth),
          .percent = percent_or_dash(use.share),
          .share = use.share.value_or(0),
          .above_roof = use.above_roof};
}

// Near to far, then compute: the order of the roofs from left to right.
std::vector<ShareBar> share_bars(const Placement& placement) {
  std::vector<ShareBar> bars;
  for (auto use = placement.levels.rbegin(); use != placement.levels.rend(); ++use) {
    bars.push_back(bar(*use));
  }
  if (placement.performance && placement.compute_share) {
    bars.push_back({.label = std::string(short_name(placement.pipe)),
                    .level = std::nullopt,
                    .rate = text(*placement.performance),
                    .percent = percent(*placement.compute_share),
                    .share = *placement.compute_share,
                    .above_roof = placement.above_compute_roof});
  }
  const auto largest = std::ranges::max_element(bars, {}, &ShareBar::share);
  if (largest != bars.end() && largest->share > 0) {
    largest->binds = true;
  }
  return bars;
}

std::string spills_text(const Compiled& compiled) {
  const int spilled = compiled.spill_store_bytes + compiled.spill_load_bytes;
  return spilled == 0 ? "0 spills" : "spills " + text(Bytes{static_cast<double>(spilled)});
}

std::vector<std::string> compiled_lines(const Point& point) {
  const Dim3 block = point.launch.block;
  std::vector<std::string> lines;
  if (point.compiled) {
    const int shared = point.compiled->static_shared_bytes + point.launch.dynamic_shared_bytes;
    lines.push_back(fmt::format("{} registers   {}", point.compiled->registers, spills_text(*point.compiled)));
    lines.push_back(fmt::format("{} B shared memory", count(shared)));
    if (point.compiled->from_table) {
      lines.emplace_back("from the bundled table");
    }
  }
  if (point.launch.block.count() > 1) {  // a launch that failed early has no shape
    lines.push_back(fmt::format("{} threads   {} blocks", count(static_cast<double>(block.count())),
                                count(static_cast<double>(point.launch.grid.count()))));
  }
  return lines;
}

// What the compiler says of the source, a line for each error; any other failure in its own words.
std::string failure_grounds(const std::string& failure, const std::string& source) {
  std::string grounds;
  for (const CompileError& error : compile_errors(failure, source)) {
    grounds += fmt::format("\nLine {}: {}", error.line, error.words);
  }
  return grounds.empty() ? failure : source + " does not compile." + grounds;
}

// source: the name of the kernel's file.
Verdict verdict_of(const Point& point, const std::string& source, const std::optional<Placement>& placement,
                   const std::optional<Occupancy>& occupancy) {
  if (point.failure) {
    return {point.final ? "This launch failed" : "This launch does not fit",
            failure_grounds(*point.failure, source), "failed"};
  }
  if (point.verification && !point.verification->passed) {
    return {"The result is wrong", point.verification->sentence, "wrong"};
  }
  if (const auto why_not = why_not_predicted(point); why_not && !point.timing) {
    return {"Nothing is predicted", *why_not, ""};
  }
  if (!placement) {
    return {"No roof to compare with", "No roof of this GPU is known for what this kernel moves.", ""};
  }
  return diagnose(point, *placement, occupancy);
}

std::string source_name(const AppState& state, const Point& point) {
  const Manifest* manifest = known_kernel(state.known.catalogue, point.kernel);
  return manifest ? manifest->source.filename().string() : "";
}

// By the bundled table, which knows every place at once, and by other launches.
std::vector<DialOccupancy> dials_around(const AppState& state, const Point& point, const Gpu& device) {
  const auto compiled_at = [&](const Parameters& parameters, ComputeCapability cc) {
    if (parameters == point.parameters) {
      return point.compiled;
    }
    const auto known = state.known.compiled.find(point.kernel, parameters, cc);
    return known ? known : compiled_before(state, parameters, device);
  };
  return occupancy_by_dial(find_kernel(state.known.catalogue, point.kernel), point.parameters, device,
                           compiled_at);
}

}  // namespace

Subject subject(const AppState& state, const Point& point, const Roofs& roofs) {
  Subject result;
  result.point = point;
  result.placement = place(point, roofs, state.view.bytes);
  const Gpu* device = gpu(state);
  const auto occupancy = device ? occupancy_of(point, device->sm) : std::nullopt;
  result.verdict = verdict_of(point, source_name(state, point), result.placement, occupancy);
  result.limits = point.counters ? limits(*point.counters) : std::vector<std::string>{};
  result.compiled = compiled_lines(point);
  if (occupancy) {
    result.occupancy = occupancy_view(point, *occupancy, *device);
    if (is_open(state.view, Panel::curves)) {
      result.occupancy_plots = occupancy_plots(point, *device, compared_gpus(state));
      result.dial_steps = dial_steps(dials_around(state, point, *device));
    }
  }
  if (result.placement) {
    result.shares = share_bars(*result.placement);
    result.checks = prove(point, *result.placement, occupancy);
  }
  return result;
}

}  // namespace rooftile::scene
