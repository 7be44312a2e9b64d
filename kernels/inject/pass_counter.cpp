#include "kernels/inject/pass_counter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/inject/idle_wait.hpp"

namespace rooftile::inject {
namespace {

// A patched launch becomes slower with the room there is: 64 ranges cost nothing, 512 do (H200).
constexpr std::uint32_t most_ranges = 32;
// Launches without room in the image, until those in it have waited long enough for their missing passes.
constexpr int most_kept_out = 256;

std::optional<std::size_t> place_of_tensor_instructions(const worker::CounterConfig& config) {
  const auto found = std::ranges::find(config.metrics(), tensor_instructions, &Metric::name);
  return found == config.metrics().end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - config.metrics().begin()));
}

}  // namespace

PassCounter::PassCounter(const worker::Cupti& cupti, const worker::Driver& driver,
                         const worker::CounterConfig& config, CUcontext context)
    : driver_(&driver),
      config_(&config),
      tensor_instructions_(place_of_tensor_instructions(config)),
      profiler_(cupti, context, config, most_ranges, worker::Replay::user) {}

bool PassCounter::begin(std::size_t group) {
  if (!find_room(group) || !choose_pass(groups_[group])) {
    return false;
  }
  if (!wait_until_idle(*driver_)) {
    throw Error("The GPU was still busy with earlier launches after 2 s.");
  }
  if (!pass_) {
    start(*next_pass(groups_[group]));
  }
  profiler_.push(std::to_string(group));
  in_image_.insert(group);
  current_ = group;
  return true;
}

void PassCounter::end() {
  profiler_.pop();
  wait_until_idle(*driver_);
  Progress& progress = groups_[current_];
  progress.counted.resize(static_cast<std::size_t>(config_->passes()));
  progress.counted[static_cast<std::size_t>(*pass_)] = true;
  ++counted_;
  kept_out_ = 0;
  if (!any_lacks_passes()) {
    close();
  }
}

// A group waits for a new image where this one is full, or holds its earlier counters. Groups that are not
// launched again would keep the image for ever; they lose what they have.
bool PassCounter::find_room(std::size_t group) {
  const bool has_range = in_image_.contains(group);
  if (has_range ? !groups_[group].complete : in_image_.size() < most_ranges) {
    return true;
  }
  if (any_lacks_passes() && ++kept_out_ < most_kept_out) {
    return false;
  }
  close();
  for (const std::size_t each : std::exchange(in_image_, {})) {
    groups_.erase(each);
  }
  profiler_.clear();
  return true;
}

// False where the pass that runs is still worth keeping: launches that need another one wait for half as many
// as it has counted, and end it then.
bool PassCounter::choose_pass(const Progress& progress) {
  const auto lacks = [&](int pass) {
    return progress.counted.empty() || !progress.counted[static_cast<std::size_t>(pass)];
  };
  if (!pass_ || (*pass_ < passes_of(progress) && lacks(*pass_))) {
    return true;
  }
  if (2 * ++turned_away_ < counted_) {
    return false;
  }
  close();
  return !progress.complete;
}

void PassCounter::start(int pass) {
  profiler_.choose_pass(pass);
  profiler_.start();
  pass_ = pass;
  counted_ = turned_away_ = 0;
}

void PassCounter::close() {
  if (!pass_) {
    return;
  }
  profiler_.stop();
  pass_.reset();
  profiler_.decode();
  collect();
}

void PassCounter::collect() {
  const std::vector<std::string> ranges = profiler_.ranges();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::size_t group = std::stoul(ranges[i]);
    Progress& progress = groups_[group];
    if (progress.complete || progress.counted.empty()) {
      continue;
    }
    take(progress, config_->values(profiler_.counter_data(), i));
    if (!next_pass(progress)) {
      progress.complete = true;
      complete_[group] = store_counted(config_->metrics(), progress.values);
      complete_[group].passes = passes_of(progress);
    }
  }
}

// Some values come with one pass, some with the last of several. A kernel without tensor instructions has no
// tensor operations.
void PassCounter::take(Progress& progress, const std::vector<double>& values) const {
  progress.values.resize(values.size(), std::nan(""));
  for (std::size_t i = 0; i < values.size(); ++i) {
    progress.values[i] = std::isnan(values[i]) ? progress.values[i] : values[i];
  }
  for (std::size_t i = 0; i < values.size() && passes_of(progress) < config_->passes(); ++i) {
    if (config_->metrics()[i].gathering == Gathering::tensor) {
      progress.values[i] = 0;
    }
  }
}

int PassCounter::passes_of(const Progress& progress) const {
  const bool needs_no_tensor =
      tensor_instructions_ && !progress.values.empty() && progress.values[*tensor_instructions_] == 0;
  return needs_no_tensor ? config_->passes_before_tensor() : config_->passes();
}

std::optional<int> PassCounter::next_pass(const Progress& progress) const {
  for (int pass = 0; pass < passes_of(progress); ++pass) {
    if (progress.counted.empty() || !progress.counted[static_cast<std::size_t>(pass)]) {
      return pass;
    }
  }
  return {};
}

bool PassCounter::any_lacks_passes() const {
  return std::ranges::any_of(in_image_,
                             [&](std::size_t group) { return next_pass(groups_.at(group)).has_value(); });
}

CountedGroups PassCounter::take_complete() {
  return std::exchange(complete_, {});
}

}  // namespace rooftile::inject
