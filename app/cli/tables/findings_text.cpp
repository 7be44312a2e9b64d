#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/text/format.hpp"
#include "app/cli/tables/findings.hpp"
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
                     point.failure ? "failed" : word(point.evidence()));
}

void add_speed(Lines& lines, const Findings& found) {
  const Placement& placement = *found.placement;
  std::string time = text(placement.time);
  if (found.point.timing) {
    time += fmt::format("  median of {}, spread {}", found.point.timing->launches,
                        percent(found.point.timing->spread()));
  } else {
    time += found.point.modelled.time ? "  predicted" : "  lower bound from the roofs";
  }
  lines.add("time", time);
  if (placement.performance) {
    const auto share =
        placement.compute_share
            ? fmt::format("  {} of the {} roof", percent(*placement.compute_share), short_name(placement.pipe))
            : "";
    lines.add("performance", text(*placement.performance) + share);
  }
}

std::string levels_table(const Placement& placement, ByteDefinition definition) {
  const bool returned = definition == ByteDefinition::returned;
  TextTable table(
      {"level", returned ? "bytes returned" : "bytes", "bandwidth", "intensity", "of its roof", "bytes are"},
      "lrrrrl");
  for (const auto& use : placement.levels) {
    table.add({std::string(title(use.level)), text(use.bytes), text(use.bandwidth), text_or_dash(use.intensity),
               use.share ? percent(*use.share) + (use.above_roof ? " above it!" : "") : unknown_text,
               use.counted ? "counted" : "modelled"});
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

void add_occupancy(Lines& lines, const Findings& found) {
  if (found.occupancy) {
    const auto& it = *found.occupancy;
    lines.add("occupancy", fmt::format("{} theoretical: {} block{} an SM, {} of {} warps; limited by {}",
                                       percent(it.ratio()), it.blocks, it.blocks == 1 ? "" : "s", it.warps,
                                       it.max_warps, binding(it)));
  }
  if (found.point.counters && found.point.counters->achieved_occupancy) {
    lines.add("occupancy", percent(*found.point.counters->achieved_occupancy) + " achieved");
  }
}

void add_compiled(Lines& lines, const Point& point) {
  const auto& [grid, block, dynamic_bytes, cluster, carveout_percent] = point.launch;
  if (point.launch == Launch{}) {
    return;  // a library's
  }
  lines.add("launch", fmt::format("{} blocks of {} threads{}{}", count(static_cast<double>(grid.count())),
                                  count(static_cast<double>(block.count())),
                                  cluster.count() > 1 ? fmt::format(" in clusters of {}", cluster.count()) : "",
                                  carveout_percent ? fmt::format(", carveout {} %", *carveout_percent) : ""));
  if (!point.compiled) {
    return;
  }
  const auto& made = *point.compiled;
  const auto shared = text(Bytes{double(made.static_shared_bytes) + dynamic_bytes});
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

std::string_view check_word(Check::State state) {
  switch (state) {
    case Check::State::passed:
      return "passed ";
    case Check::State::failed:
      return "FAILED ";
    case Check::State::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

std::string text(const Findings& found) {
  const Point& point = found.point;
  Lines speed, detail;
  if (point.failure) {
    detail.add("failed", *point.failure);
  }
  if (found.placement) {
    add_speed(speed, found);
  }
  add_occupancy(detail, found);
  add_compiled(detail, point);
  add_limits(detail, point);
  add_clocks(detail, point);
  add_phases(detail, point);
  for (const auto& check : found.checks) {
    detail.add("proof", fmt::format("{}  {}", check_word(check.state), check.sentence));
  }
  for (const auto& note : point.notes) {
    detail.add("note", note);
  }
  if (found.verdict) {
    detail.add("verdict", found.verdict->title + ". " + found.verdict->grounds);
  }
  if (found.advice) {
    detail.add("advice", found.advice_sentence);
  }
  return heading(point) + "\n" + speed.text() +
         (found.placement ? levels_table(*found.placement, found.definition) : "") + detail.text();
}

}  // namespace rooftile::cli
