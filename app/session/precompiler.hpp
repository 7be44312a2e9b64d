// Compiles what will be asked for next, in workers of its own without a device, so that the cubin is there when
// the dial or the sweep arrives: all workers share the cache of cubins. NVRTC compiles one variant at a time in
// a process, hence several of them.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/request_queue.hpp"
#include "app/session/worker/launch_limit.hpp"

namespace rooftile {

class Worker;

struct PrecompilerOptions {
  std::vector<std::string> command;  // starts a worker that compiles only
  std::filesystem::path error_log;
  std::size_t most_workers = 1;
  std::chrono::milliseconds launch_limit = usual_launch_limit;  // one that compiles for so long has hung
};

class Precompiler {
 public:
  explicit Precompiler(PrecompilerOptions options);
  Precompiler(Precompiler&&) noexcept;
  Precompiler& operator=(Precompiler&&) noexcept;
  ~Precompiler();

  // Compiles these in this order; they replace what still waits. Nothing is compiled twice.
  void prepare(const std::vector<Configuration>& configurations, ComputeCapability cc);
  // Sends the next ones when those before are done. Never blocks.
  void poll();
  bool busy() const { return !pending_.empty(); }
  std::size_t left() const { return pending_.size(); }  // that wait or are being compiled
  // True if it is being compiled, or will be soon; false while every worker is slow with its compilation.
  bool has_yet_to(const Configuration& configuration) const;
  // True if it is being compiled and takes far longer than usual.
  bool is_slow(const Configuration& configuration) const;
  // Why it does not compile, in a sentence: what the compiler says, or the limit that it reached.
  std::optional<std::string> why_not(const Configuration& configuration) const;

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
  void end(Place& place, const std::string& why_not);
  void lose(Place& place);
  bool is_slow(const Place& place) const;
  const Place* place_of(const Configuration& configuration) const;

  PrecompilerOptions options_;
  std::vector<Place> places_;
  // Preparing is a courtesy: where workers die and none of them answers, no more are started.
  bool gave_up_ = false;
  int died_in_a_row_ = 0;
  std::deque<CompileRequest> waiting_;
  std::set<std::string> pending_, done_;       // by text: those waiting or under way, those before
  std::map<std::string, std::string> failed_;  // of these, with the reason
  std::uint64_t next_id_ = 1;
};

}  // namespace rooftile
