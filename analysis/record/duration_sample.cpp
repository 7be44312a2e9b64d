#include "analysis/record/duration_sample.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile {

void DurationSample::add(Seconds duration) {
  fastest_ = count_ == 0 ? duration : std::min(fastest_, duration);
  slowest_ = std::max(slowest_, duration);
  total_ += duration;
  ++count_;
  if (kept_.size() < most_) {
    kept_.push_back(duration);
  } else if (const auto place = std::uniform_int_distribution<std::size_t>(0, count_ - 1)(random_);
             place < most_) {
    kept_[place] = duration;
  }
}

Timing DurationSample::timing() const {
  std::vector<Seconds> sorted = kept_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  Timing timing;
  timing.median = *middle;
  timing.fastest = fastest_;
  timing.slowest = slowest_;
  timing.launches = static_cast<int>(std::min<std::size_t>(count_, 1'000'000'000));
  return timing;
}

// A kernel of one shape may be given little work and much: PyTorch multiplies matrices of several depths with
// one.
Timing DurationSample::timing_like(Seconds launch) const {
  constexpr double as_long = 0.25;
  DurationSample alike(most_);
  for (const Seconds duration : kept_) {
    if (std::abs(duration / launch - 1) <= as_long) {
      alike.add(duration);
    }
  }
  if (alike.count() == 0 || alike.count() == kept_.size()) {
    return timing();
  }
  Timing timing = alike.timing();
  const double share = static_cast<double>(alike.count()) / static_cast<double>(kept_.size());
  timing.launches = static_cast<int>(std::lround(share * this->timing().launches));
  timing.set_aside = this->timing().launches - timing.launches;
  return timing;
}

}  // namespace rooftile
