// Compiles what the dial may reach next, in a worker of its own without a device, so that the cubin is there
// when the dial arrives: the two workers share the cache of cubins.
#pragma once

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

class Precompiler {
 public:
  // command: starts a worker that compiles only.
  Precompiler(std::vector<std::string> command, std::filesystem::path error_log);
  ~Precompiler();

  // In this order; replaces what still waits. Nothing is compiled twice.
  void prepare(const std::vector<Configuration>& configurations, ComputeCapability cc);
  // Sends the next one when the one before is done. Never blocks.
  void poll();
  bool busy() const { return under_way_ || !waiting_.empty(); }

 private:
  void send_next();

  std::vector<std::string> command_;
  std::filesystem::path error_log_;
  std::unique_ptr<Worker> worker_;  // started with the first request; none once it has died
  bool gave_up_ = false;            // preparing is a courtesy: a worker that dies is not started again
  std::deque<CompileRequest> waiting_;
  std::optional<std::uint64_t> under_way_;
  std::set<std::string> done_;
  std::uint64_t next_id_ = 1;
};

}  // namespace rooftile
