#include "analysis/advice/advice_reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/chip/memory_level.hpp"
#include "analysis/model/coalescing.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr double worth_a_word = 1.05;  // a smaller change does not explain a term

// The sum of one figure over all accesses, such as AccessModel::requests.
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

// The mean per access where it falls; else how much less all accesses have together.
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

// The compiler merges loads of neighbours in shared memory where every row stays aligned to them, which odd
// padding ends.
std::optional<std::string> wider_access(const Model& here, const Model& there) {
  const AccessModel *before = nullptr, *after = nullptr;
  for (const AccessModel& access : here.accesses) {
    const auto same = std::ranges::find(there.accesses, access.name, &AccessModel::name);
    const bool is_wider = same != there.accesses.end() && same->width_bytes > access.width_bytes;
    if (is_wider && (!before || access.requests > before->requests)) {
      before = &access;
      after = &*same;
    }
  }
  return before
             ? std::optional(fmt::format("\"{}\" takes {} B of shared memory per lane at once instead of {} B",
                                         before->name, after->width_bytes, before->width_bytes))
             : std::nullopt;
}

// Names the part that shrinks by more cycles of L1's pipe: wavefronts of shared memory, or accesses to global
// memory.
std::string words_of_l1(const Model& here, const Model& there) {
  const double wavefronts =
                   sum(here.accesses, &AccessModel::wavefronts) - sum(there.accesses, &AccessModel::wavefronts),
               cycles = sum(here.global_accesses, &GlobalAccessModel::cycles) -
                        sum(there.global_accesses, &GlobalAccessModel::cycles);
  const auto wider = wider_access(here, there);
  const auto shared = wider ? wider
                            : fall(here.accesses, there.accesses, &AccessModel::wavefronts,
                                   {"an access to shared memory takes", "shared memory serves", "wavefront"});
  const auto global =
      fall(here.global_accesses, there.global_accesses, &GlobalAccessModel::cycles,
           {"each access to global memory keeps the load/store unit busy for", "global memory takes", "cycle"});
  const auto& first = wavefronts >= cycles ? shared : global;
  const auto& second = wavefronts >= cycles ? global : shared;
  return first ? *first : second.value_or("L1 and shared memory have less to do");
}

std::string words_of_level(MemoryLevel level, const Model& here, const Model& there) {
  return fmt::format("{} moves {} instead of {}", title(level), text_or_dash(there.bytes[level]),
                     text_or_dash(here.bytes[level]));
}

std::string words_of_issue(const Model& here, const Model& there) {
  const double from = here.instructions.count(), to = there.instructions.count();
  return falls(from, to) ? fmt::format("it issues about {} fewer instructions", percent(1 - to / from))
                         : "its last wave of blocks leaves fewer SMs idle";
}

std::string words_of_block_starts(const Model& here, const Model& there) {
  const auto blocks = [](const Model& model) { return count(static_cast<double>(model.launch.grid.count())); };
  return fmt::format("{} blocks start instead of {}", blocks(there), blocks(here));
}

std::string words(Term term, const Model& here, const Model& there) {
  switch (term) {
    case Term::dram:
      return words_of_level(MemoryLevel::dram, here, there);
    case Term::l2:
      return words_of_level(MemoryLevel::l2, here, there);
    case Term::distributed:
      return words_of_level(MemoryLevel::distributed, here, there);
    case Term::l1_and_shared:
      return words_of_l1(here, there);
    case Term::warp_issue:
      return words_of_issue(here, there);
    case Term::latency:
      return "its warps wait less for their loads";
    case Term::block_starts:
      return words_of_block_starts(here, there);
    case Term::partial_lines:
      return sum(there.global_accesses, &GlobalAccessModel::partial_lines) == 0
                 ? "its stores fill whole sectors"
                 : "fewer of its stores leave sectors half filled";
    case Term::atomics_in_l2:
    case Term::atomics_on_other_blocks:
      return "fewer " + title(term, here.pipe) + " wait for each other";
    case Term::arithmetic:
      break;
  }
  return "fewer other instructions run, or the last wave of blocks leaves fewer SMs idle";
}

// The longest of the terms that share its issue slots.
Seconds time_of(Term term, const TermTimes& times) {
  Seconds longest = times[term];
  for (const Term other : all_terms) {
    longest = times.share_slots(term, other) ? std::max(longest, times[other]) : longest;
  }
  return longest;
}

}  // namespace

std::optional<Reason> reason(const Outlook& here, const Outlook& there) {
  const TermTimes& terms = here.prediction.terms;
  std::optional<Reason> found;
  double saved_most = 0;
  for (const Term term : terms.counting()) {
    const Seconds from = terms[term], to = time_of(term, there.prediction.terms);
    const double saved = term == Term::block_starts ? 0 : weight(from) - weight(to);
    const bool ends_what_binds = term == terms.longest() && falls(from.value, to.value);
    if (saved > saved_most || ends_what_binds) {
      saved_most = ends_what_binds ? std::numeric_limits<double>::infinity() : saved;
      found = Reason{term, terms.pipe, from, to, ""};
    }
  }
  if (found) {
    found->words = words(found->term, here.model, there.model);
  }
  return found;
}

}  // namespace rooftile
