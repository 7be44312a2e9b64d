#include "app/session/precompiler.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "analysis/record/records.hpp"
#include "analysis/text/format.hpp"
#include "app/session/tile_launch_test.hpp"
#include "app/session/worker/worker_client.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PrecompilerTest : public ::testing::Test {
 protected:
  PrecompilerTest() { std::filesystem::create_directories(folder_); }
  ~PrecompilerTest() override {
    Worker::wait_for_endings();
    std::filesystem::remove_all(folder_);
  }

  Precompiler precompiler(std::vector<std::string> script = {}, std::chrono::milliseconds limit = 60s) const {
    std::vector<std::string> command = {SCRIPTED_WORKER, "--compile-only", "--heard", heard_file().string()};
    command.insert(command.end(), script.begin(), script.end());
    return Precompiler({command, folder_ / "log", 1, limit});
  }
  std::filesystem::path heard_file() const { return folder_ / "heard"; }
  std::filesystem::path gate() const { return folder_ / "gate"; }

  // The worker's requests, in order: "TILE=8".
  std::vector<std::string> heard() const {
    std::vector<std::string> all;
    std::ifstream in(heard_file());
    for (std::string line; std::getline(in, line);) {
      all.push_back(text(std::get<CompileRequest>(parse_request(line)).parameters));
    }
    return all;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("precompiler_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

void finish(Precompiler& precompiler) {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (precompiler.busy()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::sleep_for(1ms);
    precompiler.poll();
  }
}

TEST_F(PrecompilerTest, CompilesEachOnceInTheOrderAsked) {
  Precompiler ahead = precompiler();
  ahead.prepare({tile(16), tile(8), tile(16)}, {9, 0});
  finish(ahead);
  ahead.prepare({tile(8), tile(32)}, {9, 0});
  finish(ahead);
  EXPECT_THAT(heard(), ElementsAre("TILE=16", "TILE=8", "TILE=32"));
}

TEST_F(PrecompilerTest, ANewerWishReplacesWhatWaits) {
  Precompiler ahead = precompiler({"--gate", gate().string()});
  ahead.prepare({tile(4), tile(8), tile(16)}, {9, 0});
  ahead.prepare({tile(32)}, {9, 0});
  std::ofstream(gate()) << "open";
  finish(ahead);
  EXPECT_THAT(heard(), ElementsAre("TILE=4", "TILE=32"));
}

TEST_F(PrecompilerTest, AWorkerThatDiesCostsTheOthersNothing) {
  Precompiler ahead = precompiler({"--crash", "TILE=8"});
  ahead.prepare({tile(8), tile(16)}, {9, 0});
  finish(ahead);
  ahead.prepare({tile(32)}, {9, 0});
  finish(ahead);
  EXPECT_THAT(heard(), ElementsAre("TILE=8", "TILE=16", "TILE=32"));
  EXPECT_EQ(ahead.why_not(tile(8)), std::nullopt) << "the worker of the session tells";
}

TEST_F(PrecompilerTest, WorkersThatDieAndNeverAnswerAreGivenUp) {
  Precompiler ahead = precompiler({"--crash", "N=1"});
  const auto deadly = [](double tile) { return Configuration{"sgemm_tiled", {{"N", 1}, {"TILE", tile}}}; };
  ahead.prepare({deadly(4), deadly(8), deadly(16), deadly(32)}, {9, 0});
  finish(ahead);
  ahead.prepare({tile(8)}, {9, 0});
  finish(ahead);
  EXPECT_THAT(heard(), ElementsAre("N=1 TILE=4", "N=1 TILE=8", "N=1 TILE=16"));
}

TEST_F(PrecompilerTest, OneThatNeverEndsIsEndedAndTheOthersAreCompiled) {
  Precompiler ahead = precompiler({"--hang-compile", "TILE=8"}, 300ms);
  ahead.prepare({tile(8), tile(16)}, {9, 0});
  finish(ahead);
  EXPECT_THAT(heard(), ElementsAre("TILE=8", "TILE=16"));
  EXPECT_EQ(ahead.why_not(tile(8)), "Compiling sgemm_tiled TILE=8 took longer than 300 ms and was ended.");
  EXPECT_EQ(ahead.why_not(tile(16)), std::nullopt);
}

TEST_F(PrecompilerTest, WhatDidNotCompileIsTriedAgainWhenItIsAskedForAgain) {
  Precompiler ahead = precompiler({"--no-compile", "TILE=8"});
  for (int i = 0; i < 2; ++i) {
    ahead.prepare({tile(8)}, {9, 0});
    EXPECT_EQ(ahead.why_not(tile(8)), std::nullopt);
    finish(ahead);
    EXPECT_EQ(ahead.why_not(tile(8)), "sgemm_tiled.cu(12): error: expected a \";\"");
  }
  EXPECT_THAT(heard(), ElementsAre("TILE=8", "TILE=8"));
}

TEST_F(PrecompilerTest, WithoutAWorkerNothingIsPrepared) {
  Precompiler ahead({{"/no/such/worker"}, "/dev/null"});
  ahead.prepare({tile(8)}, {9, 0});
  finish(ahead);
  EXPECT_THAT(heard(), IsEmpty());
}

}  // namespace
}  // namespace rooftile
