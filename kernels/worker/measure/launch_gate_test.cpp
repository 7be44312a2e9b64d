// Launches that are queued while the gate is closed, on the fake driver.
#include "kernels/worker/measure/launch_gate.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/platform.hpp"
#include "kernels/worker/fakes/fake_device.hpp"
#include "kernels/worker/measure/timer.hpp"

namespace rooftile::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The arguments as the gate's kernel gets them.
struct Held {
  const unsigned* opened;
  unsigned* late;
  unsigned turn;
};

// Each queued launch, and whether it can start at once.
struct Queue {
  std::optional<Held> held;
  std::vector<std::string> all;
  bool is_closed() const { return held && *held->opened < held->turn; }
  void add(const std::string& what) { all.push_back(what + (is_closed() ? ", held" : "")); }
} queue;

CUresult hold(const CUlaunchConfig*, CUfunction, void** arguments, void**) {
  queue.held = Held{*static_cast<const unsigned**>(arguments[0]), *static_cast<unsigned**>(arguments[1]),
                    *static_cast<unsigned*>(arguments[2])};
  queue.add("gate");
  return CUDA_SUCCESS;
}

class LaunchGateTest : public FakeDeviceTest {
 protected:
  LaunchGateTest() {
    queue = {};
    driver_.cuLaunchKernelEx = hold;
    driver_.cuEventRecord = [](CUevent event, CUstream stream) {
      queue.add("event");
      return cuEventRecord(event, stream);
    };
  }
  std::vector<std::string> queued(LaunchGate* gate, const std::function<void()>& launch) {
    queue.all.clear();
    time_round(
        device_, 2, [] { queue.add("prepare"); }, launch, [] { queue.add("meanwhile"); }, gate);
    return queue.all;
  }

  const Device device_{driver_, 0};
  const Compiler compiler_{load_nvrtc().value(), testing::TempDir()};
  LaunchGate gate_{device_, compiler_, platform::data_directory() / "kernels"};
};

const auto launch = [] { queue.add("launch"); };

TEST_F(LaunchGateTest, ALaunchAndItsEventsAreQueuedBeforeTheyStart) {
  EXPECT_THAT(queued(&gate_, launch),
              ElementsAre("prepare", "gate, held", "event, held", "launch, held", "event, held", "event, held",
                          "prepare", "gate, held", "event, held", "launch, held", "event, held", "event, held",
                          "meanwhile"));
}

TEST_F(LaunchGateTest, WithoutAGateTheyStartAtOnce) {
  EXPECT_THAT(queued(nullptr, launch),
              ElementsAre("prepare", "event", "launch", "event", "event",  //
                          "prepare", "event", "launch", "event", "event", "meanwhile"));
}

TEST_F(LaunchGateTest, ALaunchThatIsRefusedLeavesItOpen) {
  EXPECT_THROW(queued(&gate_, [] { throw Error("no room for a cluster"); }), Error);
  queue.add("next");
  EXPECT_EQ(queue.all.back(), "next");
}

// The state that the gate's kernel leaves if the host has paused, or waited for the device, for too long.
void be_late() {
  ++*queue.held->late;
}

TEST_F(LaunchGateTest, TheLaunchAfterALateOneIsHeldAgain) {
  gate_.close();
  be_late();
  gate_.open();
  queue.all.clear();
  gate_.close();
  EXPECT_THAT(queue.all, ElementsAre("gate, held"));
}

TEST_F(LaunchGateTest, AfterTwoLateOnesItStaysOpenUntilTheirNumberIsTaken) {
  for (int i = 0; i < 2; ++i) {
    gate_.close();
    be_late();
    gate_.open();
  }
  queue.all.clear();
  gate_.close();
  EXPECT_THAT(queue.all, IsEmpty());
  gate_.open();
  EXPECT_EQ(gate_.take_not_held(), 3);
  EXPECT_EQ(gate_.take_not_held(), 0);
  gate_.close();
  EXPECT_THAT(queue.all, ElementsAre("gate, held"));
}

TEST_F(LaunchGateTest, ATimeTellsHowManyOfItsLaunchesWereNotHeld) {
  const auto timed = [&](const std::function<void()>& launch) {
    return time_round(
               device_, 5, [] {}, launch, [] {}, &gate_)
        .with_latency;
  };
  EXPECT_EQ(timed([] {}), std::nullopt);
  EXPECT_EQ(timed([first = true]() mutable {
              if (std::exchange(first, false)) {
                be_late();
              }
            }),
            1);
  EXPECT_EQ(timed([] {
              if (queue.is_closed()) {
                be_late();
              }
            }),
            5)
      << "two were late, three not held";
  EXPECT_EQ(timed([] {}), std::nullopt) << "the next round starts anew";
}

}  // namespace
}  // namespace rooftile::worker
