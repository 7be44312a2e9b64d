#include "app/session/request_queue.hpp"

#include <utility>

#include "analysis/format.hpp"

namespace rooftile {

std::string text(const Configuration& configuration) {
  const std::string parameters = text(configuration.parameters);
  return parameters.empty() ? configuration.kernel : configuration.kernel + " " + parameters;
}

std::uint64_t RequestQueue::request(const Configuration& configuration) {
  waiting_ = Job{next_id_++, configuration};
  return waiting_->id;
}

std::vector<std::uint64_t> RequestQueue::sweep(const std::vector<Configuration>& configurations) {
  if (!sweeping()) {
    sweep_total_ = 0;
    sweep_start_ = Clock::now();
  }
  std::vector<std::uint64_t> ids;
  for (const auto& configuration : configurations) {
    ids.push_back(next_id_++);
    sweep_.push_back({ids.back(), configuration, true});
  }
  sweep_total_ += static_cast<int>(configurations.size());
  return ids;
}

void RequestQueue::cancel_sweep() {
  sweep_total_ -= static_cast<int>(sweep_.size());
  sweep_.clear();
}

void RequestQueue::clear() {
  waiting_.reset();
  cancel_sweep();
}

const Job* RequestQueue::start_next() {
  if (under_way_) {
    return nullptr;
  }
  if (waiting_) {
    under_way_ = std::exchange(waiting_, std::nullopt);
  } else if (!sweep_.empty()) {
    under_way_ = std::move(sweep_.front());
    sweep_.pop_front();
  }
  return under_way_ ? &*under_way_ : nullptr;
}

int RequestQueue::sweep_done() const {
  return sweep_total_ - static_cast<int>(sweep_.size()) - (sweep_under_way() ? 1 : 0);
}

std::optional<Progress> RequestQueue::progress() const {
  if (!sweeping()) {
    return std::nullopt;
  }
  const Job& job = sweep_under_way() ? *under_way_ : sweep_.front();
  return Progress{text(job.configuration), sweep_done(), sweep_total_};
}

std::optional<Seconds> RequestQueue::time_left() const {
  const int done = sweep_done();
  if (!sweeping() || done == 0) {
    return std::nullopt;
  }
  const std::chrono::duration<double> elapsed = Clock::now() - sweep_start_;
  return Seconds{elapsed.count() / done * (sweep_total_ - done)};
}

}  // namespace rooftile
