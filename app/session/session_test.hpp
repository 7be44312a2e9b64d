// A session with a scripted worker, and what its tests ask of it.
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/text/format.hpp"
#include "app/session/session.hpp"
#include "app/session/tile_launch_test.hpp"
#include "app/session/worker/worker_client.hpp"

namespace rooftile {

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() { std::filesystem::create_directories(folder_); }
  ~SessionTest() override {
    Worker::wait_for_endings();
    std::filesystem::remove_all(folder_);
  }

  SessionOptions options(std::vector<std::string> script = {}) const {
    SessionOptions options;
    options.worker = {SCRIPTED_WORKER};
    options.worker.insert(options.worker.end(), script.begin(), script.end());
    options.journal = journal();
    return options;
  }
  Session session(std::vector<std::string> script = {}) const { return Session(options(std::move(script))); }

  std::filesystem::path journal() const { return folder_ / "journal.jsonl"; }
  std::filesystem::path gate() const { return folder_ / "gate"; }
  void open_gate() const { std::ofstream(gate()) << "open"; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("session_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

// Frames until it holds; a test that waits for longer than a minute has failed.
template <class Condition>
void poll_until(Session& session, Condition condition) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!condition()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << session.last_error().value_or("no error");
    session.send();
    session.wait(10ms);
    session.poll();
  }
}

inline void finish(Session& session) {
  poll_until(session, [&] { return !session.busy(); });
}

// "TILE=8", or "TILE=8 failed", in the order of the log.
inline std::vector<std::string> points(const SessionLog& log) {
  std::vector<std::string> words;
  for (const auto& point : log.points) {
    words.push_back(text(point.parameters) + (point.failure ? " failed" : point.final ? "" : " unfinished"));
  }
  return words;
}

inline Gpu another_gpu() {
  Gpu gpu;
  gpu.name = "Another GPU";
  gpu.cc = {8, 6};
  gpu.sm_count = 40;
  gpu.boost_clock = {1.5e9};
  gpu.sm = *sm_limits(gpu.cc);
  gpu.quoted_dram = {4e11};
  return gpu;
}

}  // namespace rooftile
