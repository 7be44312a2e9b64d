#include "app/session/request_queue.hpp"

#include <algorithm>
#include <utility>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

// Most jobs of a sweep under way: the worker counts no more together, and nobody waits long for so many.
constexpr std::size_t most_at_once = 32;
constexpr std::chrono::milliseconds moment{400};

}  // namespace

std::string text(const Job& job) {
  return job.work == Work::roofs || job.work == Work::roofs_again ? "the roofs" : text(job.configuration);
}

Request request_for(const Job& job, Seconds launch_limit) {
  const auto& [kernel, parameters, caches, returned_bytes] = job.configuration;
  if (job.work == Work::profile) {
    return ProfileRequest{job.id, kernel, parameters, caches, launch_limit};
  }
  if (job.work == Work::roofs || job.work == Work::roofs_again) {
    return RoofsRequest{job.id, job.work == Work::roofs_again};
  }
  if (job.target) {
    return CompileRequest{job.id, kernel, parameters, job.target->cc, job.target->sm_count};
  }
  return MeasureRequest{job.id, kernel, parameters, caches, returned_bytes};
}

std::uint64_t RequestQueue::request(const Configuration& configuration, Work work,
                                    const std::optional<Gpu>& target) {
  Job job{.id = next_id_++, .configuration = configuration, .work = work, .target = target};
  const std::uint64_t id = job.id;
  if (work == Work::measure) {
    waiting_ = std::move(job);
  } else {
    errands_.push_back(std::move(job));
  }
  return id;
}

const Job* RequestQueue::next() const {
  if (waiting_) {
    return &*waiting_;
  }
  const auto& queue = errands_.empty() ? sweep_ : errands_;
  const bool waits = queue.empty() || (errands_.empty() && sweep_paused());
  return waits ? nullptr : &queue.front();
}

void RequestQueue::number_from(std::uint64_t id) {
  next_id_ = std::max(next_id_, id);
}

std::vector<std::uint64_t> RequestQueue::sweep(const std::vector<Configuration>& configurations) {
  pause_sweep(false);
  if (!sweeping()) {
    sweep_total_ = 0;
    sweep_start_ = Clock::now();
    each_.reset();
  }
  std::vector<std::uint64_t> ids;
  for (const auto& configuration : configurations) {
    ids.push_back(next_id_++);
    sweep_.push_back({.id = ids.back(), .configuration = configuration, .of_sweep = true, .target = {}});
  }
  sweep_total_ += static_cast<int>(configurations.size());
  return ids;
}

void RequestQueue::cancel_sweep() {
  sweep_total_ -= static_cast<int>(sweep_.size());
  sweep_.clear();
  paused_since_.reset();
}

void RequestQueue::pause_sweep(bool pause) {
  if (pause && !paused_since_) {
    paused_since_ = Clock::now();
  } else if (!pause && paused_since_) {
    sweep_start_ += Clock::now() - *paused_since_;
    paused_since_.reset();
  }
}

void RequestQueue::clear() {
  waiting_.reset();
  errands_.clear();
  cancel_sweep();
}

const Job* RequestQueue::start_next() {
  if (waiting_ && under_way_.empty()) {
    return &under_way_.emplace_back(*std::exchange(waiting_, std::nullopt));
  }
  if (!errands_.empty() && under_way_.empty()) {
    under_way_.push_back(std::move(errands_.front()));
    errands_.pop_front();
    return &under_way_.back();
  }
  const bool none = sweep_.empty() || sweep_paused();
  if (waiting_ || !errands_.empty() || none || under_way_.size() >= at_once()) {
    return nullptr;
  }
  if (under_way_.empty()) {
    together_start_ = Clock::now();
    together_ = 0;
  }
  ++together_;
  under_way_.push_back(std::move(sweep_.front()));
  sweep_.pop_front();
  return &under_way_.back();
}

// The number of jobs that take a moment, at the pace of the last batch: the first jobs, dearer by far, tell
// nothing of the rest.
std::size_t RequestQueue::at_once() const {
  const bool alone = (!sweep_.empty() && sweep_.front().alone) ||
                     (!under_way_.empty() && (under_way_.back().alone || !under_way_.back().of_sweep));
  if (alone || !each_) {
    return 1;
  }
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(moment / std::max(*each_, Clock::duration(1)), 1, most_at_once));
}

void RequestQueue::finish(std::uint64_t id) {
  const bool of_sweep = sweep_under_way();
  std::erase_if(under_way_, [&](const Job& job) { return job.id == id; });
  if (of_sweep && under_way_.empty()) {
    each_ = (Clock::now() - together_start_) / together_;
  }
}

Job RequestQueue::drop_next_of_sweep() {
  Job job = std::move(sweep_.front());
  sweep_.pop_front();
  return job;
}

void RequestQueue::put_last(const std::function<bool(const Job&)>& passes) {
  std::ranges::stable_partition(sweep_, std::not_fn(passes));
}

void RequestQueue::put_back(Again again) {
  for (; !under_way_.empty(); under_way_.pop_back()) {
    Job& job = under_way_.back();
    job.alone = job.alone || again == Again::one_by_one;
    if (job.of_sweep) {
      sweep_.push_front(std::move(job));
    } else if (job.work != Work::measure) {
      errands_.push_front(std::move(job));
    } else if (!waiting_) {
      waiting_ = std::move(job);
    }
  }
}

int RequestQueue::sweep_done() const {
  return sweep_total_ - static_cast<int>(sweep_.size()) -
         (sweep_under_way() ? static_cast<int>(under_way_.size()) : 0);
}

std::optional<Progress> RequestQueue::progress() const {
  if (!sweeping()) {
    return std::nullopt;
  }
  const Job& job = sweep_under_way() ? under_way_.front() : sweep_.front();
  return Progress{text(job.configuration), sweep_done(), sweep_total_};
}

std::optional<Seconds> RequestQueue::time_left() const {
  const int done = sweep_done();
  if (!sweeping() || done == 0) {
    return std::nullopt;
  }
  const std::chrono::duration<double> elapsed = paused_since_.value_or(Clock::now()) - sweep_start_;
  return Seconds{elapsed.count() / done * (sweep_total_ - done)};
}

}  // namespace rooftile
