#include "analysis/verdict/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "analysis/chip/pipe.hpp"
#include "analysis/predict/instructions.hpp"
#include "analysis/predict/prediction.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

struct Cause {
  enum Value : unsigned { work, dram, l2, l1, conflicts, other_blocks, issue, latency, waves, clock, count };
};
constexpr std::array<const char*, Cause::count> cause_names = {"work",
                                                               "DRAM",
                                                               "L2",
                                                               "L1 and shared memory",
                                                               "bank conflicts",
                                                               "other blocks' memory",
                                                               "issue",
                                                               "occupancy and latency",
                                                               "waves and tail",
                                                               "clock"};

// A launch as parts that can be exchanged. Seconds per element at the boost clock, were its SMs equally busy.
struct Parts {
  double elements = 1, arithmetic = 0;  // work
  double dram = 0, l2 = 0;
  double l1 = 0, conflicts = 0;
  double other_blocks = 0, issue = 0, latency = 0;
  double imbalance = 1, block_starts = 0;  // waves
  double slowdown = 1;                     // of the SM clock
};

double time_of(const Parts& parts) {
  const double busy = parts.imbalance * parts.slowdown;
  std::vector<Term> terms;
  for (const double each : {parts.dram, parts.l2, parts.other_blocks, (parts.l1 + parts.conflicts) * busy,
                            std::max(parts.arithmetic, parts.issue) * busy, parts.latency * parts.slowdown}) {
    terms.push_back({"", {each * parts.elements}});
  }
  terms.push_back({.name = "", .time = {parts.block_starts * parts.slowdown * parts.elements}, .beside = true});
  return together(terms).value;
}

// `a` with the causes of the set taken from `b`.
Parts exchanged(const Parts& a, const Parts& b, unsigned set) {
  const auto of = [&](Cause::Value cause) -> const Parts& { return (set >> cause) & 1u ? b : a; };
  Parts parts;
  parts.elements = of(Cause::work).elements;
  parts.arithmetic = of(Cause::work).arithmetic;
  parts.dram = of(Cause::dram).dram;
  parts.l2 = of(Cause::l2).l2;
  parts.l1 = of(Cause::l1).l1;
  parts.conflicts = of(Cause::conflicts).conflicts;
  parts.other_blocks = of(Cause::other_blocks).other_blocks;
  parts.issue = of(Cause::issue).issue;
  parts.latency = of(Cause::latency).latency;
  parts.imbalance = of(Cause::waves).imbalance;
  parts.block_starts = of(Cause::waves).block_starts;
  parts.slowdown = of(Cause::clock).slowdown;
  return parts;
}

// How often, of all orders of the causes, exactly so many come before one.
double share_of_orders(int before) {
  constexpr int causes = Cause::count;
  double share = 1.0 / causes;
  for (int i = 0; i < before; ++i) {
    share *= (i + 1.0) / (causes - 1 - i);
  }
  return share;
}

std::array<double, Cause::count> shapley(const Parts& a, const Parts& b) {
  std::vector<double> times(1u << Cause::count);
  for (unsigned set = 0; set < times.size(); ++set) {
    times[set] = time_of(exchanged(a, b, set));
  }
  std::array<double, Cause::count> values{};
  for (unsigned set = 0; set < times.size(); ++set) {
    for (unsigned cause = 0; cause < Cause::count; ++cause) {
      if (((set >> cause) & 1u) == 0) {
        values[cause] += share_of_orders(std::popcount(set)) * (times[set | 1u << cause] - times[set]);
      }
    }
  }
  return values;
}

// One launch and what the model says of it.
struct Side {
  const Point& point;
  Model model;
  Prediction prediction;
};

double term(const Side& side, std::string_view name) {
  const auto found = std::ranges::find(side.prediction.terms, name, &Term::name);
  return found != side.prediction.terms.end() ? found->time.value : 0;
}

// Both were counted and the value is there.
template <class Get>
bool both(const Side& a, const Side& b, const Get& get) {
  return a.point.counters && b.point.counters && get(*a.point.counters) && get(*b.point.counters);
}

class Splitter {
 public:
  Splitter(const Gpu& gpu, const Roofs& roofs, const Side& a, const Side& b)
      : gpu_(gpu), roofs_(roofs), a_(a), b_(b) {}

  Parts parts(const Side& side) const {
    Parts parts;
    const double elements = std::max(1.0, side.model.elements);
    parts.elements = elements;
    parts.imbalance = imbalance(side.model, gpu_);
    const double even = elements * parts.imbalance;
    parts.arithmetic = arithmetic(side) / even;
    parts.dram = bytes_time(side, MemoryLevel::dram) / elements;
    parts.l2 = (bytes_time(side, MemoryLevel::l2) + term(side, "partly written sectors") +
                term(side, "atomics in L2")) /
               elements;
    parts.conflicts = conflict_time(side) / elements;
    parts.l1 = std::max(0.0, term(side, "L1 and shared memory") / even - modelled_conflicts(side) / elements);
    parts.other_blocks =
        (term(side, title(MemoryLevel::distributed)) + term(side, "atomics on other blocks")) / elements;
    parts.issue = issue_time(side) / elements;
    parts.latency = term(side, "latency") / elements;
    parts.block_starts = term(side, "block starts") / elements;
    parts.slowdown = slowdown(side);
    return parts;
  }

 private:
  double arithmetic(const Side& side) const {
    const ComputeRoof* peak = roofs_.find(side.model.pipe);
    const double stated = term(side, short_name(side.model.pipe));
    return stated > 0 || !peak || !side.model.flops
               ? stated
               : side.model.flops->value / peak->peak.value * imbalance(side.model, gpu_);
  }

  double bytes_time(const Side& side, MemoryLevel level) const {
    const auto bytes = [&](const Counters& counters) { return counters.bytes(level); };
    const MemoryRoof* roof = roofs_.find(level);
    return roof && both(a_, b_, bytes) ? *bytes(*side.point.counters) / roof->bandwidth / Seconds{1}
                                       : term(side, title(level));
  }

  double wavefront_time(double wavefronts) const {
    const MemoryRoof* roof = roofs_.find(MemoryLevel::shared);
    return roof ? wavefronts * bank_count * bank_bytes / roof->bandwidth.value : 0;
  }

  double modelled_conflicts(const Side& side) const {
    double sum = 0;
    for (const AccessModel& access : side.model.accesses) {
      sum += std::max(0.0, access.wavefronts - access.requests * access.pattern.ideal_wavefronts);
    }
    return wavefront_time(sum);
  }

  double conflict_time(const Side& side) const {
    return both(a_, b_, [](const Counters& counters) { return counters.shared_conflicts; })
               ? wavefront_time(*side.point.counters->shared_conflicts)
               : modelled_conflicts(side);
  }

  double issue_time(const Side& side) const {
    const ComputeRoof* roof = roofs_.find(warp_issue);
    const bool counted = both(a_, b_, [](const Counters& counters) { return counters.warp_instructions; });
    const double instructions =
        counted ? *side.point.counters->warp_instructions : warp_instructions(side.model).count();
    return roof && !side.model.of_library ? instructions / roof->peak.value : 0;
  }

  double slowdown(const Side& side) const {
    const bool counted = both(a_, b_, [](const Counters& counters) { return counters.sm_clock; });
    return counted ? gpu_.boost_clock / *side.point.counters->sm_clock : 1;
  }

  const Gpu& gpu_;
  const Roofs& roofs_;
  const Side &a_, &b_;
};

std::optional<Side> side_of(const Manifest& kernel, const Point& point, const Gpu& gpu, const Roofs& roofs) {
  if (!point.timing || point.failure || point.kernel != kernel.name || point.gpu != gpu.name) {
    return {};
  }
  try {
    Model model = rooftile::model(kernel, complete(kernel, point.parameters), gpu.sm_count);
    auto prediction = predict(model, point.compiled, gpu, roofs, point.caches);
    return prediction ? std::optional(Side{point, std::move(model), std::move(*prediction)}) : std::nullopt;
  } catch (const Error&) {  // its parameters are not those of the kernel now
    return {};
  }
}

}  // namespace

const CauseBar* Explanation::largest() const {
  const auto size = [](const CauseBar& bar) { return std::abs(bar.change.value); };
  const auto found = std::ranges::max_element(bars, {}, size);
  return found != bars.end() ? &*found : nullptr;
}

std::optional<Explanation> explain(const Manifest& kernel, const Point& from, const Point& to, const Gpu& gpu,
                                   const Roofs& roofs) {
  const auto a = side_of(kernel, from, gpu, roofs), b = side_of(kernel, to, gpu, roofs);
  if (!a || !b) {
    return {};
  }
  const Splitter split(gpu, roofs, *a, *b);
  const auto changes = shapley(split.parts(*a), split.parts(*b));
  Explanation explanation{from.timing->median, to.timing->median, {}, to.timing->median - from.timing->median};
  for (unsigned cause = 0; cause < Cause::count; ++cause) {
    if (changes[cause] != 0) {
      explanation.bars.push_back({cause_names[cause], {changes[cause]}});
      explanation.unattributed = explanation.unattributed - Seconds{changes[cause]};
    }
  }
  return explanation;
}

std::string signed_text(Seconds change) {
  return (change.value < 0 ? "\u2212" : "+") + text(Seconds{std::abs(change.value)});
}

std::string sentence(const Explanation& explanation) {
  constexpr double worth_a_word = 0.1;  // of the largest
  const auto size = [](const CauseBar& bar) { return std::abs(bar.change.value); };
  std::vector<CauseBar> bars = explanation.bars;
  std::ranges::sort(bars, std::ranges::greater{}, size);
  std::string words = signed_text(explanation.to - explanation.from);
  for (std::size_t i = 0; i < bars.size() && size(bars[i]) >= worth_a_word * size(bars.front()); ++i) {
    words += fmt::format("{} {} {}", i == 0 ? ":" : ",", bars[i].name, signed_text(bars[i].change));
  }
  return fmt::format("{}; not explained {}.", words, signed_text(explanation.unattributed));
}

}  // namespace rooftile
