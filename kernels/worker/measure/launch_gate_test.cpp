// What is queued while the gate is closed, on the fake driver.
#include "kernels/worker/measure/launch_gate.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/platform.hpp"
#include "kernels/worker/fakes/fake_device.hpp"
#include "kernels/worker/measure/timer.hpp"

namespace rooftile::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// As the gate's kernel gets it.
struct Held {
  const unsigned* opened;
  unsigned* late;
  unsigned turn;
};

// What is queued, and whether it can start at once.
struct Queue {
  std::optional<Held> held;
  std::vector<std::string> all;
  void add(const std::string& what) {
    const bool closed = held && *held->opened < held->turn;
    all.push_back(what + (closed ? ", held" : ""));
  }
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

TEST_F(LaunchGateTest, OnceTheHostWasLateItStaysOpen) {
  gate_.close();
  *queue.held->late = 1;
  gate_.open();
  queue.all.clear();
  gate_.close();
  EXPECT_THAT(queue.all, IsEmpty());
}

}  // namespace
}  // namespace rooftile::worker
