#include "analysis/verdict/proof.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

using State = Check::State;

// Counters of one launch come from several replays.
constexpr double order_noise = 0.02;
constexpr double occupancy_noise = 0.01;
// The factor that loading constants, or multiplying, with HFMA2 may add to a kernel's FP16 operations; 1.17 was
// seen.
constexpr double most_with_constants = 1.25;
constexpr const char* miscounted = "something else used the GPU meanwhile, or a counter is wrong";
// Launch latency is some microseconds: much of the time of a short launch, little of a longer one.
constexpr Seconds short_launch{20e-6};

Check verified(const Point& point) {
  if (!point.verification) {
    return {State::unknown, "not verified"};
  }
  return point.verification->passed ? Check{State::passed, "verified against the reference"}
                                    : Check{State::failed, point.verification->sentence};
}

Check flops_agree(const Point& point) {
  const auto counted = point.counted_flops();
  if (!counted) {
    return {State::unknown, "FLOPs not counted"};
  }
  if (point.program || !point.modelled.states_work) {
    return {State::unknown, "FLOPs counted; no model of this kernel to compare them with"};
  }
  const Flops modelled = point.modelled.flops.value_or(Flops{});
  if (*counted == modelled) {
    return {State::passed, modelled.value > 0 ? "counted FLOPs = model, exactly" : "no FLOPs, as modelled"};
  }
  if (!point.compiled) {
    return {State::unknown,
            fmt::format("{} FLOP counted, the product needs {}: a library chooses its own tiles",
                        count(counted->value), count(modelled.value))};
  }
  const std::string both =
      fmt::format("{} FLOP counted, the model says {}", count(counted->value), count(modelled.value));
  if (point.modelled.pipe == fp16_pipe && *counted > modelled && *counted < most_with_constants * modelled) {
    return {State::unknown, both + ": compilers also load constants and multiply with HFMA2"};
  }
  return {State::failed,
          both + ": the manifest's flops are wrong, or the kernel does other work than they say"};
}

// Instructions come through L2 but not through L1, so a smaller difference proves nothing.
bool exceeds(Bytes far, Bytes near, const Architecture& chip) {
  return far > (1 + order_noise) * near + chip.fetched_past_l1;
}

// Kernels that copy count 1.5 to 1.7 times their L1 bytes at the L2 of an H200, and 1.0 without the bytes that
// its two partitions exchange.
bool passed_on(Bytes l2, Bytes l1, const Architecture& chip) {
  return chip.two_part_l2 && !exceeds(l2, 2 * l1, chip);
}

Check levels_in_order(const Point& point) {
  const auto counted = [&](MemoryLevel level) {
    return point.counters ? point.counters->bytes(level) : std::nullopt;
  };
  const auto l1 = counted(MemoryLevel::l1), l2 = counted(MemoryLevel::l2), dram = counted(MemoryLevel::dram);
  if (!l1 || !l2 || !dram) {
    return {State::unknown, "bytes of L1, L2 and DRAM not all counted"};
  }
  const Architecture chip = architecture_of(point);
  if (exceeds(*dram, *l2, chip)) {
    return {State::failed,
            fmt::format("DRAM moved {}, more than the {} of L2: likely lines written earlier that left "
                        "the cache during this launch",
                        text(*dram), text(*l2))};
  }
  if (!exceeds(*l2, *l1, chip)) {
    return {State::passed, "bytes at L1 \u2265 L2 \u2265 DRAM"};
  }
  if (passed_on(*l2, *l1, chip)) {
    return {State::passed, "bytes at L2 \u2265 DRAM; L2 exceeds L1 because its two partitions exchange data"};
  }
  if (point.program || !point.modelled.bytes[MemoryLevel::l1]) {
    return {State::passed, "bytes at L2 \u2265 DRAM; not every copy of this kernel passes L1"};
  }
  return {State::failed,
          fmt::format("L2 moved {}, more than the {} of L1, and more than its two partitions can exchange: {}",
                      text(*l2), text(*l1), miscounted)};
}

bool can_refute(std::optional<Origin> roof) {
  return roof && *roof != Origin::datasheet;
}

Check below_roofs(const Placement& placement) {
  bool held_against_one = false;
  std::string above, beyond;  // above every roof; above the measured one alone
  const auto hold = [&](std::string_view roof, double share, bool above_all) {
    held_against_one = true;
    if (share > 1 + roof_tolerance) {
      std::string& list = above_all ? above : beyond;
      list += fmt::format("{}{} at {} of its roof", list.empty() ? "" : ", ", roof, percent(share));
    }
  };
  for (const LevelUse& use : placement.levels) {
    if (use.counted && can_refute(use.roof_origin)) {
      hold(title(use.level), *use.share, use.above_roof);
    }
  }
  if (placement.evidence == Evidence::counted && can_refute(placement.compute_roof_origin)) {
    hold(short_name(placement.pipe), *placement.compute_share, placement.above_compute_roof);
  }
  if (!above.empty()) {
    return {State::failed, above + ": the clock rose above the roof's, or a counter is wrong"};
  }
  if (!beyond.empty()) {
    return {State::unknown, beyond + " as our benchmark measured it, but below the hardware peak"};
  }
  return held_against_one ? Check{State::passed, "nothing above its roof"}
                          : Check{State::unknown, "no measured roof to compare with"};
}

// The driver's clock while launches were timed; the counters saw the clock during another launch.
Check clock_held(const Point& point) {
  if (point.clock && !point.clock->slowed_by.empty()) {
    return {State::failed, fmt::format("clock held {} of {}, lowered by {}", text(point.clock->now),
                                       text(point.clock->highest), fmt::join(point.clock->slowed_by, ", "))};
  }
  const auto counted = point.counters ? point.counters->sm_clock : std::nullopt;
  if (!counted && !point.clock) {
    return {State::unknown, "clock not known"};
  }
  const Hertz held = counted ? *counted : point.clock->now;
  if (point.clock && !point.clock->is_full(held)) {
    return {State::unknown,
            fmt::format("clock held {} of {}; {}", text(held), text(point.clock->highest),
                        point.program ? "Nsight Compute holds it unless told --clock-control none"
                                      : "the driver names no cause")};
  }
  return {State::passed, fmt::format("clock held {}{}", text(held), point.clock ? ", not throttled" : "")};
}

// "7 launches, spread 12 % (4.60 us to 5.20 us), 3 passes"
std::string launches_text(const Timing& timing, int passes) {
  std::string sentence = fmt::format("{} launch{}, spread {}", count(timing.launches),
                                     timing.launches == 1 ? "" : "es", percent(timing.spread()));
  if (timing.spread() > Timing::most_spread) {
    sentence += fmt::format(" ({} to {})", text(timing.fastest), text(timing.slowest));
  }
  if (timing.set_aside) {
    sentence += fmt::format(", {} set aside that differed more", count(*timing.set_aside));
  }
  if (timing.events) {
    sentence += fmt::format(", {} of timer overhead subtracted", text(*timing.events));
  }
  if (passes > 0) {
    sentence += fmt::format(", {} pass{}", count(passes), passes == 1 ? "" : "es");
  }
  if (timing.with_latency) {
    sentence += fmt::format(", {} of them may include launch latency", count(*timing.with_latency));
  }
  return sentence;
}

Check repeats(const Point& point) {
  if (!point.timing) {
    return {State::unknown, "not timed"};
  }
  const Timing& timing = *point.timing;
  const std::string sentence = launches_text(timing, point.counters ? point.counters->passes : 0);
  if (!timing.steady() && point.program) {
    return {State::unknown, sentence + ": a program's launches need not be alike"};
  }
  if (timing.with_latency && timing.median < short_launch) {
    return {State::unknown,
            sentence + ", which is some microseconds: the host was late or waited for the device"};
  }
  if (!timing.steady()) {
    return {State::failed,
            sentence + ": something else may have used the GPU, such as a window, or the clock moved"};
  }
  if (timing.spread() > Timing::most_spread) {
    return {State::passed, fmt::format("{}: the timer resolves {}", sentence, text(2.0 * Timing::event_step))};
  }
  return {State::passed, sentence};
}

Check occupancy_possible(const Point& point, const std::optional<Occupancy>& occupancy) {
  const auto achieved = point.counters ? point.counters->achieved_occupancy : std::nullopt;
  if (!achieved) {
    return {State::unknown, "achieved occupancy not counted"};
  }
  if (!occupancy) {
    return {State::unknown,
            fmt::format("achieved occupancy {}; the possible occupancy is not known: the kernel was not "
                        "compiled here",
                        percent(*achieved))};
  }
  const std::string both =
      fmt::format("achieved occupancy {} of a possible {}", percent(*achieved), percent(occupancy->ratio()));
  return *achieved <= occupancy->ratio() + occupancy_noise
             ? Check{State::passed, both}
             : Check{State::failed, fmt::format("{}: {}", both, miscounted)};
}

}  // namespace

std::string_view key(Check::State state) {
  switch (state) {
    case Check::State::passed:
      return "passed";
    case Check::State::failed:
      return "failed";
    case Check::State::unknown:
      break;
  }
  return "unknown";
}

std::vector<Check> prove(const Point& point, const Placement& placement,
                         const std::optional<Occupancy>& occupancy) {
  const auto meant = [](Check check, const char* meaning) {
    check.meaning = meaning;
    return check;
  };
  return {meant(verified(point),
                "Every element of the result is compared with what another kernel, or the formula of "
                "kernel.toml, makes of the same input."),
          meant(flops_agree(point),
                "The operations that the hardware counted are compared with those that the kernel's "
                "formula gives. A difference means that the formula or the counter is wrong."),
          meant(levels_in_order(point),
                "Bytes that DRAM moves pass L2, and bytes that L2 moves pass L1, unless the architecture lets "
                "them go around."),
          meant(below_roofs(placement),
                "No level and no pipe can be faster than its roof: measured by a benchmark, or the "
                "hardware's peak at the measured clock."),
          meant(occupancy_possible(point, occupancy),
                "Warps that were counted on an SM are compared with those that fit by "
                "the registers and the shared memory really compiled."),
          meant(clock_held(point), "A clock that heat or power lowers makes the same launch slower."),
          meant(repeats(point),
                "The same launch is timed several times. A large spread means that something else used "
                "the GPU, or that the clock moved.")};
}

}  // namespace rooftile
