#include "kernels/worker/count/counter_session.hpp"

#include <utility>

namespace rooftile::worker {

CounterSession::CounterSession(const Cupti& cupti, const Device& device, const CounterConfig& config)
    : cupti_(&cupti), device_(&device), config_(&config) {}

void CounterSession::arm() {
  if (armed_) {
    return;
  }
  if (!profiler_) {
    profiler_.emplace(*cupti_, device_->context(), *config_, room_, Replay::user);
  }
  profiler_->clear();
  profiler_->start();
  armed_ = true;
}

std::vector<Counters> CounterSession::count(const std::vector<CountedRun>& runs,
                                            const std::function<void(const Counters&)>& place) {
  make_room_for(runs.size());
  arm();
  try {
    gather(runs, runs.size() == 1 ? place : nullptr);
    profiler_->decode();
    std::vector<Counters> counters;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      counters.push_back(config_->evaluate(profiler_->counter_data(), i));
    }
    return counters;
  } catch (...) {
    armed_ = false;
    release();
    throw;
  }
}

void CounterSession::gather(const std::vector<CountedRun>& runs,
                            const std::function<void(const Counters&)>& place) {
  for (int passes = 1; !pass(runs); ++passes) {
    if (place && passes == config_->passes_of_place()) {
      profiler_->decode();
      if (const auto counters = config_->evaluate_place(profiler_->counter_data())) {
        place(*counters);
      }
    }
    profiler_->start();
  }
}

void CounterSession::make_room_for(std::size_t runs) {
  if (runs > room_) {
    release();
    room_ = most_counted_together;
  }
}

CounterRecording CounterSession::recording() const {
  CounterRecording recording{config_->chip(), {}, profiler_->counter_data()};
  for (const std::string name : config_->names()) {
    recording.values[name] = evaluate(name).value();
  }
  return recording;
}

void CounterSession::release() noexcept {
  if (!profiler_) {
    return;
  }
  try {
    if (std::exchange(armed_, false)) {
      range(0, [] {});
      profiler_->stop();
    }
  } catch (const Error&) {
    // Disabling below is what counts.
  }
  profiler_.reset();
  room_ = 1;
}

// Whether it was the last one.
bool CounterSession::pass(const std::vector<CountedRun>& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].prepare();
    range(i, runs[i].launch);
  }
  device_->synchronize();
  armed_ = false;
  return profiler_->stop();
}

void CounterSession::range(std::size_t index, const std::function<void()>& body) {
  profiler_->push(std::to_string(index));  // ranges of one name would be one range
  body();
  profiler_->pop();
}

}  // namespace rooftile::worker
