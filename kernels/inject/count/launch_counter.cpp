#include "kernels/inject/count/launch_counter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/worker/count/counters_refused.hpp"

namespace rooftile::inject {

using worker::CounterConfig;
using worker::CuptiError;
using worker::sized;

namespace {

using State = Facility::State;

// Changing the context takes 0.2 s (H200), and loses what is incomplete.
constexpr int most_launches_elsewhere = 256;

std::string way_of_counting(const CounterConfig& config, const ReplayRule& rule) {
  if (rule.allows()) {
    return "A counted launch is replayed for each of them.";
  }
  return fmt::format(
      "Each counted launch runs once, in one pass: a kernel needs at least {} launches, with tensor cores {} "
      "({}).",
      config.passes_without_tensor() + 1, config.passes() + 1, rule.reason());
}

Facility failed(const Error& error) {
  const auto* refused = dynamic_cast<const CuptiError*>(&error);
  return worker::counters_refused(refused != nullptr ? refused->code() : CUPTI_ERROR_UNKNOWN, error.what());
}

}  // namespace

bool LaunchCounter::begin(CUcontext context, int device, std::size_t group, bool has_time, bool replay) {
  if (begin_now(context, device, group, has_time, replay)) {
    return true;
  }
  if (in_stretch_ == nullptr) {
    return false;
  }
  pass_by();
  return in_stretch_ == nullptr && !is_complete(group) && begin_now(context, device, group, has_time, replay);
}

bool LaunchCounter::begin_now(CUcontext context, int device, std::size_t group, bool has_time, bool replay) {
  begun_ = Clock::now();
  if (begun_ < next_try_) {
    return false;
  }
  try {
    current_ = at_work(context, device, replay);
    if (current_ == nullptr) {
      return false;
    }
    if (current_->replay) {
      current_->replay->begin();
    } else if (!current_->passes->begin(group, has_time)) {
      return false;
    } else {
      in_stretch_ = current_->passes.get();
    }
    current_group_ = group;
    tries_left_ = most_tries;
    trouble_.state = State::ready;
    return true;
  } catch (const Error& error) {
    drop(device);
    fail(failed(error));
    return false;
  }
}

bool LaunchCounter::end() {
  const bool replays = current_->replay != nullptr;
  try {
    if (replays) {
      counted_.push_back({current_group_, current_->replay->end(), true});
    } else {
      current_->passes->end();
    }
  } catch (const Error& error) {
    if (replays) {
      counted_.push_back({current_group_, {}, true});
    }
    drop(current_device_);  // it holds half a launch
    fail(failed(error));
  }
  current_ = nullptr;
  return replays;
}

void LaunchCounter::change_stretch(void (PassCounter::*change)()) {
  if (in_stretch_ == nullptr) {
    return;
  }
  try {
    PassCounter& passes = *in_stretch_;
    (passes.*change)();
    in_stretch_ = passes.is_in_stretch() ? &passes : nullptr;
    for (auto& [group, counters] : passes.take_complete()) {
      counted_.push_back({group, std::move(counters), false});
    }
  } catch (const Error& error) {
    std::erase_if(by_device_, [&](const auto& each) { return each.second.passes.get() == in_stretch_; });
    in_stretch_ = nullptr;
    fail(failed(error));
  }
}

bool LaunchCounter::is_complete(std::size_t group) const {
  return std::ranges::find(counted_, group, &CountedGroup::group) != counted_.end();
}

void LaunchCounter::drop(int device) {
  const auto found = by_device_.find(device);
  if (found != by_device_.end()) {
    in_stretch_ = in_stretch_ == found->second.passes.get() ? nullptr : in_stretch_;
    by_device_.erase(found);
  }
}

// While another profiler holds the counters, asking for them in vain takes a tenth of the time.
void LaunchCounter::fail(const Facility& facility) {
  trouble_ = facility;
  if (facility.state == State::busy) {
    next_try_ = Clock::now() + 9 * (Clock::now() - begun_);
  } else if (facility.state == State::refused || --tries_left_ == 0) {
    next_try_ = Clock::time_point::max();
  }
}

void LaunchCounter::release(CUcontext context) {
  end_stretch();
  std::erase_if(by_device_, [&](const auto& each) {
    const AtWork& work = each.second;
    const bool goes = context == nullptr || work.context == context;
    if (goes && work.passes) {
      keep_times(*work.passes);
    }
    return goes;
  });
}

// An incomplete kernel has a time at least.
void LaunchCounter::keep_times(const PassCounter& passes) {
  try {
    for (const auto& [group, counters] : passes.incomplete()) {
      if (counters.duration) {
        counted_.push_back({group, {}, false, counters.duration});
      }
    }
  } catch (const Error& error) {
    fail(failed(error));
  }
}

// Null while another context of the GPU has its turn, or another GPU its stretch.
LaunchCounter::AtWork* LaunchCounter::at_work(CUcontext context, int device, bool replay) {
  current_device_ = device;
  const auto found = by_device_.find(device);
  if (in_stretch_ != nullptr && (found == by_device_.end() || found->second.passes.get() != in_stretch_)) {
    return nullptr;
  }
  if (found != by_device_.end()) {
    AtWork& work = found->second;
    const bool replays = work.replay != nullptr;
    if (replays == replay && work.context == context) {
      return &work;
    }
    if (!replays && work.context != context && ++work.kept_out < most_launches_elsewhere) {
      return nullptr;
    }
    end_stretch();
    by_device_.erase(device);
  }
  if (!initialized_) {
    auto params = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    cupti_->check(cupti_->cuptiProfilerInitialize(&params), "cuptiProfilerInitialize");
    initialized_ = true;
  }
  config_ = &config_of(device);
  AtWork made;
  made.context = context;
  if (replay) {
    made.replay = std::make_unique<ReplayCounter>(*cupti_, *config_, context);
  } else {
    made.passes = std::make_unique<PassCounter>(*cupti_, *driver_, *config_, context, switch_trace_);
  }
  return &(by_device_[device] = std::move(made));
}

const CounterConfig& LaunchCounter::config_of(int device) {
  auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  chip.deviceIndex = static_cast<std::size_t>(device);
  cupti_->check(cupti_->cuptiDeviceGetChipName(&chip), "cuptiDeviceGetChipName");
  auto& config = configs_[chip.pChipName];
  if (!config) {
    config = std::make_unique<CounterConfig>(*cupti_, chip.pChipName, CounterNeeds{.any_pipe = true});
  }
  return *config;
}

Facility LaunchCounter::facility(const ReplayRule& rule) const {
  if (trouble_.state != State::ready || config_ == nullptr) {
    return trouble_;
  }
  return {"counters", State::ready,
          fmt::format("{} counters of the {} are gathered in {} passes. {}", config_->metrics().size(),
                      config_->chip(), config_->passes(), way_of_counting(*config_, rule)),
          "", ""};
}

}  // namespace rooftile::inject
