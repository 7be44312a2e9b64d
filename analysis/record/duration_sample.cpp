#include "analysis/record/duration_sample.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile {

bool took_about_as_long(Seconds one, Seconds other) {
  constexpr double most = 0.25;
  return std::abs(one / other - 1) <= most;
}

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

Timing DurationSample::timing_like(Seconds counted) const {
  constexpr Seconds comparable{
      20e-6};  // kernels/checks/profile_agreement.py holds times against ncu's from here
  DurationSample alike(most_);
  for (const Seconds duration : kept_) {
    if (took_about_as_long(duration, counted)) {
      alike.add(duration);
    }
  }
  Timing all = timing();
  if (alike.count() == kept_.size() || (alike.count() == 0 && counted < comparable)) {
    return all;
  }
  if (alike.count() == 0) {
    return {counted, counted, counted, 1, all.launches, {}};
  }
  Timing timing = alike.timing();
  const double share = static_cast<double>(alike.count()) / static_cast<double>(kept_.size());
  timing.launches = static_cast<int>(std::lround(share * all.launches));
  timing.set_aside = all.launches - timing.launches;
  return timing;
}

}  // namespace rooftile
