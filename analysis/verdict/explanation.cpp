#include "analysis/verdict/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "analysis/advice/advice_reason.hpp"
#include "analysis/model/conflict_wavefronts.hpp"
#include "analysis/predict/prediction.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

struct Cause {
  enum Value : unsigned { work, dram, l2, l1, conflicts, other_blocks, issue, latency, waves, clock, count };
};
struct CauseWords {
  const char *name, *meaning;
};
constexpr std::array<CauseWords, Cause::count> cause_words = {{
    {"work", "The arithmetic: how much there is, and how fast the pipe is that does it."},
    {"DRAM", "The bytes that DRAM moves."},
    {"L2", "The bytes that L2 moves, sectors that stores fill in part, and atomics that wait for each other."},
    {"L1 and shared memory",
     "The cycles in which L1 and shared memory serve the warps' accesses, bank conflicts apart."},
    {"bank conflicts", "The wavefronts of shared memory that bank conflicts add."},
    {"other blocks' memory", "Accesses to the shared memory of other blocks in the cluster."},
    {"warp issue", "The instructions: a warp scheduler issues one in each cycle."},
    {"occupancy and latency", "The time in which every resident warp waits for its loads or at a barrier."},
    {"waves and tail", "SMs that are idle while the last blocks run, and the starts of blocks."},
    {"clock", "The clock that the SMs had while they were measured."},
}};

// The cause that a term stands for; bank conflicts are a cause of their own, within L1 and shared memory.
struct TermCause {
  Cause::Value cause;
  bool on_fullest_sm = false;  // it takes as long as on the fullest SM
  bool at_sm_clock = false;    // a lower clock of the SMs makes it longer
};

TermCause cause_of(Term term) {
  switch (term) {
    case Term::dram:
      return {Cause::dram};
    case Term::l2:
    case Term::partial_lines:
    case Term::atomics_in_l2:
      return {Cause::l2};
    case Term::distributed:
      return {Cause::other_blocks};
    case Term::atomics_on_other_blocks:
      return {Cause::other_blocks, true};
    case Term::l1_and_shared:
      return {Cause::l1, true, true};
    case Term::arithmetic:
      return {Cause::work, true, true};
    case Term::warp_issue:
      return {Cause::issue, true, true};
    case Term::latency:
      return {Cause::latency, false, true};
    case Term::block_starts:
      break;
  }
  return {Cause::waves, false, true};
}

// A launch as parts that can be exchanged. Terms per element at the boost clock, as if its SMs were equally
// busy.
struct Parts {
  TermTimes terms;
  Seconds conflicts;  // added to the rest of L1 and shared memory
  double elements = 1;
  double imbalance = 1;
  double slowdown = 1;  // of the SM clock
};

Seconds time_of(const Parts& parts) {
  TermTimes times = parts.terms;
  times[Term::l1_and_shared] += parts.conflicts;
  for (const Term term : all_terms) {
    const TermCause cause = cause_of(term);
    times[term] = parts.elements * (cause.on_fullest_sm ? parts.imbalance : 1) *
                  (cause.at_sm_clock ? parts.slowdown : 1) * times[term];
  }
  return together(times);
}

// `a` with the causes of the set taken from `b`.
Parts exchanged(const Parts& a, const Parts& b, unsigned set) {
  const auto of = [&](Cause::Value cause) -> const Parts& { return (set >> cause) & 1u ? b : a; };
  Parts parts;
  parts.terms.pipe = of(Cause::work).terms.pipe;
  for (const Term term : all_terms) {
    parts.terms[term] = of(cause_of(term).cause).terms[term];
  }
  parts.conflicts = of(Cause::conflicts).conflicts;
  parts.elements = of(Cause::work).elements;
  parts.imbalance = of(Cause::waves).imbalance;
  parts.slowdown = of(Cause::clock).slowdown;
  return parts;
}

// The share of all orders of the causes in which exactly so many causes come before one.
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
    times[set] = time_of(exchanged(a, b, set)).value;
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

// True if both were counted and both have the value.
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
    parts.terms = counted_terms(side);
    parts.elements = std::max(1.0, side.model.elements);
    parts.imbalance = imbalance(side.model, gpu_);
    for (const Term term : all_terms) {
      const double busy = cause_of(term).on_fullest_sm ? parts.imbalance : 1;
      parts.terms[term] = 1 / (parts.elements * busy) * parts.terms[term];
    }
    Seconds& l1 = parts.terms[Term::l1_and_shared];
    l1 = std::max(Seconds{}, l1 - 1 / parts.elements * modelled_conflicts(side));
    parts.conflicts = 1 / parts.elements * conflict_time(side);
    parts.slowdown = slowdown(side);
    return parts;
  }

 private:
  // The terms of its prediction, from counters where both launches were counted.
  TermTimes counted_terms(const Side& side) const {
    TermTimes terms = side.prediction.terms;
    count_bytes(terms[Term::dram], side, MemoryLevel::dram);
    count_bytes(terms[Term::l2], side, MemoryLevel::l2);
    if (side.model.instructions.count() > 0 &&
        both(a_, b_, [](const Counters& counters) { return counters.warp_instructions; })) {
      const double modelled = side.model.instructions.count();
      terms[Term::warp_issue] = *side.point.counters->warp_instructions / modelled * terms[Term::warp_issue];
    }
    return terms;
  }

  void count_bytes(Seconds& term, const Side& side, MemoryLevel level) const {
    const MemoryRoof* roof = roofs_.find(level);
    if (roof && both(a_, b_, [&](const Counters& counters) { return counters.bytes(level); })) {
      term = *side.point.counters->bytes(level) / roof->bandwidth;
    }
  }

  Seconds wavefront_time(double wavefronts) const {
    const MemoryRoof* roof = roofs_.find(MemoryLevel::shared);
    return roof ? Bytes{wavefronts * bank_count * bank_bytes} / roof->bandwidth : Seconds{};
  }

  Seconds modelled_conflicts(const Side& side) const { return wavefront_time(conflict_wavefronts(side.model)); }

  Seconds conflict_time(const Side& side) const {
    return both(a_, b_, [](const Counters& counters) { return counters.shared_conflicts; })
               ? wavefront_time(*side.point.counters->shared_conflicts)
               : modelled_conflicts(side);
  }

  double slowdown(const Side& side) const {
    const bool counted = both(a_, b_, [](const Counters& counters) { return counters.sm_clock; });
    return counted ? gpu_.boost_clock / *side.point.counters->sm_clock : 1;
  }

  const Gpu& gpu_;
  const Roofs& roofs_;
  const Side &a_, &b_;
};

// Says what makes the faster launch fast, in the words of advice. Empty where the model takes the other one for
// faster.
std::string of_faster(const Side& a, const Side& b, bool b_is_faster) {
  const Side &slow = b_is_faster ? a : b, &fast = b_is_faster ? b : a;
  if (slow.prediction.time < fast.prediction.time) {
    return "";
  }
  const auto why = rooftile::reason({slow.model, slow.prediction}, {fast.model, fast.prediction});
  return why ? why->words : "";
}

std::optional<Seconds> time_of(const Point& point) {
  return point.timing ? std::optional(point.timing->median) : point.modelled.time;
}

std::optional<Side> side_of(const LaunchOf& launch, const Gpu& gpu, const Roofs& roofs,
                            const ModelAt& model_at) {
  const auto& [kernel, point] = launch;
  if (!time_of(point) || point.failure || point.kernel != kernel.name || point.gpu != gpu.name) {
    return {};
  }
  try {
    Model model = model_at(kernel, complete(kernel, point.parameters), gpu);
    auto prediction = predict(model, point.compiled, gpu, roofs, point.caches);
    return prediction ? std::optional(Side{point, std::move(model), std::move(*prediction)}) : std::nullopt;
  } catch (const Error&) {  // its parameters are not those of the kernel now
    return {};
  }
}

}  // namespace

bool solve_one_problem(const Manifest& a, const Manifest& b) {
  return a.name == b.name || (!a.family.empty() && a.family == b.family && a.problem == b.problem);
}

const CauseBar* Explanation::largest() const {
  const auto size = [](const CauseBar& bar) { return std::abs(bar.change.value); };
  const auto found = std::ranges::max_element(bars, {}, size);
  return found != bars.end() ? &*found : nullptr;
}

std::optional<Explanation> explain(const LaunchOf& from, const LaunchOf& to, const Gpu& gpu, const Roofs& roofs,
                                   const ModelAt& model_at) {
  if (!solve_one_problem(from.kernel, to.kernel) ||
      from.point.timing.has_value() != to.point.timing.has_value()) {
    return {};
  }
  const auto a = side_of(from, gpu, roofs, model_at), b = side_of(to, gpu, roofs, model_at);
  if (!a || !b) {
    return {};
  }
  const Splitter split(gpu, roofs, *a, *b);
  const auto changes = shapley(split.parts(*a), split.parts(*b));
  const Seconds before = *time_of(from.point), after = *time_of(to.point);
  Explanation explanation{
      before, after, {}, after - before, !to.point.timing, of_faster(*a, *b, after < before)};
  for (unsigned cause = 0; cause < Cause::count; ++cause) {
    if (changes[cause] != 0) {
      const auto& [name, meaning] = cause_words[cause];
      explanation.bars.push_back({name, {changes[cause]}, meaning});
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
  return explanation.predicted
             ? fmt::format("Predicted: {}.", words)
             : fmt::format("{}; not explained {}.", words, signed_text(explanation.unattributed));
}

}  // namespace rooftile
