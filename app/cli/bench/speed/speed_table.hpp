// The best of the kernels beside what they are compared with.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::cli {

struct Duel {
  std::optional<Point> rival, best;
};

struct SpeedRow {
  std::string title;
  std::string rival;  // a kernel; empty: the DRAM peak
  Parameters size;
  Duel cold, warm;
  Parameters dials;                        // of the best with cold caches
  std::optional<std::uint32_t> seed = {};  // that drew the size
};

std::string speed_line(const SpeedRow& row, std::optional<BytesPerSecond> dram_peak);  // of the table
// In Markdown. Below it a line for each problem whose sizes were drawn: the median ratio, and the least.
std::string speed_table(const std::vector<SpeedRow>& rows, std::optional<BytesPerSecond> dram_peak,
                        const std::string& gpu);
nlohmann::json json_of(const SpeedRow& row);

}  // namespace rooftile::cli
