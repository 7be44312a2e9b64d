#include "analysis/advice_reason.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/coalescing.hpp"
#include "analysis/format.hpp"
#include "analysis/memory_level.hpp"
#include "analysis/pipe.hpp"
#include "analysis/predict/instructions.hpp"

namespace rooftile {
namespace {

constexpr double worth_a_word = 1.05;  // a smaller change does not explain a term

double mean_wavefronts_of(const Model& model) {
  double requests = 0, wavefronts = 0;
  for (const AccessModel& access : model.accesses) {
    requests += access.requests;
    wavefronts += access.wavefronts;
  }
  return requests > 0 ? wavefronts / requests : 0;
}

double wavefronts_of(const Model& model) {
  double sum = 0;
  for (const AccessModel& access : model.accesses) {
    sum += access.wavefronts;
  }
  return sum;
}

double mean_lines_of(const Model& model) {
  double requests = 0, lines = 0;
  for (const GlobalAccessModel& access : model.global_accesses) {
    requests += access.requests;
    lines += access.lines;
  }
  return requests > 0 ? lines / requests : 0;
}

double lines_of(const Model& model) {
  double sum = 0;
  for (const GlobalAccessModel& access : model.global_accesses) {
    sum += access.lines;
  }
  return sum;
}

double partial_sectors_of(const Model& model) {
  double sum = 0;
  for (const GlobalAccessModel& access : model.global_accesses) {
    sum += access.partial_sectors;
  }
  return sum;
}

bool falls(double from, double to) {
  return from > worth_a_word * to;
}

std::string times(double number, const std::string& things) {
  return fmt::format("{:.3g} {}{}", number, things, number == 1 ? "" : "s");
}

// The mean of an access where that falls; else how much less there is of all.
std::optional<std::string> fall(const std::string& who, const std::string& does, const std::string& things,
                                double mean_from, double mean_to, double from, double to) {
  if (falls(mean_from, mean_to)) {
    return fmt::format("{} {} instead of {:.3g}", who, times(mean_to, things), mean_from);
  }
  return falls(from, to) ? std::optional(fmt::format("{} {} fewer {}s", does, percent(1 - to / from), things))
                         : std::nullopt;
}

// What of L1's pipe is saved most: wavefronts of shared memory, or lines of global memory.
std::string words_of_l1(const Model& here, const Model& there) {
  const double wavefronts = wavefronts_of(here), lines = lines_of(here);
  const auto said =
      wavefronts - wavefronts_of(there) >= lines - lines_of(there)
          ? fall("an access to shared memory takes", "shared memory serves", "wavefront",
                 mean_wavefronts_of(here), mean_wavefronts_of(there), wavefronts, wavefronts_of(there))
          : fall("a warp's access touches", "L1 serves", "line", mean_lines_of(here), mean_lines_of(there),
                 lines, lines_of(there));
  return said.value_or("L1 and shared memory have less to do");
}

std::optional<MemoryLevel> level_of(const std::string& term) {
  const auto named = [&](MemoryLevel level) { return title(level) == term; };
  const auto found = std::ranges::find_if(memory_levels, named);
  return found != memory_levels.end() ? std::optional(*found) : std::nullopt;
}

std::string words_of_level(MemoryLevel level, const Model& here, const Model& there) {
  return fmt::format("{} moves {} instead of {}", title(level), text_or_dash(there.bytes[level]),
                     text_or_dash(here.bytes[level]));
}

std::string words_of_issue(const Model& here, const Model& there) {
  const double from = warp_instructions(here).count(), to = warp_instructions(there).count();
  return falls(from, to) ? fmt::format("it issues about {} fewer instructions", percent(1 - to / from))
                         : "its last wave of blocks leaves fewer SMs idle";
}

std::string words(const std::string& term, const Model& here, const Model& there) {
  if (const auto level = level_of(term)) {
    return words_of_level(*level, here, there);
  }
  if (term == "L1 and shared memory") {
    return words_of_l1(here, there);
  }
  if (term == warp_issue) {
    return words_of_issue(here, there);
  }
  if (term == "latency") {
    return "its warps wait less for their loads";
  }
  if (term == "block starts") {
    return fmt::format("{} blocks start instead of {}", count(static_cast<double>(there.launch.grid.count())),
                       count(static_cast<double>(here.launch.grid.count())));
  }
  if (term == "partly written sectors") {
    return partial_sectors_of(there) == 0 ? "its stores fill whole sectors"
                                          : "fewer of its stores leave sectors half filled";
  }
  if (term.starts_with("atomics")) {
    return "fewer " + term + " wait for each other";
  }
  return "less work runs beside the problem, or its last wave of blocks leaves fewer SMs idle";
}

Seconds time_of(const std::string& term, const Prediction& prediction) {
  const auto found = std::ranges::find(prediction.terms, term, &Term::name);
  return found != prediction.terms.end() ? found->time : Seconds{};
}

// Arithmetic and issue share slots: of the two only the longer may be a term.
Seconds time_of(const std::string& term, const Outlook& forecast) {
  const std::string pipe(short_name(forecast.model.pipe));
  return term == warp_issue || term == pipe
             ? std::max(time_of(warp_issue, forecast.prediction), time_of(pipe, forecast.prediction))
             : time_of(term, forecast.prediction);
}

}  // namespace

std::optional<Reason> reason(const Outlook& here, const Outlook& there) {
  std::optional<Reason> found;
  double saved_most = 0;
  for (const Term& term : here.prediction.terms) {
    const Seconds to = time_of(term.name, there);
    const double saved = weight(term.time) - weight(to);
    if (saved > saved_most) {
      saved_most = saved;
      found = Reason{term.name, term.time, to, ""};
    }
  }
  if (found) {
    found->words = words(found->term, here.model, there.model);
  }
  return found;
}

}  // namespace rooftile
