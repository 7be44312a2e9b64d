// One process of a program under observation. CUPTI's callbacks come in the program's own threads, its trace in
// one of CUPTI's.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>

#include "analysis/record/program/profile_options.hpp"
#include "kernels/inject/asked_names.hpp"
#include "kernels/inject/callers.hpp"
#include "kernels/inject/capture/launch_capture.hpp"
#include "kernels/inject/count/launch_counter.hpp"
#include "kernels/inject/graph_launches.hpp"
#include "kernels/inject/launch_filter.hpp"
#include "kernels/inject/nvtx_ranges.hpp"
#include "kernels/inject/record_file.hpp"
#include "kernels/inject/tracing.hpp"
#include "kernels/worker/cuda/driver.hpp"

namespace rooftile::inject {

class Injection {
 public:
  // Throws Error if no records can be written. Anything else that is missing stands in the records.
  explicit Injection(const ProfileOptions& options);

  // Has CUPTI call back. Nothing of CUDA is called here: it is about to start.
  void start(CUpti_CallbackFunc on_call, CUpti_BuffersCallbackRequestFunc on_request,
             CUpti_BuffersCallbackCompleteFunc on_trace);

  void before(CUpti_CallbackId id, const CUpti_CallbackData& call);
  void after(CUpti_CallbackId id, const CUpti_CallbackData& call);
  void range_called(CUpti_CallbackId id, const CUpti_NvtxData& call);
  void traced(std::uint8_t* buffer, std::size_t size);
  void context_goes(CUcontext context);
  // Null if no launch is asked for.
  LaunchCapture* capture() { return capture_ ? &*capture_ : nullptr; }
  // Called by NVTX as it would call CUPTI's own function: 1 if ranges are observed, 0 if nobody asks.
  int start_ranges(void* export_table);
  // When the program ends.
  void finish();
  // Waits for what was launched, and ends before the program does. CUPTI does not call back any more.
  void stop();
  bool has_stopped() const { return has_stopped_; }

 private:
  void switch_trace(bool on);
  void subscribe(CUpti_CallbackFunc on_call);
  void before_launch(CUpti_CallbackId id, const CUpti_CallbackData& call);
  void share_launching();
  void share_launching_without_stretch();
  void end_stretch();
  void change_stretch(void (LaunchCounter::*change)());
  bool begins_counting(CUpti_CallbackId id, const CUpti_CallbackData& call, int device);
  bool begins_capture(CUpti_CallbackId id, const CUpti_CallbackData& call, int device);
  void after_launch(bool launched);
  void end_counting();
  void end_capture(bool launched);
  void take_counted();
  void see_memory();
  void end_replays_if_told();
  bool is_meant(std::uint32_t correlation);
  bool means(std::size_t group);
  bool repeats_undisturbed(std::size_t group);
  bool may_count_graphs() const;
  bool is_waited_for() const;
  bool is_wanted(std::size_t group);
  int see_device();
  void take(KernelTrace trace);
  bool has_wrong_end(const KernelTrace& trace) const;
  void add_graphs(bool all);
  void tell_what_is_missing();
  bool do_graphs_alone_launch_what_is_meant();

  std::optional<AskedNames> asked_kernels_, asked_ranges_;  // if not all are meant
  worker::Cupti cupti_;
  Tracing tracing_;
  std::optional<NvtxRanges> ranges_;  // if only launches in ranges are wanted, or the time of each range
  bool only_in_ranges_ = false, by_range_ = false;
  std::optional<Callers> callers_;  // if the time of each is wanted
  std::optional<worker::Driver> driver_;
  CUpti_SubscriberHandle subscriber_ = nullptr;

  // A counted launch has the GPU for itself: its thread holds both, the second alone; every other launch shares
  // that. Readers come first there: a launch may wait in the driver for one of another thread.
  std::mutex counting_;
  std::shared_mutex launching_;
  std::unique_ptr<LaunchCounter> counter_;  // of the thread that holds it alone
  std::optional<LaunchCapture> capture_;    // likewise; if a launch is asked for
  std::atomic<LaunchCounter::Clock::time_point> next_try_ =
      LaunchCounter::Clock::time_point::min();  // as counter_ says
  std::atomic<bool> replays_;                   // as replay_rule_ says
  std::atomic<bool> is_waited_for_ = false;     // by a kernel, perhaps: see waits_for_program()
  std::atomic<bool> in_stretch_ = false;        // as counter_ says; changes while nothing is launched
  std::atomic<bool> has_stopped_ = false;
  std::atomic<int> captures_ = 0;       // of streams into graphs, now under way
  std::atomic<int> interruptions_ = 0;  // calls that no stretch may outlast

  std::mutex log_mutex_;  // for all that follows
  LaunchFilter filter_;
  ReplayRule replay_rule_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  LaunchLog log_;
  GraphLaunches graphs_;
  std::vector<std::uint64_t> idle_;  // moments without a kernel, rising [ns]
  RecordFile records_;
  std::map<std::size_t, int> interruptions_until_;  // its newest launch, by group
  std::set<std::uint32_t> counted_;                 // correlations of launches that were counted
  std::map<std::uint32_t, std::string> range_of_;   // or callers, by correlations of launches that are meant
  std::vector<Facility> facilities_;
};

}  // namespace rooftile::inject
