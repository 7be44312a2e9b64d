#include "app/cli/tables/lines_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/chip/memory_level.hpp"
#include "analysis/source/code/source_lines.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

using rooftile::text;

namespace {

std::string count_text(const std::optional<double>& value) {
  return value && *value > 0 ? count(*value) : "";
}

// "4,194,304 / 131,072"
std::string beside_ideal(const std::optional<double>& actual, const std::optional<double>& ideal) {
  return actual && *actual > 0 ? fmt::format("{} / {}", count(*actual), ideal ? count(*ideal) : unknown_text)
                               : "";
}

std::string threads_of_a_warp(const LineProfile& line) {
  const double executed = line.executed.value_or(0);
  return executed > 0 && line.thread_executed ? fmt::format("{:.1f}", *line.thread_executed / executed) : "";
}

std::vector<std::string> row(const LineProfile& line, double all_samples, const std::string& place,
                             const std::string& words) {
  const auto reasons = stalls(line);
  return {line.samples() > 0 ? percent(line.samples() / all_samples) : "",
          reasons.empty() ? "" : reasons.front().reason,
          count_text(line.executed),
          threads_of_a_warp(line),
          beside_ideal(line.global_sectors, line.ideal_global_sectors),
          beside_ideal(line.shared_wavefronts, line.ideal_shared_wavefronts),
          place,
          words};
}

LineProfile of_line(const SourceProfile& profile, int number) {
  const auto found = std::ranges::find(profile.lines, number, &LineProfile::line);
  return found == profile.lines.end() ? LineProfile{} : *found;
}

constexpr const char* columns_of_counts[] = {"samples", "top stall",       "executed",
                                             "threads", "sectors / ideal", "wavefronts / ideal"};

TextTable table_of_counts(const std::string& place, const std::string& alignment) {
  std::vector<std::string> columns(std::begin(columns_of_counts), std::end(columns_of_counts));
  columns.insert(columns.end(), {place, ""});
  return TextTable(columns, alignment);
}

std::string table_text(const SourceProfile& profile) {
  TextTable table = table_of_counts("line", "rlrrrrrl");
  const LineProfile all = total(profile);
  for (const auto& [number, words] : code_lines(profile.source)) {
    table.add(row(of_line(profile, number), all.samples(), std::to_string(number), words));
  }
  if (const LineProfile elsewhere = of_line(profile, 0); elsewhere.executed || elsewhere.samples() > 0) {
    table.add(row(elsewhere, all.samples(), unknown_text, "(not in this file)"));
  }
  table.add(row(all, all.samples(), "", "(all)"));
  return table.text();
}

std::string words_of(const MachineInstruction& instruction) {
  return instruction.label.empty() ? instruction.text : instruction.label + " " + instruction.text;
}

std::string stalls_text(const SourceProfile& profile) {
  const LineProfile all = total(profile);
  if (all.samples() == 0) {
    return "";
  }
  TextTable table({"", "", ""}, "rll");
  for (const Stall& stall : stalls(all)) {
    table.add({percent(stall.samples / all.samples()), stall.reason, meaning(stall.reason)});
  }
  return fmt::format(
      "\n{} samples of warps, one every {} cycles, {} dropped. Warps that did not issue were\n{}",
      count(all.samples()), count(profile.sampling_period), count(profile.dropped_samples), table.text(2));
}

std::vector<std::string> computed_row(const ptx::LineWork& line, const std::string& place,
                                      const std::string& words) {
  return {count_text(line.flops),
          line.sectors > 0 ? text(Bytes{line.sectors * sector_bytes}) : "",
          line.requests > 0 ? fmt::format("{:.1f}", line.sectors / line.requests) : "",
          beside_ideal(line.wavefronts, line.ideal_wavefronts),
          place,
          words};
}

}  // namespace

std::string computed_text(const std::vector<ptx::LineWork>& lines, std::string_view source) {
  TextTable table({"FLOPs", "global memory", "sectors per request", "wavefronts / ideal", "line", ""},
                  "rrrrrl");
  for (const auto& [number, words] : code_lines(std::string(source))) {
    const auto found = std::ranges::find(lines, number, [](const auto& line) { return line.source.line; });
    table.add(computed_row(found == lines.end() ? ptx::LineWork{} : *found, std::to_string(number), words));
  }
  return table.text();
}

std::string machine_text(const SourceProfile& profile) {
  TextTable table = table_of_counts("offset", "rlrrrrrl");
  const auto code = code_lines(profile.source);
  const double samples = total(profile).samples();
  int line = -1;
  for (const MachineInstruction& each : profile.instructions) {
    if (std::exchange(line, each.counts.line) != each.counts.line) {
      const auto words = std::ranges::find(code, line, &NumberedLine::number);
      table.add({"", "", "", "", "", "", line == 0 ? std::string(unknown_text) : std::to_string(line),
                 line == 0             ? "(not in this file)"
                 : words == code.end() ? ""
                                       : words->text});
    }
    table.add(row(each.counts, samples, fmt::format("{:04x}", each.offset), "    " + words_of(each)));
  }
  return profile.instructions.empty() ? "" : table.text();
}

std::string text(const SourceProfile& profile) {
  std::string all =
      fmt::format("{}  {}\n{}, {} caches\n\n{}{}", profile.kernel, text(profile.parameters), profile.gpu,
                  profile.caches == Caches::cold ? "cold" : "warm", table_text(profile), stalls_text(profile));
  for (const std::string& note : profile.notes) {
    all += "\n" + note;
  }
  return all;
}

}  // namespace rooftile::cli
