#include "app/cli/bench/speed_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "analysis/text/safe_text.hpp"

namespace rooftile::cli {
namespace {

// A product's FLOPs as the mathematics has them, without those of tiles that overhang; else the bytes that
// cannot be avoided.
std::string rate(const Point& point) {
  if (const auto depth = point.parameters.find("K"); depth != point.parameters.end()) {
    return text(Flops{2 * depth->second * point.modelled.elements} / point.timing->median);
  }
  return text(point.modelled.compulsory_dram / point.timing->median);
}

std::string cell(const std::optional<Point>& point) {
  return point ? fmt::format("{} {}", markdown_code(point->kernel), rate(*point)) : unknown_text;
}

// How many times as fast as the rival; beside the DRAM peak the share of it.
std::string ratio(const SpeedRow& row, const Duel& duel, std::optional<BytesPerSecond> dram_peak) {
  if (!duel.best || (row.rival.empty() ? !dram_peak : !duel.rival)) {
    return unknown_text;
  }
  return duel.rival ? fmt::format("{:.2f}x", duel.rival->timing->median / duel.best->timing->median)
                    : percent(duel.best->modelled.compulsory_dram / duel.best->timing->median / *dram_peak);
}

nlohmann::json json(const std::optional<Point>& point) {
  return point ? nlohmann::json{{"kernel", point->kernel},
                                {"parameters", point->parameters},
                                {"median_s", point->timing->median.value}}
               : nlohmann::json();
}

nlohmann::json json(const Duel& duel) {
  return {{"rival", json(duel.rival)}, {"best", json(duel.best)}};
}

}  // namespace

std::string speed_table(const std::vector<SpeedRow>& rows, std::optional<BytesPerSecond> dram_peak,
                        const std::string& gpu) {
  std::string table = fmt::format(
      "| on {}, cold caches | size | beside | best | its dials | ratio | warm |\n"
      "| --- | --: | --- | --- | --- | --: | --: |\n",
      markdown_cell(gpu));
  for (const SpeedRow& row : rows) {
    table += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} |\n", row.title, text(row.size),
        row.rival.empty() ? fmt::format("DRAM peak {}", text_or_dash(dram_peak)) : cell(row.cold.rival),
        cell(row.cold.best), row.dials.empty() ? unknown_text : markdown_cell(text(row.dials)),
        ratio(row, row.cold, dram_peak), ratio(row, row.warm, dram_peak));
  }
  return table;
}

nlohmann::json json_of(const SpeedRow& row) {
  return {{"problem", row.title}, {"size", row.size}, {"cold", json(row.cold)}, {"warm", json(row.warm)}};
}

}  // namespace rooftile::cli
