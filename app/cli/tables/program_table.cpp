#include "app/cli/tables/program_table.hpp"

#include <fmt/format.h>

#include "analysis/record/program_points.hpp"
#include "analysis/text/format.hpp"
#include "analysis/text/safe_text.hpp"

namespace rooftile::cli {
namespace {

ProgramLaunches launches_of(const Findings& found) {
  return found.point.program.value_or(ProgramLaunches{});
}

std::optional<double> achieved_occupancy(const Findings& found) {
  return found.point.counters ? found.point.counters->achieved_occupancy : std::nullopt;
}

std::string performance(const Placement& placement) {
  return placement.performance ? fmt::format("{} {}", placement.rate(), short_name(placement.pipe))
                               : unknown_text;
}

std::string bytes_text(const Placement& placement, MemoryLevel level) {
  const LevelUse* use = placement.level(level);
  return use != nullptr ? text(use->bytes) : unknown_text;
}

// Without counters nothing says what bounds it.
std::string bound_by_text(const Findings& found) {
  return found.point.counters && found.verdict ? found.verdict->bound_by : "not counted";
}

std::vector<std::string> program_row(const Findings& found, Seconds all) {
  const ProgramLaunches program = launches_of(found);
  std::vector<std::string> cells = {short_kernel_name(found.point.kernel), shape_text(found.point.launch),
                                    count(program.launches), text(program.total),
                                    all.value > 0 ? percent(program.total / all) : unknown_text};
  if (!found.placement) {
    cells.insert(cells.end(), 7, unknown_text);
    return cells;
  }
  const Placement& placement = *found.placement;
  cells.push_back(text(placement.time));
  cells.push_back(performance(placement));
  cells.push_back(percent_or_dash(placement.largest_share()));
  cells.push_back(bytes_text(placement, MemoryLevel::dram));
  cells.push_back(bytes_text(placement, MemoryLevel::l2));
  cells.push_back(percent_or_dash(achieved_occupancy(found)));
  cells.push_back(bound_by_text(found));
  return cells;
}

constexpr std::string_view csv_columns =
    "kernel,gpu,grid_x,grid_y,grid_z,block_x,block_y,block_z,dynamic_shared_bytes,static_shared_bytes,"
    "registers_per_thread,launches,counted,total_s,median_s,fastest_s,slowest_s,flops_per_s,pipe,"
    "share_of_nearest_roof,dram_bytes,l2_bytes,l1_bytes,shared_bytes,theoretical_occupancy,achieved_occupancy,"
    "warp_instructions,bound_by,verdict\n";

// A line that grows from left to right.
class ProgramLine {
 public:
  void add(std::string_view words) { line_ += (line_.empty() ? "" : ",") + csv_cell(words); }
  void add(const std::optional<double>& figure) {
    line_ += "," + (figure ? fmt::format("{}", *figure) : std::string());
  }
  std::string text() const { return line_ + "\n"; }

 private:
  std::string line_;
};

void add_launch(ProgramLine& line, const Point& point) {
  line.add(point.kernel);
  line.add(point.gpu);
  for (const Dim3& dim : {point.launch.grid, point.launch.block}) {
    for (const int side : {dim.x, dim.y, dim.z}) {
      line.add(std::optional<double>(side));
    }
  }
  const auto made = [&](int Compiled::*figure) {
    return point.compiled ? std::optional<double>((*point.compiled).*figure) : std::nullopt;
  };
  line.add(std::optional<double>(point.launch.dynamic_shared_bytes));
  line.add(made(&Compiled::static_shared_bytes));
  line.add(made(&Compiled::registers));
}

void add_times(ProgramLine& line, const Findings& found) {
  const ProgramLaunches program = launches_of(found);
  const auto time = [&](Seconds Timing::*figure) {
    return found.point.timing ? std::optional(((*found.point.timing).*figure).value) : std::nullopt;
  };
  line.add(std::optional(program.launches));
  line.add(std::optional(program.counted));
  line.add(std::optional(program.total.value));
  line.add(time(&Timing::median));
  line.add(time(&Timing::fastest));
  line.add(time(&Timing::slowest));
}

void add_place(ProgramLine& line, const Findings& found) {
  const Placement* placement = found.placement ? &*found.placement : nullptr;
  const bool has_rate = placement != nullptr && placement->performance;
  line.add(has_rate ? std::optional(placement->performance->value) : std::nullopt);
  line.add(has_rate ? placement->pipe : "");
  line.add(placement != nullptr ? placement->largest_share() : std::nullopt);
  for (const MemoryLevel level : {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1, MemoryLevel::shared}) {
    const LevelUse* use = placement != nullptr ? placement->level(level) : nullptr;
    line.add(use != nullptr ? std::optional(use->bytes.value) : std::nullopt);
  }
  line.add(found.occupancy ? std::optional(found.occupancy->ratio()) : std::nullopt);
  line.add(achieved_occupancy(found));
  line.add(found.point.counters ? found.point.counters->warp_instructions : std::nullopt);
  line.add(bound_by_text(found));
  line.add(found.point.counters && found.verdict ? found.verdict->title + ". " + found.verdict->grounds : "");
}

}  // namespace

TextTable program_table(const std::vector<Findings>& all, std::size_t most) {
  TextTable table({"kernel", "grid x block", "launches", "time", "share", "each", "performance", "of its roof",
                   "DRAM", "L2", "occupancy", "bound by"},
                  "llrrrrrrrrrl");
  Seconds sum;
  for (const Findings& found : all) {
    sum += launches_of(found).total;
  }
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    table.add(program_row(all[i], sum));
  }
  return table;
}

std::string program_csv(const std::vector<Findings>& all) {
  std::string table(csv_columns);
  for (const Findings& found : all) {
    ProgramLine line;
    add_launch(line, found.point);
    add_times(line, found);
    add_place(line, found);
    table += line.text();
  }
  return table;
}

}  // namespace rooftile::cli
