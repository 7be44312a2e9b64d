// The counters as a measurement uses them: armed beside other work. If they cannot be had, a named state says
// why.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "analysis/record/records.hpp"
#include "kernels/worker/count/counter_session.hpp"

namespace rooftile::worker {

class Counting {
 public:
  // Never throws for something that is only absent: counters() then says what and why.
  Counting(const Device& device, Cupti cupti);
  explicit Counting(Facility profiler);  // without CUPTI: profiler says why
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

  // Starts arming in another thread; returns at once. While another profiler is at work it is tried again each
  // time.
  void arm();
  // Waits for the arming. Modules load, and kernels are launched, while nothing arms.
  void settle();
  bool ready();
  // Counters in the order of the runs; empty if counters cannot be had: counters() says why. needs: of all
  // runs. If they differ from the needs of the last call, the session is opened again.
  // place: as of CounterSession::count.
  std::vector<Counters> count(const CounterNeeds& needs, const std::vector<CountedRun>& runs,
                              const std::function<void(const Counters&)>& place = {});
  void release();
  // After a wrong count of a known launch: counters are not read any more.
  void distrust(const std::string& detail);
  // Keeps the counter recording of each launch in a folder, as launch_1 and so on. An empty path ends that.
  void record_into(const std::filesystem::path& folder) { recordings_ = folder; }

  const Cupti* cupti() const { return cupti_ ? &*cupti_ : nullptr; }
  const std::string& chip() const { return chip_; }
  const CounterSession* session() const { return session_.get(); }
  Facility profiler() const { return profiler_; }
  Facility counters() const { return counters_; }

 private:
  void gather_for(const CounterNeeds& needs);
  void try_to_arm();
  void refuse(const CuptiError& error);
  void record();

  const Device* device_ = nullptr;
  std::optional<Cupti> cupti_;
  std::string chip_;    // as CUPTI names it: "GH100"
  CounterNeeds needs_;  // what the configuration gathers
  std::unique_ptr<CounterConfig> config_;
  std::unique_ptr<CounterSession> session_;
  std::filesystem::path recordings_;
  int recorded_ = 0;
  Facility profiler_{"profiler", Facility::State::ready, "", "", ""};
  Facility counters_{"counters", Facility::State::ready, "", "", ""};
  std::future<void> arming_;  // last, so destroyed first, which waits for its thread
};

}  // namespace rooftile::worker
