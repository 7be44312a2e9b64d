#include "app/cli/bench/speed/speed_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

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

std::optional<double> times_as_fast(const Duel& duel) {
  return duel.rival && duel.best ? std::optional(duel.rival->timing->median / duel.best->timing->median)
                                 : std::nullopt;
}

// How many times as fast as the rival; beside the DRAM peak the share of it.
std::string ratio(const SpeedRow& row, const Duel& duel, std::optional<BytesPerSecond> dram_peak) {
  if (!duel.best || (row.rival.empty() ? !dram_peak : !duel.rival)) {
    return unknown_text;
  }
  return duel.rival ? fmt::format("{:.2f}x", *times_as_fast(duel))
                    : percent(duel.best->modelled.compulsory_dram / duel.best->timing->median / *dram_peak);
}

// "TF32 multiply at 6 sizes drawn with seed 1: median 0.98x, least 0.91x at K=... M=... N=..."; empty: none
// were.
std::string drawn_line(const std::vector<SpeedRow>& rows, const std::string& title) {
  std::vector<std::pair<double, const SpeedRow*>> drawn;
  for (const SpeedRow& row : rows) {
    if (const auto ratio = times_as_fast(row.cold); ratio && row.seed && row.title == title) {
      drawn.emplace_back(*ratio, &row);
    }
  }
  if (drawn.empty()) {
    return "";
  }
  std::ranges::sort(drawn);
  const auto& [least, at] = drawn.front();
  const double median = (drawn[(drawn.size() - 1) / 2].first + drawn[drawn.size() / 2].first) / 2;
  return fmt::format("\n{} at {} sizes drawn with seed {}: median {:.2f}x, least {:.2f}x at {}.\n", title,
                     drawn.size(), *at->seed, median, least, text(at->size));
}

std::string drawn_lines(const std::vector<SpeedRow>& rows) {
  std::string lines, title;
  for (const SpeedRow& row : rows) {
    lines += row.title == title ? "" : drawn_line(rows, row.title);
    title = row.title;
  }
  return lines;
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

std::string speed_line(const SpeedRow& row, std::optional<BytesPerSecond> dram_peak) {
  return fmt::format(
      "| {} | {} | {} | {} | {} | {} | {} |\n", row.title, text(row.size),
      row.rival.empty() ? fmt::format("DRAM peak {}", text_or_dash(dram_peak)) : cell(row.cold.rival),
      cell(row.cold.best), row.dials.empty() ? unknown_text : markdown_cell(text(row.dials)),
      ratio(row, row.cold, dram_peak), ratio(row, row.warm, dram_peak));
}

std::string speed_table(const std::vector<SpeedRow>& rows, std::optional<BytesPerSecond> dram_peak,
                        const std::string& gpu) {
  std::string table = fmt::format(
      "| on {}, cold caches | size | beside | best | its dials | ratio | warm |\n"
      "| --- | --: | --- | --- | --- | --: | --: |\n",
      markdown_cell(gpu));
  for (const SpeedRow& row : rows) {
    table += speed_line(row, dram_peak);
  }
  return table + drawn_lines(rows);
}

nlohmann::json json_of(const SpeedRow& row) {
  return {{"problem", row.title},
          {"size", row.size},
          {"seed", row.seed ? nlohmann::json(*row.seed) : nlohmann::json()},
          {"cold", json(row.cold)},
          {"warm", json(row.warm)}};
}

}  // namespace rooftile::cli
