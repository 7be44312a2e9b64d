#include "app/scene/program/program_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/text/format.hpp"

namespace rooftile::scene {
namespace {

std::string whole_time(Seconds time) {
  return time.value < 120 ? fmt::format("{:.0f} s", std::floor(time.value))
                          : fmt::format("{:.0f} min", std::floor(time.value / 60));
}

std::string seen_so_far(const ProgramTotals& totals) {
  if (totals.launches == 0) {
    return "no launch seen yet";
  }
  return fmt::format("{} seen, {} counted", counted(totals.launches, "launch", "es"),
                     counted(totals.counted_kernels, "kernel"));
}

}  // namespace

std::string counted(double number, std::string_view thing, std::string_view ending) {
  return fmt::format("{} {}{}", count(number), thing, number == 1 ? "" : ending);
}

std::string counting_cost(int every) {
  return fmt::format(
      "{} of each kernel and shape is counted: it is replayed in several passes, which took 0.1 s on an H200, "
      "and 5 s where a program filled 80 GB. All others run as always and are timed.",
      every > 0 ? fmt::format("one launch in {}", every) : "the first launch");
}

std::string sum_of(const ProgramTotals& totals, std::size_t processes) {
  std::string all = fmt::format(
      "{} launches of {} kernel{} and shapes in {} took {} on the GPU. {} counted{}; that took {}.",
      count(totals.launches), totals.kernels, totals.kernels == 1 ? "" : "s",
      counted(static_cast<double>(processes), "process", "es"), text(totals.time),
      counted(totals.counted, "launch", "es") + (totals.counted == 1 ? " was" : " were"),
      totals.passes > 0 ? fmt::format(" in {} passes each", totals.passes) : "", text(totals.counting));
  if (totals.in_graphs > 0) {
    all += fmt::format(" {} launches came from CUDA graphs, which are timed and never counted.",
                       count(totals.in_graphs));
  }
  return all;
}

std::string why_nothing_recorded(bool any_process) {
  return any_process ? "nothing is recorded: the program started CUDA, but none of the kernels to be counted "
                       "ended."
                     : "nothing is recorded: the program did not start CUDA, or found no GPU and no driver.";
}

std::string how_it_ended(const ProgramStatus& end) {
  return end.signal.empty() ? fmt::format("ended with status {}", end.status)
                            : fmt::format("was ended by signal {} ({})", end.status - 128, end.signal);
}

std::string program_line(const ProgramView& program) {
  if (!program.started) {
    return fmt::format("{} starts after the roofs of the GPU are measured.", program.name);
  }
  if (!program.end) {
    return fmt::format("{}: {}, running for {}", program.name, seen_so_far(program.totals),
                       whole_time(program.running_for));
  }
  return fmt::format("{} {} after {}: {}", program.name, how_it_ended(*program.end),
                     whole_time(program.running_for),
                     program.totals.launches > 0 ? sum_of(program.totals, program.processes)
                                                 : why_nothing_recorded(program.processes > 0));
}

}  // namespace rooftile::scene
