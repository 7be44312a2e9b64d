#include "app/session/worker/supervised_worker.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

namespace rooftile {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

class SupervisedWorkerTest : public ::testing::Test {
 protected:
  SupervisedWorkerTest() { std::filesystem::create_directories(folder_); }
  ~SupervisedWorkerTest() override {
    Worker::wait_for_endings();
    std::filesystem::remove_all(folder_);
  }

  SupervisedWorkerOptions options(std::vector<std::string> script = {}) const {
    script.insert(script.begin(), SCRIPTED_WORKER);
    return {std::move(script), folder_ / "worker.log", 60s, 3, 1ms};
  }
  std::string file(const char* name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("supervised_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

const MeasureRequest launch{1, "sgemm_tiled", {{"TILE", 8}}, Caches::cold};

// Until it is ready or given up, each end answered by recover(); the newest sentence of recover().
std::string settle_down(SupervisedWorker& worker) {
  std::string sentence;
  while (worker.starts()) {
    worker.wait(10ms);
    for (const WorkerMessage& message : worker.take()) {
      if (const auto* ended = std::get_if<WorkerEnded>(&message)) {
        sentence = worker.recover(*ended, "");
      }
    }
    worker.end_if_hung(false);
  }
  return sentence;
}

WorkerEnded end_of(SupervisedWorker& worker, bool owes_answer) {
  for (;;) {
    worker.wait(10ms);
    for (const WorkerMessage& message : worker.take()) {
      if (const auto* ended = std::get_if<WorkerEnded>(&message)) {
        return *ended;
      }
    }
    worker.end_if_hung(owes_answer);
  }
}

TEST_F(SupervisedWorkerTest, StartsUntilItHasSentItsHeader) {
  SupervisedWorker worker(options());
  EXPECT_TRUE(worker.given_up()) << "nobody has started it";
  worker.start();
  EXPECT_TRUE(worker.starts());
  EXPECT_FALSE(worker.ready());
  settle_down(worker);
  EXPECT_TRUE(worker.ready());
  EXPECT_FALSE(worker.take_why_given_up());
}

// One that waits for the end would wait for ever: the worker stays until the test goes on.
TEST_F(SupervisedWorkerTest, NobodyWaitsForAWorkerToEnd) {
  const std::filesystem::path leave = file("leave"), ended = file("leave.end");
  const std::vector<std::string> command = {SCRIPTED_WORKER, "--stay", leave.string()};
  { const Worker worker(command, file("worker.log"), 1h); }
  EXPECT_FALSE(std::filesystem::exists(ended));
  std::ofstream(leave) << "now";
  while (!std::filesystem::exists(ended)) {
    std::this_thread::yield();
  }
}

TEST_F(SupervisedWorkerTest, AWorkerThatFollowsAnotherKeepsTheirLog) {
  const std::filesystem::path log = file("worker.log");
  auto first = std::make_unique<ErrorLog>(log);
  const ErrorLog second(log);
  std::ofstream{log};
  first.reset();
  EXPECT_TRUE(std::filesystem::exists(log));
}

TEST_F(SupervisedWorkerTest, AProgramThatIsNotThereIsGivenUpAtOnce) {
  SupervisedWorkerOptions missing = options();
  missing.command = {"/no/such/worker"};
  SupervisedWorker worker(missing);
  worker.start();
  EXPECT_TRUE(worker.given_up());
  const auto why = worker.take_why_given_up();
  ASSERT_TRUE(why);
  EXPECT_EQ(why->state, Facility::State::missing);
  EXPECT_THAT(why->sentence, HasSubstr("/no/such/worker"));
  EXPECT_FALSE(worker.take_why_given_up()) << "told once";
}

TEST_F(SupervisedWorkerTest, OneThatIsNeverReadyIsGivenUpWithItsLastWordsAndStartedByHand) {
  SupervisedWorker worker(options({"--crash-at-start"}));
  for (int i = 0; i < 2; ++i) {
    worker.start();
    EXPECT_TRUE(worker.starts());
    EXPECT_EQ(
        settle_down(worker),
        "The worker ended with status 4 before it was ready, 3 times; the next request starts it again. Its "
        "last words: cannot open the device");
    EXPECT_TRUE(worker.given_up());
    const auto why = worker.take_why_given_up();
    EXPECT_EQ(why->state, Facility::State::failed);
    EXPECT_THAT(why->fix, AllOf(testing::StartsWith("Read "), HasSubstr(".log")));
  }
}

TEST_F(SupervisedWorkerTest, OneThatFailsToStartOnceIsReadyTheSecondTime) {
  SupervisedWorker worker(options({"--crash-once", file("crashed")}));
  worker.start();
  EXPECT_THAT(settle_down(worker), HasSubstr("before it was ready; it is started again, 2 of 3."));
  EXPECT_TRUE(worker.ready());
}

TEST_F(SupervisedWorkerTest, OneThatNeverIntroducesItselfIsEnded) {
  SupervisedWorkerOptions impatient = options({"--mute"});
  impatient.launch_limit = 50ms;
  SupervisedWorker worker(impatient);
  worker.start();
  EXPECT_THAT(settle_down(worker), AllOf(HasSubstr("silent for 50.0 ms"), HasSubstr("before it was ready")));
  EXPECT_TRUE(worker.given_up());
  EXPECT_EQ(worker.take_why_given_up()->fix, "") << "it wrote no log that one could read";
}

TEST_F(SupervisedWorkerTest, OneThatAnnouncesADeviceAndSendsNoneIsEnded) {
  SupervisedWorkerOptions impatient = options({"--forget-device"});
  impatient.launch_limit = 1s;  // longer than a busy machine takes to start the worker
  impatient.restart_limit = 1;
  SupervisedWorker worker(impatient);
  worker.start();
  EXPECT_THAT(settle_down(worker), HasSubstr("announced a device and sent none for 1.00 s"));
  EXPECT_TRUE(worker.given_up());
}

TEST_F(SupervisedWorkerTest, OneThatOwesAnAnswerAndIsSilentIsEnded) {
  SupervisedWorkerOptions impatient = options({"--hang", "TILE=8"});
  impatient.launch_limit = 1s;  // longer than a busy machine takes to start the worker
  SupervisedWorker worker(impatient);
  worker.start();
  settle_down(worker);
  EXPECT_FALSE(worker.silence(false)) << "it owes nothing";
  worker.send({launch});
  ASSERT_TRUE(worker.silence(true));
  EXPECT_GT(worker.silence(true)->left.value, 0);
  const WorkerEnded ended = end_of(worker, true);
  EXPECT_TRUE(worker.was_ended());
  EXPECT_EQ(
      worker.recover(ended, " while measuring it"),
      "The worker was silent for 1.00 s, the limit of one launch, and was ended while measuring it; the worker "
      "was started again.");
  EXPECT_TRUE(worker.starts());
}

TEST_F(SupervisedWorkerTest, WaitingLongerBeginsTheLimitAnew) {
  SupervisedWorker worker(options({"--hang", "TILE=8"}));
  worker.start();
  settle_down(worker);
  worker.send({launch});
  while (worker.silence(true)->so_far.value < 0.05) {
    worker.wait(10ms);
  }
  worker.wait_longer();
  EXPECT_LT(worker.silence(true)->so_far.value, 0.05);
}

TEST_F(SupervisedWorkerTest, HowItEndedIsKnown) {
  const struct {
    std::vector<std::string> script;
    bool ended_by_hand, was_ended, farewell;
  } rows[] = {{{"--leave", "TILE=8"}, false, false, false},
              {{"--fault", "TILE=8"}, false, false, true},
              {{"--hang", "TILE=8"}, true, true, false}};
  for (const auto& [script, ended_by_hand, was_ended, farewell] : rows) {
    SupervisedWorker worker(options(script));
    worker.start();
    settle_down(worker);
    worker.send({launch});
    if (ended_by_hand) {
      worker.end("The launch was stopped");
    }
    end_of(worker, true);
    EXPECT_EQ(worker.was_ended(), was_ended) << script.front();
    EXPECT_EQ(worker.said_farewell(), farewell) << script.front();
  }
}

TEST_F(SupervisedWorkerTest, EndsInARowAreCountedUntilThereIsProgress) {
  for (const bool progress : {false, true}) {
    SupervisedWorker worker(options({"--leave", "TILE=8"}));
    worker.start();
    for (int i = 0; i < 3; ++i) {
      settle_down(worker);
      if (progress) {
        worker.note_progress();
      }
      worker.send({launch});
      worker.recover(end_of(worker, true), "");
    }
    EXPECT_EQ(worker.given_up(), !progress);
  }
}

}  // namespace
}  // namespace rooftile
