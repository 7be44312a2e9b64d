// Launches that Nsight Compute counted, as `ncu --csv --page raw` prints them: a row of names, a row of units,
// then a row per launch.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile {

struct NcuLaunches {
  // One point for each GPU, kernel and shape, as for a program that was profiled; `gpu` as the driver calls it,
  // or empty where the file does not say.
  std::vector<Point> points;
  std::vector<std::string> left_out;  // rows that cannot be used: "report.csv:7: ..."
};

// file: its name in messages. Lines before the table are skipped. Throws Error where there is no such table.
NcuLaunches read_ncu_csv(std::string_view text, const std::filesystem::path& file);

}  // namespace rooftile
