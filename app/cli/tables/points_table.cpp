#include "app/cli/tables/points_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "analysis/exchange/points_csv.hpp"
#include "analysis/record/program/program_points.hpp"

namespace rooftile::cli {
namespace {

// Why the launch has no placement; else what bounds it, and how that is known.
std::string bound_by(const LaunchReport& launch) {
  if (!launch.placement) {
    return launch.point.failure.value_or(launch.verdict.title);
  }
  const Evidence evidence = launch.placement->evidence;
  return marked_bound(launch) + (evidence == Evidence::counted ? "" : fmt::format(" ({})", key(evidence)));
}

// Each launch says which GPU of the machine measured it, if several did.
bool are_of_several(const std::vector<LaunchReport>& points) {
  return std::ranges::any_of(
      points, [&](const LaunchReport& launch) { return launch.point.device != points.front().point.device; });
}

std::string on_device(const LaunchReport& launch) {
  return launch.point.device ? fmt::format(" on GPU {}", *launch.point.device) : "";
}

}  // namespace

TextTable points_table(const std::vector<LaunchReport>& points, AdviceColumn advice) {
  std::vector<std::string> columns = {"variant",   "time", "performance",        "of its roof",
                                      "intensity", "DRAM", "achieved occupancy", "bound by"};
  std::string sides = "lrrrrrrl";
  if (advice == AdviceColumn::last) {
    columns.emplace_back("advice");
    sides += 'l';
  }
  TextTable table(columns, sides);
  const bool of_several = are_of_several(points);
  for (const LaunchReport& launch : points) {
    std::vector<std::string> row = {name_in_a_row(launch) + (of_several ? on_device(launch) : ""),
                                    launch.cell(Figure::time).text,
                                    launch.cell(Figure::performance).text,
                                    launch.cell(Figure::nearest_share).marked(),
                                    launch.cell(Figure::intensity, MemoryLevel::dram).text,
                                    launch.cell(Figure::bytes, MemoryLevel::dram).text,
                                    launch.cell(Figure::achieved_occupancy).marked(),
                                    bound_by(launch)};
    if (advice == AdviceColumn::last) {
      row.push_back(launch.advice ? launch.advice->sentence : "");
    }
    table.add(row);
  }
  return table;
}

std::string flag_lines(const std::vector<LaunchReport>& points) {
  std::string lines;
  for (const LaunchReport& launch : points) {
    if (const std::string flags = flags_text(launch); !flags.empty()) {
      lines += fmt::format("! {}: {}\n", name_in_a_row(launch), flags);
    }
  }
  return lines;
}

std::string marked_bound(const LaunchReport& launch) {
  return launch.verdict.bound_by + (launch.flags().empty() ? "" : " !");
}

std::string name_in_a_row(const LaunchReport& launch) {
  return launch.point.program ? short_kernel_name(launch.point.kernel) : launch.name;
}

}  // namespace rooftile::cli
