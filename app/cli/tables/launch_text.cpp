#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/text/format.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {
namespace {

// One block of the report: what it is about on the left, lines on the right.
class Lines {
 public:
  void add(const std::string& subject, const std::string& line) {
    table_.add({subject == last_ ? "" : subject, line});
    last_ = subject;
  }
  std::string text() const { return table_.text(); }

 private:
  TextTable table_{{"", ""}, "ll"};
  std::string last_;
};

std::string heading(const Point& point) {
  return fmt::format("{}  {}\n{}, {} caches, {}\n", point.kernel, text(point.parameters),
                     point.gpu.empty() ? "no GPU" : point.gpu, point.caches == Caches::cold ? "cold" : "warm",
                     point.failure ? "failed" : key(point.evidence()));
}

void add_speed(Lines& lines, const LaunchReport& launch) {
  const Placement& placement = *launch.placement;
  std::string time = launch.cell(Figure::time).text;
  if (launch.point.timing) {
    time += fmt::format("  median of {}, spread {}", launch.point.timing->launches,
                        launch.cell(Figure::spread).text);
  } else {
    time += launch.point.modelled.time ? "  predicted" : "  lower bound from the roofs";
  }
  lines.add("time", time);
  if (placement.performance) {
    const Cell share = launch.cell(Figure::compute_share);
    lines.add("performance",
              launch.cell(Figure::performance).text +
                  (share.value ? fmt::format("  {} of the {} roof", share.marked(), short_name(placement.pipe))
                               : ""));
    lines.add("FLOPs",
              fmt::format("{}  {}", launch.cell(Figure::flops).text, key(launch.cell(Figure::flops).evidence)));
  }
}

std::string levels_table(const LaunchReport& launch) {
  const bool returned = launch.bytes == ByteDefinition::returned;
  TextTable table(
      {"level", returned ? "bytes returned" : "bytes", "bandwidth", "intensity", "of its roof", "bytes are"},
      "lrrrrl");
  for (const auto& use : launch.placement->levels) {
    table.add({std::string(title(use.level)), launch.cell(Figure::bytes, use.level).text,
               launch.cell(Figure::bandwidth, use.level).text, launch.cell(Figure::intensity, use.level).text,
               launch.cell(Figure::roof_share, use.level).marked(), use.counted ? "counted" : "modelled"});
  }
  return table.empty() ? "" : "\n" + table.text() + "\n";
}

std::string binding(const Occupancy& occupancy) {
  std::vector<std::string_view> names;
  for (const auto& limit : occupancy.limits) {
    if (limit.binds) {
      names.push_back(title(limit.limiter));
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_occupancy(Lines& lines, const LaunchReport& launch) {
  if (launch.theoretical) {
    const auto& it = *launch.theoretical;
    lines.add("occupancy", fmt::format("{} theoretical: {} per SM, {} of {} warps; limited by {}",
                                       launch.cell(Figure::theoretical_occupancy).text,
                                       counted(it.blocks, "block"), it.warps, it.max_warps, binding(it)));
  }
  if (const Cell achieved = launch.cell(Figure::achieved_occupancy); achieved.value) {
    lines.add("occupancy", achieved.marked() + " achieved");
  }
}

void add_conflicts(Lines& lines, const LaunchReport& launch) {
  if (const Cell share = launch.cell(Figure::bank_conflict_share); share.value) {
    lines.add("conflicts", fmt::format("{} of the shared-memory wavefronts: {}", share.marked(),
                                       launch.cell(Figure::bank_conflicts).text));
  }
}

void add_compiled(Lines& lines, const Point& point) {
  const Launch& launch = point.launch;
  if (!point.compiled && launch == Launch{}) {
    return;  // a library's
  }
  lines.add(
      "launch",
      fmt::format("{} of {}{}{}{}", counted(static_cast<double>(launch.grid.count()), "block"),
                  counted(static_cast<double>(launch.block.count()), "thread"),
                  launch.cluster.count() > 1 ? fmt::format(" in clusters of {}", launch.cluster.count()) : "",
                  launch.carveout_percent ? fmt::format(", carveout {} %", *launch.carveout_percent) : "",
                  launch.cooperative ? ", cooperative" : ""));
  if (!point.compiled) {
    return;
  }
  const auto& made = *point.compiled;
  const auto shared = text(Bytes{double(made.static_shared_bytes) + launch.dynamic_shared_bytes});
  if (point.program) {  // whose compiler's words nobody has
    lines.add("compiled",
              fmt::format("{} registers, {} shared memory, for {}", made.registers, shared, text(made.cc)));
    return;
  }
  lines.add("compiled",
            fmt::format("{} registers, {} shared memory, {} spilled, for {}", made.registers, shared,
                        text(Bytes{double(made.spill_store_bytes) + made.spill_load_bytes}), text(made.cc)));
}

void add_limits(Lines& lines, const Point& point) {
  if (point.counters) {
    for (const std::string& limit : limits(*point.counters)) {
      lines.add("limits", limit);
    }
  }
}

void add_clocks(Lines& lines, const Point& point) {
  if (point.counters && point.counters->sm_clock) {
    lines.add("clocks", fmt::format("SM {}, DRAM {}", text(*point.counters->sm_clock),
                                    text_or_dash(point.counters->dram_clock)));
  }
}

void add_phases(Lines& lines, const Point& point) {
  std::string line;
  for (const auto& phase : point.phases) {
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", phase.name, text(phase.duration));
  }
  if (!line.empty()) {
    lines.add("phases", line);
  }
}

}  // namespace

std::string text(const LaunchReport& launch) {
  const Point& point = launch.point;
  Lines speed, detail;
  if (launch.placement) {
    add_speed(speed, launch);
  }
  add_occupancy(detail, launch);
  add_conflicts(detail, launch);
  add_compiled(detail, point);
  add_limits(detail, point);
  add_clocks(detail, point);
  add_phases(detail, point);
  for (const auto& check : launch.checks) {
    detail.add("proof",
               fmt::format("{:<7}  {}", check.state == Check::State::failed ? "FAILED" : key(check.state),
                           check.sentence));
  }
  for (const std::string& flag : launch.flags()) {
    detail.add("!", flag);
  }
  for (const auto& note : point.notes) {
    detail.add("note", note);
  }
  // A compiler's words hold more than the verdict says of them.
  const bool has_more_words = point.failure && !point.wrong();
  detail.add("verdict", fmt::format("{}. {}", launch.verdict.title,
                                    has_more_words ? *point.failure : launch.verdict.grounds));
  if (launch.advice) {
    detail.add("advice", launch.advice->sentence);
  }
  return heading(point) + "\n" + speed.text() + (launch.placement ? levels_table(launch) : "") + detail.text();
}

}  // namespace rooftile::cli
