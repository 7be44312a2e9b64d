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

std::string launches_were(double number) {
  return counted(number, "launch", "es") + (number == 1 ? " was" : " were");
}

// "2 launches were replayed in 9 passes each, 90 launches were counted in one pass each"
std::string how_counted(const ProgramTotals& totals) {
  const double replayed = totals.counted - totals.in_one_pass;
  std::string all;
  if (replayed > 0 || totals.in_one_pass == 0) {
    all = launches_were(replayed) +
          (replayed > 0 ? fmt::format(" replayed in {} passes each", totals.passes) : " counted");
  }
  if (totals.in_one_pass > 0) {
    all += fmt::format("{}{} counted in one pass each", all.empty() ? "" : ", ",
                       launches_were(totals.in_one_pass));
  }
  return all;
}

// " Not counted: 34 % of that time (21 % kernels launched by CUDA graphs alone, 13 % kernels that ...)."
std::string what_is_uncounted(const ProgramTotals& totals) {
  Seconds sum;
  std::string parts;
  for (const auto& [why, time] : totals.uncounted) {
    sum += time;
    const std::string share = totals.uncounted.size() > 1 ? percent(time / totals.time) + " " : "";
    parts += fmt::format("{}{}kernels {}", parts.empty() ? "" : ", ", share, why);
  }
  return sum.value > 0 ? fmt::format(" Not counted: {} of that time ({}).", percent(sum / totals.time), parts)
                       : "";
}

std::string capture_line(const ProgramView& program) {
  const std::string kernel = short_kernel_name(program.capture->kernel);
  const std::string running = fmt::format("running for {}", whole_time(program.running_for));
  return program.capture->is_written
             ? fmt::format("{} is captured and opens once {} has ended, {}", kernel, program.name, running)
             : fmt::format("{} runs again until the same launch of {} is captured, {}", program.name, kernel,
                           running);
}

}  // namespace

std::string counting_cost(const ProfileOptions& options) {
  if (!options.capture.empty()) {
    return "the first launch that --capture names is written down with its memory. Nothing is counted; all "
           "launches are timed.";
  }
  constexpr const char* one_by_one =
      "launches of each kernel and shape are counted, each in one pass, until all passes are known";
  std::string all;
  switch (options.replay) {
    case ReplayUse::never:
      all = fmt::format("{}. Nothing is replayed.", one_by_one);
      break;
    case ReplayUse::seldom:
      all = fmt::format(
          "the first launch of each kernel and shape is replayed for every pass, 0.1 s each on an H200, for "
          "1 s or a tenth of the program's time at most. Once a kernel repeats or memory is half full, {}.",
          one_by_one);
      break;
    case ReplayUse::always:
      all = fmt::format(
          "{} of each kernel and shape is counted: it is replayed in several passes, which took 0.1 s on an "
          "H200, and 5 s where a program filled 80 GB.",
          options.every > 0 ? fmt::format("one launch in {}", options.every) : "the first launch");
      break;
  }
  return all + " All other launches run as always and are timed.";
}

std::string sum_of(const ProgramTotals& totals, std::size_t processes) {
  std::string all = fmt::format(
      "{} of {} in {} took {} on the GPU. {}; that took {}.", counted(totals.launches, "launch", "es"),
      totals.kernels == 1 ? "1 kernel" : count(totals.kernels) + " kernels and shapes",
      counted(static_cast<double>(processes), "process", "es"), text(totals.time), how_counted(totals),
      text(totals.counting));
  all += what_is_uncounted(totals);
  if (totals.incomplete_kernels > 0) {
    all += fmt::format(
        " {} launched too seldom to be counted a pass a launch; --replay always counts {}.",
        counted(totals.incomplete_kernels, "kernel") + (totals.incomplete_kernels == 1 ? " was" : " were"),
        totals.incomplete_kernels == 1 ? "it" : "them");
  }
  if (totals.in_graphs > 0) {
    all +=
        fmt::format(" {} came from CUDA graphs, whose kernels are timed; what repeats is counted as a whole.",
                    counted(totals.in_graphs, "launch", "es"));
  }
  return all;
}

std::string why_nothing_recorded(const std::string& why_not_loaded) {
  return "nothing is recorded. " +
         (why_not_loaded.empty() ? "The program started CUDA, but none of the kernels to be counted ended."
                                 : why_not_loaded);
}

std::string how_it_ended(const ProgramStatus& end) {
  return end.signal.empty() ? fmt::format("ended with status {}", end.status)
                            : fmt::format("was ended by signal {} ({})", end.status - 128, end.signal);
}

std::string program_line(const ProgramView& program) {
  if (!program.started) {
    return fmt::format("{} starts after the roofs of the GPU are measured.", program.name);
  }
  if (program.capture && !program.end) {
    return capture_line(program);
  }
  if (!program.end) {
    return fmt::format("{}: {}, running for {}", program.name, seen_so_far(program.totals),
                       whole_time(program.running_for));
  }
  return fmt::format("{} {} after {}: {}", program.name, how_it_ended(*program.end),
                     whole_time(program.running_for),
                     program.totals.launches > 0 ? sum_of(program.totals, program.processes)
                                                 : why_nothing_recorded(program.why_not_loaded));
}

}  // namespace rooftile::scene
