#include "analysis/verdict/advice_reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/chip/memory_level.hpp"
#include "analysis/chip/pipe.hpp"
#include "analysis/model/coalescing.hpp"
#include "analysis/predict/instructions.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr double worth_a_word = 1.05;  // a smaller change does not explain a term

// Of all accesses together: AccessModel::requests, say.
template <class Access>
double sum(const std::vector<Access>& accesses, double Access::*figure) {
  double sum = 0;
  for (const Access& access : accesses) {
    sum += access.*figure;
  }
  return sum;
}

template <class Access>
double mean(const std::vector<Access>& accesses, double Access::*figure) {
  const double requests = sum(accesses, &Access::requests);
  return requests > 0 ? sum(accesses, figure) / requests : 0;
}

bool falls(double from, double to) {
  return from > worth_a_word * to;
}

std::string times(double number, const std::string& things) {
  return fmt::format("{:.3g} {}{}", number, things, number == 1 ? "" : "s");
}

struct Wording {
  const char *one, *all;  // of one access; of all together
  const char* thing;
};

// The mean of an access where that falls; else how much less there is of all.
template <class Access>
std::optional<std::string> fall(const std::vector<Access>& from, const std::vector<Access>& to,
                                double Access::*figure, const Wording& words) {
  const double mean_from = mean(from, figure), mean_to = mean(to, figure);
  if (falls(mean_from, mean_to)) {
    return fmt::format("{} {} instead of {:.3g}", words.one, times(mean_to, words.thing), mean_from);
  }
  const double all_from = sum(from, figure), all_to = sum(to, figure);
  return falls(all_from, all_to) ? std::optional(fmt::format("{} {} fewer {}s", words.all,
                                                             percent(1 - all_to / all_from), words.thing))
                                 : std::nullopt;
}

// Of L1's pipe, what takes most of it here: wavefronts of shared memory, or accesses to global memory.
std::string words_of_l1(const Model& here, const Model& there) {
  const bool mostly_shared =
      sum(here.accesses, &AccessModel::wavefronts) >= sum(here.global_accesses, &GlobalAccessModel::cycles);
  const auto shared = fall(here.accesses, there.accesses, &AccessModel::wavefronts,
                           {"an access to shared memory takes", "shared memory serves", "wavefront"});
  const auto global =
      fall(here.global_accesses, there.global_accesses, &GlobalAccessModel::cycles,
           {"each access to global memory keeps the load/store unit busy for", "global memory takes", "cycle"});
  const auto& first = mostly_shared ? shared : global;
  const auto& second = mostly_shared ? global : shared;
  return first ? *first : second.value_or("L1 and shared memory have less to do");
}

std::optional<MemoryLevel> level_of(const std::string& term) {
  const auto named = [&](MemoryLevel level) { return title(level) == term; };
  const auto found = std::ranges::find_if(memory_levels, named);
  return found != memory_levels.end() ? std::optional(*found) : std::nullopt;
}

std::string words_of_level(MemoryLevel level, const Model& here, const Model& there) {
  if (level == MemoryLevel::dram && here.reused.value > 0 && here.bytes[level] == there.bytes[level]) {
    return "L2 keeps more of the data that is loaded again";
  }
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
    return sum(there.global_accesses, &GlobalAccessModel::partial_sectors) == 0
               ? "its stores fill whole sectors"
               : "fewer of its stores leave sectors half filled";
  }
  if (term.starts_with("atomics")) {
    return "fewer " + term + " wait for each other";
  }
  return "fewer other instructions run, or the last wave of blocks leaves fewer SMs idle";
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
  const std::string& binding = here.prediction.longest().name;
  std::optional<Reason> found;
  double saved_most = 0;
  for (const Term& term : here.prediction.terms) {
    const Seconds to = time_of(term.name, there);
    const double saved = term.beside ? 0 : weight(term.time) - weight(to);
    const bool ends_what_binds = term.name == binding && falls(term.time.value, to.value);
    if (saved > saved_most || ends_what_binds) {
      saved_most = ends_what_binds ? std::numeric_limits<double>::infinity() : saved;
      found = Reason{term.name, term.time, to, ""};
    }
  }
  if (found) {
    found->words = words(found->term, here.model, there.model);
  }
  return found;
}

}  // namespace rooftile
