#include "analysis/record/source_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr std::string_view issuing = "selected";

constexpr std::pair<std::string_view, std::string_view> meanings[] = {
    {"barrier", "waiting at __syncthreads() for other warps"},
    {"branch_resolving", "waiting for a branch to be decided"},
    {"dispatch_stall", "held back by the dispatcher"},
    {"drain", "waiting at the end for its stores to leave"},
    {"gmma", "waiting for a warp-group matrix instruction"},
    {"imc_miss", "waiting for a constant that missed its cache"},
    {"lg_throttle", "too many global or local accesses queued"},
    {"long_scoreboard", "waiting for global or local memory"},
    {"math_pipe_throttle", "the arithmetic pipe is busy"},
    {"membar", "waiting at a memory fence"},
    {"mio_throttle", "too many shared-memory accesses queued"},
    {"misc", "other reasons"},
    {"no_instructions", "waiting for instructions to be fetched"},
    {"not_selected", "ready, but another warp was issued"},
    {"selected", "issuing"},
    {"short_scoreboard", "waiting for shared memory or a special function"},
    {"sleeping", "asleep by __nanosleep()"},
    {"tex_throttle", "too many texture accesses queued"},
    {"wait", "waiting the fixed latency of the instruction before"},
    {"warpgroup_arrive", "waiting for the other warps of its group"},
};

void add(std::optional<double>& sum, const std::optional<double>& more) {
  if (more) {
    sum = sum.value_or(0) + *more;
  }
}

// A sampled launch, with the counters given back and taken again (H200).
constexpr Seconds round_trip{0.3};
constexpr int launches_of_a_profile = 3;  // verified, sampled, instrumented

}  // namespace

double LineProfile::samples() const {
  double sum = 0;
  for (const auto& [reason, samples] : stalls) {
    sum += samples;
  }
  return sum;
}

std::vector<LineProfile> computed_lines(const std::vector<ptx::LineWork>& lines) {
  std::vector<LineProfile> all;
  for (const ptx::LineWork& line : lines) {
    LineProfile& computed = all.emplace_back();
    computed.line = line.source.line;
    computed.executed = line.warp_instructions;
    computed.thread_executed = line.thread_instructions;
    computed.global_sectors = line.sectors;
    computed.shared_wavefronts = line.wavefronts;
    computed.ideal_shared_wavefronts = line.ideal_wavefronts;
  }
  return all;
}

void add(LineProfile& sum, const LineProfile& more) {
  add(sum.executed, more.executed);
  add(sum.thread_executed, more.thread_executed);
  add(sum.global_sectors, more.global_sectors);
  add(sum.ideal_global_sectors, more.ideal_global_sectors);
  add(sum.shared_wavefronts, more.shared_wavefronts);
  add(sum.ideal_shared_wavefronts, more.ideal_shared_wavefronts);
  for (const auto& [reason, samples] : more.stalls) {
    sum.stalls[reason] += samples;
  }
}

LineProfile total(const SourceProfile& profile) {
  LineProfile sum;
  for (const LineProfile& line : profile.lines) {
    add(sum, line);
  }
  return sum;
}

std::vector<Stall> stalls(const LineProfile& line) {
  std::vector<Stall> all;
  for (const auto& [reason, samples] : line.stalls) {
    if (reason != issuing && samples > 0) {
      all.push_back({reason, samples});
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &Stall::samples);
  return all;
}

std::string meaning(const std::string& reason) {
  const auto known = std::ranges::find(meanings, std::string_view(reason),
                                       &std::pair<std::string_view, std::string_view>::first);
  return std::string(known != std::end(meanings) ? known->second : reason);
}

ProfileCost profile_cost(Seconds launch, const Architecture& chip) {
  return {launches_of_a_profile, round_trip + chip.instrumented_slowdown * launch};
}

std::string text(const ProfileCost& cost) {
  return fmt::format("{} launches, one of them instrumented: about {}", cost.launches, text(cost.about));
}

void ProfileList::add(const SourceProfile& profile) {
  const auto [position, is_new] = positions_.try_emplace(launch_of(profile), profiles_.size());
  if (is_new) {
    profiles_.push_back(profile);
  } else {
    profiles_[position->second] = profile;
  }
}

const SourceProfile* ProfileList::find(const Point& point) const {
  const auto position = positions_.find(launch_of(point));
  return position != positions_.end() ? &profiles_[position->second] : nullptr;
}

}  // namespace rooftile
