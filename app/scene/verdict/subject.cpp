#include "app/scene/verdict/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/chip/occupancy.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/occupancy/occupancy_view.hpp"
#include "app/scene/program/program_words.hpp"

namespace rooftile::scene {
namespace {

std::string capitalised(std::string words) {
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

// "26.3 GB in 2.00 ms, counted" and "the roof: 4.43 TB/s, measured".
std::vector<std::string> level_facts(const LaunchReport& report, MemoryLevel level, const Roofs& roofs) {
  const Cell bytes = report.cell(Figure::bytes, level);
  std::vector<std::string> facts = {
      fmt::format("{} in {}, {}", bytes.text, report.cell(Figure::time).text, key(bytes.evidence))};
  if (const MemoryRoof* roof = roofs.find(level)) {
    facts.push_back(fmt::format("the roof: {}, {}", text(roof->bandwidth), key(roof->origin)));
  }
  return facts;
}

std::vector<std::string> pipe_facts(const LaunchReport& report, const Roofs& roofs) {
  const ComputeRoof* roof = roofs.find(report.placement->pipe);
  return roof ? std::vector{fmt::format("the roof: {}, {}", text(*roof), key(roof->origin))}
              : std::vector<std::string>{};
}

ShareBar bar(std::string label, std::optional<MemoryLevel> level, const Cell& rate, const Cell& share) {
  return {.label = capitalised(std::move(label)),
          .level = level,
          .rate = rate.text,
          .percent = share.text,
          .share = share.value.value_or(0),
          .flag = share.flag};
}

// Near to far, then compute: the order of the roofs from left to right.
std::vector<ShareBar> share_bars(const LaunchReport& report, const Roofs& roofs) {
  std::vector<ShareBar> bars;
  const auto& levels = report.placement->levels;
  for (auto use = levels.rbegin(); use != levels.rend(); ++use) {
    bars.push_back(bar(std::string(title(use->level)), use->level, report.cell(Figure::bandwidth, use->level),
                       report.cell(Figure::roof_share, use->level)));
    bars.back().facts = level_facts(report, use->level, roofs);
  }
  if (const Cell share = report.cell(Figure::compute_share); share.value) {
    bars.push_back(bar(std::string(short_name(report.placement->pipe)), std::nullopt,
                       report.cell(Figure::performance), share));
    bars.back().facts = pipe_facts(report, roofs);
  }
  const auto largest = std::ranges::max_element(bars, {}, &ShareBar::share);
  if (largest != bars.end() && largest->share > 0) {
    largest->binds = true;
  }
  return bars;
}

// "25.2 FLOP/B at DRAM", near to far.
std::string intensity_text(const LaunchReport& report, MemoryLevel level) {
  const Cell intensity = report.cell(Figure::intensity, level);
  return intensity.value ? fmt::format("{} at {}, {}", intensity.text, title(level), key(intensity.evidence))
                         : "";
}

void add_intensity(Subject& subject, MemoryLevel chosen) {
  for (const LevelUse& use : subject.placement->levels) {
    if (const std::string line = intensity_text(subject, use.level); !line.empty()) {
      subject.intensities.push_back(line);
    }
  }
  const std::string at_chosen = intensity_text(subject, chosen);
  subject.intensity = at_chosen.empty() ? intensity_text(subject, MemoryLevel::dram) : at_chosen;
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
    lines.push_back(fmt::format("{} threads   {}", count(static_cast<double>(block.count())),
                                counted(static_cast<double>(point.launch.grid.count()), "block")));
  }
  return lines;
}

// From the bundled table, which knows every place at once, and from other launches.
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

// The compiler's word where it answered without registers; empty where it did not, and where nobody asked.
std::string note_of_compiler(const AppState& state, const Point& point) {
  for (const std::uint64_t id :
       state.known.recordings.known_at(point.gpu, point.kernel, point.caches, point.parameters)) {
    const Point* answer = state.known.session.log->point(id);
    if (answer && answer->final && !answer->compiled && !answer->notes.empty()) {
      return answer->notes.back();
    }
  }
  return "";
}

std::string why_no_occupancy(const AppState& state, const Point& point) {
  if (point.failure) {
    return point.final ? "Registers are not known: this launch failed."
                       : "Registers are not known: this launch cannot run here.";
  }
  if (!kernel(state).library.empty()) {
    return "Registers of a library's kernel are known where it was launched.";
  }
  if (const std::string note = note_of_compiler(state, point); !note.empty()) {
    return note;
  }
  return state.known.session.compiles
             ? "Registers are not known yet: the kernel is being compiled for this GPU."
             : "Registers are not known: no compiler is here and this launch is not recorded.";
}

// Races, accesses outside of buffers and wrong claims, as many as the card has room for.
std::vector<std::string> findings_of(const AppState& state, const Point& point) {
  constexpr std::size_t most = 3;
  const CodeAnswer* code = point.kernel == state.choice.kernel ? code_at(state, point.parameters) : nullptr;
  if (!code || !code->launch) {
    return {};
  }
  std::vector<std::string> findings = code->launch->findings;
  if (findings.size() > most) {
    const auto more = static_cast<double>(findings.size() - most);
    findings.resize(most);
    findings.push_back(fmt::format("{} more: rooftile-cli lines {} lists them.", count(more), point.kernel));
  }
  return findings;
}

}  // namespace

Subject subject(const AppState& state, const Point& point, const Roofs& roofs) {
  const Gpu* device = gpu(state);
  Subject result{launch_report(point, device, &roofs, state.view.bytes)};
  result.limits = point.counters ? limits(*point.counters) : std::vector<std::string>{};
  result.compiled = compiled_lines(point);
  result.findings = findings_of(state, point);
  if (!result.theoretical) {
    result.why_no_occupancy = why_no_occupancy(state, point);
  } else {
    result.occupancy = occupancy_view(point, *result.theoretical, *device);
    if (is_open(state.view, Panel::curves)) {
      result.occupancy_plots = occupancy_plots(point, *device, compared_gpus(state));
      result.dial_steps = dial_steps(dials_around(state, point, *device));
    }
  }
  if (result.placement) {
    result.shares = share_bars(result, roofs);
    add_intensity(result, state.view.level);
  }
  return result;
}

}  // namespace rooftile::scene
