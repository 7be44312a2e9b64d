// The queue of launches. One request is under way. Only the newest further request waits, so that a dragged
// dial measures where it is, not where it was. Lines to count and roofs to measure wait behind it, and a sweep
// behind them, in order. So many jobs of a sweep are under way together that they take a moment: the worker
// counts them in one replay, and a cancelled sweep still ends soon.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/manifest/configuration.hpp"
#include "analysis/record/records.hpp"

namespace rooftile {

enum class Work { measure, profile, roofs, roofs_again };  // roofs: those not known yet

struct Job {
  std::uint64_t id = 0;
  Configuration configuration;
  bool of_sweep = false;
  bool alone = false;  // it may be what ended a worker
  Work work = Work::measure;
  std::optional<Gpu> target;  // compiled for this GPU instead of measured
};
std::string text(const Job& job);  // its configuration, or "the roofs"
Request request_for(const Job& job, Seconds launch_limit);

class RequestQueue {
 public:
  using Clock = std::chrono::steady_clock;

  std::uint64_t request(const Configuration& configuration, Work work = Work::measure,
                        const std::optional<Gpu>& target = {});
  std::vector<std::uint64_t> sweep(const std::vector<Configuration>& configurations);
  void number_from(std::uint64_t id);             // the next jobs: smaller ids are taken
  std::uint64_t take_id() { return next_id_++; }  // for what is no job
  void cancel_sweep();                            // what is under way stays
  void pause_sweep(bool pause);                   // likewise; requests go on
  bool sweep_paused() const { return paused_since_.has_value(); }
  void clear();  // drops what waits

  // Starts the next job and returns it; nullptr if nothing waits, or if it has to wait for the jobs under way.
  const Job* start_next();
  const std::deque<Job>& under_way() const { return under_way_; }
  // Its configuration; nullptr when nothing waits.
  const Job* next() const;
  void finish(std::uint64_t id);
  // Drops the sweep's next job without starting it; it counts as done.
  Job drop_next_of_sweep();
  // The sweep's jobs that pass go behind the others.
  void put_last(const std::function<bool(const Job&)>& passes);
  // The jobs under way were lost with their worker and wait again, before all others. one_by_one: one of them
  // ended the worker, and nobody knows which.
  enum class Again { as_before, one_by_one };
  void put_back(Again again);
  bool empty() const { return under_way_.empty() && next() == nullptr; }

  std::optional<Progress> progress() const;  // of the sweep; empty outside one
  std::optional<Seconds> time_left() const;  // of the sweep, once one of its jobs is done

 private:
  bool sweep_under_way() const { return !under_way_.empty() && under_way_.front().of_sweep; }
  bool sweeping() const { return sweep_under_way() || !sweep_.empty(); }
  int sweep_done() const;
  std::size_t at_once() const;

  std::deque<Job> under_way_;   // one request, or some of the sweep
  std::optional<Job> waiting_;  // to be measured: the newest
  std::deque<Job> errands_;     // lines to count, roofs to measure; no dial move drops them
  std::deque<Job> sweep_;
  int sweep_total_ = 0;
  Clock::time_point sweep_start_, together_start_;  // pauses are taken out of the first
  std::optional<Clock::time_point> paused_since_;
  int together_ = 0;                     // jobs of the sweep in this batch, begun at together_start_
  std::optional<Clock::duration> each_;  // time of one launch of the last finished batch
  std::uint64_t next_id_ = 1;
};

}  // namespace rooftile
