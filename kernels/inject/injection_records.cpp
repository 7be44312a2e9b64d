// What CUPTI's trace tells of launches, and what is recorded in the end.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/inject/injection.hpp"

namespace rooftile::inject {

namespace {

using State = Facility::State;

}  // namespace

void Injection::traced(std::uint8_t* buffer, std::size_t size) {
  const std::lock_guard lock(log_mutex_);
  CUpti_Activity* record = nullptr;
  while (tracing_.cuptiActivityGetNextRecord(buffer, size, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      take(trace_of(*reinterpret_cast<const CUpti_ActivityKernel9*>(record)));
    }
  }
  add_graphs(false);
  records_.write_sometimes(log_);
}

// Called with the log's mutex held.
void Injection::add_graphs(bool all) {
  for (const GraphRun& run : graphs_.take_ended(all)) {
    log_.add(run);
  }
}

void Injection::take(KernelTrace trace) {
  const auto range = range_of_.find(trace.correlation);
  if (only_in_ranges_ && range == range_of_.end()) {
    return;
  }
  trace.launch.range = range == range_of_.end() ? "" : range->second;
  const bool has_time = trace.launch.duration.value > 0;  // else it has not ended
  if (trace.launch.in_graph && has_time && !has_wrong_end(trace)) {
    graphs_.traced(trace.correlation, trace.launch.start, trace.end);
  } else if (trace.launch.in_graph) {
    graphs_.traced(trace.correlation);
  }
  const std::size_t group = log_.group_of(trace.key);
  if (!means(group)) {
    return;
  }
  if (counted_.contains(trace.correlation)) {
    log_.describe(group, trace.launch);
  } else if (has_wrong_end(trace)) {
    log_.add_untimed(group, trace.launch.range, trace.launch.in_graph);
  } else if (has_time) {
    log_.add(group, trace.launch);
  }
}

// Kernels of a graph came with ends a third of a second late if the trace ended before the next launch of the
// graph (H200, CUDA 13.0).
bool Injection::has_wrong_end(const KernelTrace& trace) const {
  const auto next = std::ranges::upper_bound(idle_, trace.launch.start);
  return next != idle_.end() && *next < trace.end;
}

void Injection::finish() {
  if (counter_) {
    tracing_.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::lock_guard alone(launching_);
    counter_->release(nullptr);
    take_counted();
  }
  const std::lock_guard lock(log_mutex_);
  add_graphs(true);
  tell_what_is_missing();
  records_.write(facilities_);
  records_.write_final(log_);
}

void Injection::stop() {
  if (driver_) {
    driver_->cuCtxSynchronize();  // fails where this thread has no context, and so has launched nothing
  }
  finish();
  if (counter_) {
    tracing_.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    tracing_.cuptiUnsubscribe(subscriber_);
  }
  has_stopped_ = true;
}

bool Injection::do_graphs_alone_launch_what_is_meant() {
  bool any = false;
  for (std::size_t group = 0; group < log_.size(); ++group) {
    if (log_.has_launches(group) && means(group)) {
      any = log_.is_in_graphs_alone(group);
      if (!any) {
        return false;
      }
    }
  }
  return any;
}

void Injection::tell_what_is_missing() {
  if (capture_) {
    facilities_.push_back(capture_->facility(do_graphs_alone_launch_what_is_meant()));
  }
  if (counter_ && !capture_) {
    facilities_.push_back(counter_->facility(replay_rule_));
  }
  if ((asked_kernels_ && asked_kernels_->went_unanswered()) ||
      (asked_ranges_ && asked_ranges_->went_unanswered())) {
    facilities_.push_back({"names", State::failed,
                           "Rooftile did not answer whether a name is meant, so kernels were left out.",
                           "Leave out --kernel and --nvtx.", ""});
  }
}

}  // namespace rooftile::inject
