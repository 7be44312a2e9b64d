// Compiles what will be asked for next, in workers of its own without a device, so that the cubin is there when
// the dial or the sweep arrives: all workers share the cache of cubins. NVRTC compiles one variant at a time in
// a process, hence several of them.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/request_queue.hpp"

namespace rooftile {

class Worker;

struct PrecompilerOptions {
  std::vector<std::string> command;  // starts a worker that compiles only
  std::filesystem::path error_log;
  std::size_t most_workers = 1;
  std::chrono::milliseconds launch_limit{60'000};  // one that compiles for so long has hung
};

class Precompiler {
 public:
  explicit Precompiler(PrecompilerOptions options);
  ~Precompiler();

  // In this order; replaces what still waits. Nothing is compiled twice.
  void prepare(const std::vector<Configuration>& configurations, ComputeCapability cc);
  // Sends the next ones when those before are done. Never blocks.
  void poll();
  bool busy() const { return !pending_.empty(); }
  // It waits here, or is being compiled.
  bool has_yet_to(const Configuration& configuration) const { return pending_.contains(text(configuration)); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Place {
    std::unique_ptr<Worker> worker;
    std::optional<CompileRequest> under_way;
    Clock::time_point since;
  };
  void listen(Place& place);
  void send_next(Place& place);
  void open_a_place();
  void drop_waiting();
  void give_up(Place& place);

  PrecompilerOptions options_;
  std::vector<Place> places_;
  bool gave_up_ = false;  // preparing is a courtesy: a worker that dies is not started again
  std::deque<CompileRequest> waiting_;
  std::set<std::string> pending_, done_;  // by text: those waiting or under way, those before
  std::uint64_t next_id_ = 1;
};

}  // namespace rooftile
