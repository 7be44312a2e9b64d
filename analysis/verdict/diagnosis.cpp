#include "analysis/verdict/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "analysis/text/format.hpp"
#include "analysis/verdict/launch_cell.hpp"

namespace rooftile {
namespace {

// Nsight Compute's rules: a launch is bound by latency if nothing is used to 60 %, neither a roof nor what an
// SM issues; 10 points make a difference; bank conflicts matter from 10 % of the wavefronts; theoretical
// occupancy below 80 % is worth a word.
constexpr double latency_below = 0.60;
constexpr double points_that_matter = 0.10;
constexpr double conflicts_that_matter = 0.10;
constexpr double low_occupancy = 0.80;
// A launch within a tenth of the unavoidable traffic saves nothing by reuse.
constexpr double nearly_compulsory = 1.10;

// One roof and how much of it is used; without a level it is the compute roof.
struct Use {
  std::optional<MemoryLevel> level;
  double share;
  std::string name;
  std::string id;
};

std::vector<Use> uses_by_share(const Placement& placement) {
  std::vector<Use> uses;
  for (const LevelUse& level : placement.levels) {
    if (level.share) {
      uses.push_back(
          {level.level, *level.share, std::string(title(level.level)), std::string(key(level.level))});
    }
  }
  if (placement.compute_share) {
    uses.push_back(
        {std::nullopt, *placement.compute_share, std::string(short_name(placement.pipe)), placement.pipe});
  }
  std::ranges::stable_sort(uses, std::ranges::greater{}, &Use::share);
  return uses;
}

// Empty where conflicts cost little or were not counted.
std::string conflict_fact(const Point& point) {
  const auto share = value_of({Figure::bank_conflict_share}, {point});
  return share && *share >= conflicts_that_matter
             ? fmt::format("{} of the shared-memory wavefronts are bank conflicts.", percent(*share))
             : "";
}

// 16 B per lane, side by side, is the widest access there is. Sectors beyond these are wasted.
bool is_uncoalesced(const Point& point) {
  // Copies of 16 bytes a lane to padded rows of shared memory count one sector of four twice, and hardly hit
  // L1.
  constexpr double sectors_of_widest = 16, sectors_of_copies = 20, few_hits = 0.25;
  const auto sectors = point.counters ? point.counters->sectors_per_request() : std::nullopt;
  const auto hits = point.counters ? point.counters->l1_hit_rate() : std::nullopt;
  return sectors && *sectors > (hits && *hits < few_hits ? sectors_of_copies : sectors_of_widest);
}

std::string dram_fact(const Point& point, const Placement& placement) {
  const Bytes compulsory = point.modelled.compulsory_dram;
  const Bytes moved = placement.level(MemoryLevel::dram)->bytes;
  if (compulsory.value <= 0) {
    return "";
  }
  return moved / compulsory <= nearly_compulsory
             ? fmt::format("Its {} are the least that the problem needs.", text(moved))
             : fmt::format("It moves {} where {} would do.", text(moved), text(compulsory));
}

std::string fact_of(const Use& top, const Point& point, const Placement& placement) {
  switch (top.level.value_or(MemoryLevel::l2)) {
    case MemoryLevel::dram:
      return dram_fact(point, placement);
    case MemoryLevel::shared:
      return conflict_fact(point);
    case MemoryLevel::l1:
    case MemoryLevel::l2:
    case MemoryLevel::distributed:
      break;
  }
  return "";
}

std::string followed_by(const std::string& sentence, const std::string& fact) {
  return fact.empty() ? sentence : sentence + " " + fact;
}

// The state of the other roofs: one close behind, else DRAM if it has little to do.
std::string others(const std::vector<Use>& uses) {
  const Use& top = uses.front();
  if (uses.size() > 1 && top.share - uses[1].share < points_that_matter) {
    return fmt::format("; {} is close behind with {}", uses[1].name, percent(uses[1].share));
  }
  const auto dram = std::ranges::find(uses, std::optional(MemoryLevel::dram), &Use::level);
  return dram != uses.end() && dram->share < points_that_matter ? "; DRAM is idle" : "";
}

Verdict roof_verdict(const Point& point, const Placement& placement, const std::vector<Use>& uses) {
  const Use& top = uses.front();
  const LevelUse* level = top.level ? placement.level(*top.level) : nullptr;
  const std::string basis = level && !level->counted ? "By modelled bytes, " : "";
  const std::string use = fmt::format("{}{} of its {} in use{}.", basis, percent(top.share),
                                      top.level ? "bandwidth" : "peak", others(uses));
  return {"Bound by " + top.name, followed_by(use, fact_of(top, point, placement)), top.name, top.id};
}

// "Alone, latency would take 1.41 ms and L1 1.35 ms of it": a share of a roof does not show which term is
// longer.
std::string alone_text(const ModelFigures& modelled) {
  const auto text_of = [&](const TermAlone& each, const char* verb) {
    return fmt::format("{}{} {}", title(each.term, modelled.pipe), verb, text(each.time));
  };
  constexpr double worth_a_word = 0.5;  // of the longest
  std::string words = "Alone, " + text_of(modelled.alone.front(), " would take");
  if (modelled.alone.size() > 1 && modelled.alone[1].time / modelled.alone[0].time > worth_a_word) {
    words += " and " + text_of(modelled.alone[1], "");
  }
  return words + fmt::format(" of the {}.", text(*modelled.time));
}

Verdict predicted_verdict(const Point& point, const Use& top) {
  const ModelFigures& modelled = point.modelled;
  if (modelled.alone.empty()) {
    return {"Would be bound by " + top.name, "By the model " + top.name + " takes longest.", top.name, top.id};
  }
  const Term term = modelled.alone.front().term;
  const std::string longest = title(term, modelled.pipe);
  const char* bound = modelled.time_is_least ? " Not all that it does is known, so it may take longer." : "";
  return {"Would be bound by " + longest,
          fmt::format("{} Predicted by {}.{}", alone_text(modelled), modelled.basis, bound), longest,
          key(term, modelled.pipe)};
}

std::string limiter_name(Limiter limiter) {
  std::string name(title(limiter));
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return name;
}

std::string occupancy_fact(const Occupancy& occupancy) {
  std::string names;
  for (const BlockLimit& limit : occupancy.limits) {
    if (limit.binds) {
      names += (names.empty() ? "" : " and ") + limiter_name(limit.limiter);
    }
  }
  return fmt::format("Only {} of {} warps are resident, limited by {}.", count(occupancy.warps),
                     count(occupancy.max_warps), names);
}

std::string latency_fact(const Point& point, const std::optional<Occupancy>& occupancy) {
  if (const std::string conflicts = conflict_fact(point); !conflicts.empty()) {
    return conflicts;
  }
  if (occupancy && occupancy->ratio() < low_occupancy) {
    return occupancy_fact(*occupancy);
  }
  const auto achieved = point.counters ? point.counters->achieved_occupancy : std::nullopt;
  if (occupancy && achieved && occupancy->ratio() - *achieved > points_that_matter) {
    return fmt::format("{} of a possible {} occupancy is reached: too few blocks, or they end unevenly.",
                       percent(*achieved), percent(occupancy->ratio()));
  }
  return "";
}

// No roof is near, but the SMs start or issue what they can.
std::optional<Verdict> instruction_verdict(const Point& point, const Placement& placement, const Use& top) {
  const double issue = placement.issue_share.value_or(0), accesses = placement.load_store_share.value_or(0);
  if (std::max(issue, accesses) < latency_below) {
    return {};
  }
  const auto grounds = [&](double share, const char* what) {
    return followed_by(fmt::format("The {} are {} busy; the closest roof is {} with {}.", what, percent(share),
                                   top.name, percent(top.share)),
                       conflict_fact(point));
  };
  return accesses >= issue
             ? Verdict{"Bound by loads and stores", grounds(accesses, "load/store units"), "loads, stores",
                       "loads_stores"}
             : Verdict{"Bound by warp issue", grounds(issue, "warp schedulers"), "warp issue", "instructions"};
}

// The closest roof is busy with wasted sectors: L1's own, or one behind L1 that is not near either.
std::optional<Verdict> uncoalesced_verdict(const Point& point, const Use& top) {
  const bool is_behind_l1 = top.level == MemoryLevel::l2 || top.level == MemoryLevel::dram;
  const bool serves_waste = top.level == MemoryLevel::l1 || (is_behind_l1 && top.share < latency_below);
  if (!is_uncoalesced(point) || !serves_waste) {
    return {};
  }
  return Verdict{
      "Bound by uncoalesced accesses",
      fmt::format("A warp's access to global memory takes {:.3g} sectors of 32 B; 4 would do for one float "
                  "per lane. The closest roof is {} with {}.",
                  *point.counters->sectors_per_request(), top.name, percent(top.share)),
      "uncoalesced", "uncoalesced"};
}

Verdict latency_verdict(const Point& point, const Use& top, const std::optional<Occupancy>& occupancy) {
  return {"Bound by latency",
          followed_by(fmt::format("No roof is near: the closest is {} with {}.", top.name, percent(top.share)),
                      latency_fact(point, occupancy)),
          "latency", "latency"};
}

// Small sets of Nsight Compute count neither what shared memory serves nor what the schedulers issue.
bool lacks_what_latency_rests_on(const Point& point) {
  return point.program && point.counters && !point.counters->shared_wavefronts && !point.counters->issue_use;
}

Verdict incomplete_verdict(const Use& top) {
  return {
      "Unknown bound",
      fmt::format("The closest counted roof is {} with {}; shared memory and instructions were not counted. "
                  "ncu --set full counts them.",
                  top.name, percent(top.share)),
      unknown_text};
}

// The clock's share of the highest, if another program measured the launch at a lower clock than that of the
// roofs; else empty.
std::optional<double> clock_share(const Point& point) {
  const bool is_low = point.program && point.clock && !point.clock->is_full(point.clock->now);
  return is_low ? std::optional(point.clock->now / point.clock->highest) : std::nullopt;
}

std::string clock_fact(const Point& point) {
  return clock_share(point) ? fmt::format("Measured at {}; the roofs are those at {}.", text(point.clock->now),
                                          text(point.clock->highest))
                            : "";
}

// No roof is near, but the clock was low: a roof that sinks with it (all but DRAM's do) might be near.
std::optional<Verdict> low_clock_verdict(const Point& point, const Placement& placement,
                                         const std::vector<Use>& uses) {
  const auto clock = clock_share(point);
  double busiest = std::max(placement.issue_share.value_or(0), placement.load_store_share.value_or(0));
  for (const Use& use : uses) {
    busiest = use.level == MemoryLevel::dram ? busiest : std::max(busiest, use.share);
  }
  if (!clock || busiest < latency_below * *clock) {
    return {};
  }
  const Use& top = uses.front();
  return Verdict{"Unknown bound",
                 fmt::format("The closest roof is {} with {}. That may be all that the clock allowed: measure "
                             "with ncu --clock-control none.",
                             top.name, percent(top.share)),
                 unknown_text};
}

Verdict measured_verdict(const Point& point, const Placement& placement, const std::vector<Use>& uses,
                         const std::optional<Occupancy>& occupancy) {
  if (const auto uncoalesced = uncoalesced_verdict(point, uses.front())) {
    return *uncoalesced;
  }
  if (uses.front().share >= latency_below) {
    return roof_verdict(point, placement, uses);
  }
  if (lacks_what_latency_rests_on(point)) {
    return incomplete_verdict(uses.front());
  }
  if (const auto instructions = instruction_verdict(point, placement, uses.front())) {
    return *instructions;
  }
  return low_clock_verdict(point, placement, uses).value_or(latency_verdict(point, uses.front(), occupancy));
}

}  // namespace

Verdict diagnose(const Point& point, const Placement& placement, const std::optional<Occupancy>& occupancy) {
  const std::vector<Use> uses = uses_by_share(placement);
  if (uses.empty()) {
    return {"No roof to compare with", "Measure the roofs of this GPU first.", unknown_text};
  }
  if (placement.evidence == Evidence::predicted) {
    return predicted_verdict(point, uses.front());
  }
  Verdict verdict = measured_verdict(point, placement, uses, occupancy);
  verdict.grounds = followed_by(verdict.grounds, clock_fact(point));
  return verdict;
}

std::vector<std::string> limits(const Counters& counters) {
  std::vector<std::string> all;
  const auto say = [&](const char* sentence, const std::optional<double>& share) {
    if (share) {
      all.push_back(fmt::format(fmt::runtime(sentence), percent(*share)));
    }
  };
  say("warp schedulers issue in {} of the cycles", counters.issue_use);
  say("the FMA pipe is {} busy", counters.fma_pipe_use);
  say("the load/store units are {} busy", counters.lsu_pipe_use);
  say("L1 hit rate {}", counters.l1_hit_rate());
  say("L2 hit rate {}", counters.l2_hit_rate());
  if (const auto sectors = counters.sectors_per_request()) {
    all.push_back(fmt::format("{:.3g} sectors per access to global memory", *sectors));
  }
  return all;
}

}  // namespace rooftile
