// A conductor with a scripted worker, and what its tests ask of it.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/text/format.hpp"
#include "app/conductor/conductor.hpp"
#include "app/session/worker/worker_client.hpp"

namespace rooftile::conductor {

inline const std::filesystem::path bundled = ROOFTILE_SOURCE_DIR "/assets/sessions/h100_h200.jsonl";

class ConductorTest : public testing::Test {
 protected:
  ConductorTest() { std::filesystem::create_directories(folder_); }
  ~ConductorTest() override {
    Worker::wait_for_endings();
    std::filesystem::remove_all(folder_);
  }

  CommandLine with(std::vector<std::string> script = {}) const {
    CommandLine wanted;
    wanted.worker = {SCRIPTED_WORKER};
    wanted.worker.insert(wanted.worker.end(), script.begin(), script.end());
    wanted.journal = folder_ / "journal.jsonl";
    wanted.kernel = "sgemm_tiled";
    return wanted;
  }
  std::filesystem::path file(const char* name) const { return folder_ / name; }
  void touch(const char* name) const { std::ofstream(file(name)) << "now"; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("conductor_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

inline Conductor conductor(const CommandLine& wanted) {
  return Conductor(wanted, scene::Settings{}, std::nullopt);
}

// True if the status line counts down.
inline bool counts_down(const Conductor& conductor) {
  const auto& waited = conductor.state().known.session.waited;
  return waited && waited->value >= scene::long_wait.value;
}

// Frames of a window, until it holds. A test that waits for longer than a minute has failed.
template <class Condition>
void frames_until(Conductor& conductor, Condition condition) {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  for (double now = conductor.state().now; !condition(); now += 0.016) {
    ASSERT_LT(std::chrono::steady_clock::now() - start, 60s) << conductor.state().known.session.device;
    conductor.send();
    conductor.wait(10ms);
    conductor.news(now);
  }
}

inline void settle(Conductor& conductor) {
  frames_until(conductor, [&] { return conductor.resting(); });
}

// The launches of the trail, oldest first: "TILE=8", for another GPU than the device "TILE=8 on T4".
inline std::vector<std::string> trail(const Conductor& conductor) {
  const scene::AppState& state = conductor.state();
  std::vector<std::string> launches;
  for (const std::uint64_t id : state.choice.trail) {
    const auto point = std::ranges::find(state.known.session.log->points, id, &Point::id);
    launches.push_back("TILE=" + number(point->parameters.at("TILE")) +
                       (point->gpu == state.known.session.device ? "" : " on " + point->gpu));
  }
  return launches;
}

inline std::string message(const Conductor& conductor) {
  return conductor.state().view.message.value_or(scene::Message{}).text;
}

}  // namespace rooftile::conductor
