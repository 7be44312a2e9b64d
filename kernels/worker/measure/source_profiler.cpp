#include "kernels/worker/measure/source_profiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/text/format.hpp"
#include "kernels/worker/count/counters_refused.hpp"
#include "kernels/worker/count/disassembly.hpp"
#include "kernels/worker/count/pc_sampling.hpp"
#include "kernels/worker/measure/phase_clock.hpp"

namespace rooftile::worker {
namespace {

// The cost is known to about a third, and a worker that is silent for longer than the limit is ended.
constexpr double usable_share = 2.0 / 3;

void check_affordable(const ProfiledLaunch& launch, const Gpu& gpu) {
  const Seconds about = profile_cost(launch.expected, closest_architecture(gpu.cc)).about;
  if (launch.limit && about.value > usable_share * launch.limit->value) {
    throw Error(fmt::format(
        "Line by line this launch would take about {}, too near the limit of one launch, {}. Choose a smaller "
        "size (the lines do and wait for the same there), or give rooftile-cli a longer --launch-limit.",
        text(about), text(*launch.limit)));
  }
}

std::string refusal(const CuptiError& error) {
  const Facility facility = counters_refused(error.code(), error.what());
  return facility.state == Facility::State::failed ? std::string(error.what())
                                                   : facility.sentence + " " + facility.fix;
}

}  // namespace

void expect_source(const Manifest& manifest) {
  if (!manifest.library.empty()) {
    throw Error("The kernels of a library have no source to look at.");
  }
}

SourceProfile start_profile(const ProfileRequest& request) {
  SourceProfile profile;
  profile.id = request.id;
  profile.kernel = request.kernel;
  profile.parameters = request.parameters;
  profile.caches = request.caches;
  return profile;
}

SourceProfiler::SourceProfiler(const Device& device, Counting& counting)
    : device_(&device), counting_(&counting) {
  if (const Cupti* cupti = counting.cupti()) {
    metrics_ = std::make_unique<SassMetrics>(*cupti, device, counting.chip());
  }
}

void SourceProfiler::profile(SourceProfile& profile, const ProfiledLaunch& launch) {
  if (!metrics_) {
    throw Error(counting_->profiler().sentence + " " + counting_->profiler().fix);
  }
  check_affordable(launch, device_->gpu());
  counting_->release();
  std::vector<Instruction> instructions;
  const auto gather = [&](const char* what, auto half) {
    try {
      std::ranges::move((this->*half)(profile, launch), std::back_inserter(instructions));
    } catch (const CuptiError& error) {
      profile.notes.push_back(fmt::format("{} {}", what, refusal(error)));
    }
  };
  gather("Stalls were not sampled:", &SourceProfiler::sample);
  gather("Instructions were not counted:", &SourceProfiler::instrument);
  if (instructions.empty()) {
    throw Error(profile.notes.empty() ? "CUPTI gathered nothing of this launch." : profile.notes.front());
  }
  const LineOf line = line_of(*counting_->cupti(), launch.cubin, launch.manifest.source);
  profile.lines = by_line(instructions, line);
  profile.instructions = disassemble(launch.cubin, launch.symbol);
  count_instructions(profile.instructions, launch.symbol, instructions, line);
}

// The module is loaded again, since sampling knows only modules that are loaded while it is enabled.
std::vector<Instruction> SourceProfiler::sample(SourceProfile& profile, const ProfiledLaunch& launch) const {
  const PhaseClock clock(profile.phases, "sample");
  const Gpu& gpu = device_->gpu();
  const int exponent = sampling_exponent(launch.expected, gpu.boost_clock, gpu.sm_count);
  PcSampling sampling(*counting_->cupti(), *device_, exponent);
  const Kernel kernel(*device_, launch.cubin, launch.symbol);
  launch.prepare();
  device_->synchronize();
  Samples samples = sampling.of(crc_of(*counting_->cupti(), launch.cubin),
                                [&] { kernel.launch(launch.shape, launch.arguments); });
  profile.sampling_period = 1 << exponent;
  profile.dropped_samples = samples.dropped;
  return std::move(samples.instructions);
}

std::vector<Instruction> SourceProfiler::instrument(SourceProfile& profile, const ProfiledLaunch& launch) {
  const PhaseClock clock(profile.phases, "instrument");
  const Kernel kernel(*device_, launch.cubin, launch.symbol);
  launch.prepare();
  device_->synchronize();
  return metrics_->count(crc_of(*counting_->cupti(), launch.cubin),
                         [&] { kernel.launch(launch.shape, launch.arguments); });
}

}  // namespace rooftile::worker
