#include "kernels/inject/injection.hpp"

#include <fmt/format.h>

#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/record/program/program_points.hpp"
#include "kernels/inject/count/idle_wait.hpp"
#include "kernels/inject/loaded_code.hpp"
#include "kernels/worker/count/counters_refused.hpp"
#include "kernels/worker/cuda/device.hpp"

namespace rooftile::inject {
namespace {

using State = Facility::State;
using Clock = std::chrono::steady_clock;

// Correlations rise. A trace comes within a second, long before so many later launches.
constexpr std::size_t remembered_launches = 1 << 20;
void forget_the_first(auto& correlations) {
  if (correlations.size() > remembered_launches) {
    correlations.erase(correlations.begin());
  }
}

constexpr const char* cupti_fix = "Install CUDA 12.6 or later, or name its folder in CUDA_HOME.";

// This thread's state for the launch that it is about to make.
struct Turn {
  enum class Holds { nothing, shared, to_count, to_capture } holds = Holds::nothing;
  std::size_t group = 0;
  bool has_time = false;  // a launch of the group was traced
  std::string range;
  Clock::time_point begun;
};
thread_local Turn turn;

Seconds since(Clock::time_point begun) {
  return {std::chrono::duration<double>(Clock::now() - begun).count()};
}

}  // namespace

Injection::Injection(const ProfileOptions& options)
    : only_in_ranges_(!options.range.empty()),
      by_range_(options.by_range),
      filter_(options,
              [this](const std::string& name) { return !asked_kernels_ || asked_kernels_->means(name); }),
      replay_rule_(options.replay),
      records_(options.folder) {
  replays_ = replay_rule_.allows();
  if (!options.kernel.empty()) {
    asked_kernels_.emplace(kernel_question, question_socket(options));
  }
  if (!options.range.empty()) {
    asked_ranges_.emplace(range_question, question_socket(options));
  }
  if (options.by_caller) {
    callers_.emplace();
  }
  if (!options.range.empty() || options.by_range) {
    ranges_.emplace([this](const std::string& name) { return !asked_ranges_ || asked_ranges_->means(name); });
  }
  std::string tried;
  try {
    driver_ = worker::load_driver();
    const std::string served = driver_ ? driver_->version() : "";
    if (auto found = worker::load_cupti(&tried, served, worker::CuptiChoice::programs); found && driver_) {
      cupti_ = *found;
      tracing_ = load_tracing(cupti_);
      counter_ = std::make_unique<LaunchCounter>(cupti_, *driver_, [this](bool on) { switch_trace(on); });
      if (!options.capture.empty()) {
        capture_.emplace(*driver_, options.capture, options.capture_limit);
      }
      facilities_ = {
          {"profiler", State::ready, "CUPTI is loaded.", "", cupti_.file + ", version " + cupti_.version}};
    } else {
      facilities_ = {{"profiler", State::missing, "CUPTI was not found.", cupti_fix, tried}};
    }
  } catch (const Error& error) {
    facilities_ = {{"profiler", State::failed, "CUPTI was found but cannot be used.", cupti_fix, error.what()}};
  }
  records_.write(facilities_);
}

void Injection::start(CUpti_CallbackFunc on_call, CUpti_BuffersCallbackRequestFunc on_request,
                      CUpti_BuffersCallbackCompleteFunc on_trace) {
  if (!counter_) {
    return;
  }
  try {
    subscribe(on_call);
    constexpr std::uint32_t period_ms = 500;
    cupti_.check(tracing_.cuptiActivityRegisterCallbacks(on_request, on_trace),
                 "cuptiActivityRegisterCallbacks");
    cupti_.check(tracing_.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable");
    cupti_.check(tracing_.cuptiActivityFlushPeriod(period_ms), "cuptiActivityFlushPeriod");
  } catch (const worker::CuptiError& error) {
    next_try_ = Clock::time_point::max();  // callbacks may come all the same
    counter_.reset();
    facilities_.push_back(worker::counters_refused(error.code(), error.what()));
    records_.write(facilities_);
  }
}

// It ends while no kernel runs.
void Injection::switch_trace(bool on) {
  if (on) {
    tracing_.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    return;
  }
  tracing_.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  std::uint64_t now = 0;
  tracing_.cuptiGetTimestamp(&now);
  const std::lock_guard lock(log_mutex_);
  idle_.push_back(now);
}

void Injection::subscribe(CUpti_CallbackFunc on_call) {
  cupti_.check(tracing_.cuptiSubscribe(&subscriber_, on_call, this), "cuptiSubscribe");
  for (const CUpti_CallbackId id : calls_of_interest()) {
    // A driver older than the header knows fewer of these calls.
    tracing_.cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id);
  }
  if (ranges_) {
    for (const CUpti_CallbackId id : NvtxRanges::calls()) {
      cupti_.check(tracing_.cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_NVTX, id),
                   "cuptiEnableCallback");
    }
  }
  std::vector<CUpti_CallbackId> resources = {CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING};
  if (capture_) {
    resources.insert(resources.end(),
                     {CUPTI_CBID_RESOURCE_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING});
  }
  for (const CUpti_CallbackId id : resources) {
    cupti_.check(tracing_.cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, id),
                 "cuptiEnableCallback");
  }
}

void Injection::before(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  switch (call_of(id).value_or(Call::end_capture)) {
    case Call::launch:
    case Call::graph_launch:
      before_launch(id, call);
      break;
    case Call::graph_destroy: {
      const std::lock_guard lock(log_mutex_);
      graphs_.destroyed(graph_of(call));
      break;
    }
    case Call::begin_capture:
      end_stretch();  // it may have patched what goes into the graph
      ++captures_;
      break;
    case Call::end_capture:
      break;
    case Call::code_change:
      share_launching_without_stretch();
      break;
  }
}

// Code is neither loaded nor unloaded during a stretch, for which CUPTI patches code as it is launched: JAX,
// whose threads do so with kernels that they try, ended in CUPTI (H200, CUDA 13.0).
void Injection::share_launching_without_stretch() {
  ++interruptions_;
  share_launching();
  while (in_stretch_) {
    launching_.unlock_shared();
    end_stretch();
    launching_.lock_shared();
  }
}

// A launch into a graph under capture runs later, and nothing may wait for the device during a capture.
void Injection::before_launch(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  const int device = see_device();
  const bool is_graph = call_of(id) == Call::graph_launch;
  bool is_logged = false, wanted = false, will_wait = false;
  if (is_meant(call.correlationId) && captures_ == 0) {
    const std::lock_guard lock(log_mutex_);
    turn.group = is_graph ? log_.group_of_graph(graphs_.number_of(graph_of(call)), device)
                          : log_.group_of(key_of(id, call, device));
    turn.has_time = repeats_undisturbed(turn.group) && log_.is_traced(turn.group);
    replay_rule_.launched(turn.group);
    end_replays_if_told();
    is_logged = means(turn.group);
    will_wait = !is_graph && waits_for_program(log_.kernel_of(turn.group));
    wanted = is_logged && !will_wait && (!is_graph || may_count_graphs()) && is_wanted(turn.group);
  }
  if (wanted && (capture_ ? begins_capture(id, call, device) : begins_counting(id, call, device))) {
    return;
  }
  if (!wanted && captures_ == 0) {
    change_stretch(&LaunchCounter::pass_by);
  }
  if (will_wait) {
    share_launching_without_stretch();
    is_waited_for_ = true;
  } else {
    share_launching();
  }
  const std::lock_guard lock(log_mutex_);
  if (is_logged && in_stretch_) {
    log_.add_untimed(turn.group, turn.range);
  } else if (is_logged) {
    log_.leave_to_trace(turn.group);
    if (is_graph) {
      graphs_.launched(call.correlationId, turn.group);
    }
  }
}

// A graph is counted as a whole, and never replayed: it may hold more than kernels. With several GPUs a kernel
// of it may wait for one of another GPU.
bool Injection::may_count_graphs() const {
  return !capture_ && !replays_ && records_.devices() == 1;
}

bool Injection::means(std::size_t group) {
  return filter_.means(group, log_.kernel_of(group), log_.shape_of(group));
}

// Code that changes all the time, as while JAX tries kernels, would end a stretch before it met a second one.
bool Injection::repeats_undisturbed(std::size_t group) {
  const int now = interruptions_;
  return std::exchange(interruptions_until_[group], now) == now;
}

// Nothing is counted until after_launch().
void Injection::share_launching() {
  launching_.lock_shared();
  turn.holds = Turn::Holds::shared;
}

void Injection::end_stretch() {
  change_stretch(&LaunchCounter::end_stretch);
}

void Injection::change_stretch(void (LaunchCounter::*change)()) {
  if (!in_stretch_) {
    return;
  }
  const std::lock_guard turn_to_count(counting_);
  const std::lock_guard alone(launching_);
  ((*counter_).*change)();
  take_counted();
}

bool Injection::begins_counting(CUpti_CallbackId id, const CUpti_CallbackData& call, int device) {
  std::unique_lock turn_to_count(counting_);
  std::unique_lock alone(launching_);
  is_waited_for_ = is_waited_for();  // no launch is under way
  if (is_waited_for_) {
    return false;
  }
  turn.begun = Clock::now();
  if (call_of(id) == Call::launch) {
    load_code(*driver_, launch_call_of(id, call).function);
  }
  const bool begun = counter_->begin(call.context, device, turn.group, turn.has_time, replays_);
  next_try_ = counter_->next_try();
  take_counted();
  const std::lock_guard lock(log_mutex_);
  if (!begun) {
    log_.waited(turn.group, since(turn.begun));
    return false;
  }
  counted_.insert(call.correlationId);
  forget_the_first(counted_);
  filter_.counted();
  turn.holds = Turn::Holds::to_count;
  alone.release();
  turn_to_count.release();
  return true;
}

// Nothing else is launched until it has been written down.
bool Injection::begins_capture(CUpti_CallbackId id, const CUpti_CallbackData& call, int device) {
  std::unique_lock turn_to_capture(counting_);
  std::unique_lock alone(launching_);
  const LaunchKey key = key_of(id, call, device);
  if (!capture_->is_open() || !capture_->begin(key, readable_name(key.symbol), launch_call_of(id, call),
                                               worker::gpu_of(*driver_, device).cc)) {
    return false;
  }
  turn.holds = Turn::Holds::to_capture;
  alone.release();
  turn_to_capture.release();
  return true;
}

// Before a launch is counted: asking takes longer than a launch.
void Injection::see_memory() {
  if (!replay_rule_.is_open()) {
    return;
  }
  std::size_t free = 0, total = 0;
  if (driver_->cuMemGetInfo(&free, &total) == CUDA_SUCCESS) {
    replay_rule_.sees_memory(static_cast<double>(free), static_cast<double>(total));
  }
  end_replays_if_told();
}

// Once replays end, all that they have counted is counted again in passes.
void Injection::end_replays_if_told() {
  if (!replay_rule_.allows() && replays_.exchange(false)) {
    filter_.begin_again();
  }
}

// A launch outside of the wanted ranges is ignored.
bool Injection::is_meant(std::uint32_t correlation) {
  const bool inside = ranges_ && ranges_->inside();
  turn.range = callers_ ? callers_->path() : by_range_ ? ranges_->path() : "";
  const bool meant = inside || !only_in_ranges_;
  if (meant && (inside || !turn.range.empty())) {
    const std::lock_guard lock(log_mutex_);
    range_of_[correlation] = turn.range;
    forget_the_first(range_of_);
  }
  return meant;
}

bool Injection::is_waited_for() const {
  return is_waited_for_ && !is_idle(*driver_);
}

bool Injection::is_wanted(std::size_t group) {
  const bool may_be = capture_ ? capture_->is_open()
                               : Clock::now() >= next_try_.load() && !waits_for_others(log_.kernel_of(group));
  if (!may_be || !filter_.wants(group) || is_waited_for()) {
    return false;
  }
  see_memory();
  return !replays_ || replay_rule_.affords_another(since(begun_));
}

// In a thread of the program's own, which has a context.
int Injection::see_device() {
  CUdevice device = 0;
  if (!driver_ || driver_->cuCtxGetDevice(&device) != CUDA_SUCCESS) {
    return 0;
  }
  const std::lock_guard lock(log_mutex_);
  if (!records_.knows(device)) {
    records_.write(device, worker::gpu_of(*driver_, device), driver_->version());
  }
  return device;
}

void Injection::after(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  const bool succeeded = *static_cast<const CUresult*>(call.functionReturnValue) == CUDA_SUCCESS;
  switch (call_of(id).value_or(Call::launch)) {
    case Call::launch:
    case Call::graph_launch:
      after_launch(succeeded);
      break;
    case Call::graph_destroy:
      break;
    case Call::begin_capture:
      captures_ -= succeeded ? 0 : 1;
      break;
    case Call::end_capture:  // a failed call has ended the capture too, unless there was none
      captures_ -= captures_ > 0 ? 1 : 0;
      break;
    case Call::code_change:
      after_launch(succeeded);
      break;
  }
}

void Injection::after_launch(bool launched) {
  switch (std::exchange(turn.holds, Turn::Holds::nothing)) {
    case Turn::Holds::shared:
      launching_.unlock_shared();
      break;
    case Turn::Holds::to_count:
      end_counting();
      break;
    case Turn::Holds::to_capture:
      end_capture(launched);
      break;
    case Turn::Holds::nothing:
      break;
  }
}

void Injection::end_capture(bool launched) {
  capture_->end(launched);
  launching_.unlock();
  counting_.unlock();
}

void Injection::end_counting() {
  const std::unique_lock alone(launching_, std::adopt_lock);
  const bool replayed = counter_->end();
  counting_.unlock();
  next_try_ = counter_->next_try();
  {
    const std::lock_guard lock(log_mutex_);
    const Seconds cost = since(turn.begun);
    log_.add(turn.group, CountedLaunch{replayed, cost, turn.range});
    if (replayed) {
      replay_rule_.replayed(cost);
    }
  }
  take_counted();
}

// Called with the counter held alone.
void Injection::take_counted() {
  in_stretch_ = counter_->is_in_stretch();
  const std::lock_guard lock(log_mutex_);
  for (const CountedGroup& each : counter_->take_counted()) {
    if (!each.range) {
      filter_.complete(each.group);
    }
    log_.add(each);
    records_.write_now(log_, each.group);
  }
  end_replays_if_told();
  records_.write_sometimes(log_);
}

void Injection::range_called(CUpti_CallbackId id, const CUpti_NvtxData& call) {
  ranges_->called(id, call);
}

// NVTX calls it for CUPTI.
int Injection::start_ranges(void* export_table) {
  const auto library = platform::DynamicLibrary::open({cupti_.file});
  void* const start = library && ranges_ ? library->symbol("InitializeInjectionNvtx2") : nullptr;
  return start != nullptr ? reinterpret_cast<int (*)(void*)>(start)(export_table) : 0;
}

void Injection::context_goes(CUcontext context) {
  const std::lock_guard lock(launching_);
  if (counter_) {
    counter_->release(context);
    take_counted();
  }
}

}  // namespace rooftile::inject
