// For tests in the process itself: the fake driver's functions, and a GPU of it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/worker/cuda/device.hpp"

// The launches that the fake driver was asked for.
struct FakeLaunch {
  unsigned grid_x, block_x, shared_bytes, cluster_x;
  bool operator==(const FakeLaunch&) const = default;
};
std::vector<FakeLaunch>& fake_launches();

namespace rooftile::worker {

inline Driver fake_driver() {
  Driver driver;
  driver.file = "fake";
#define ROOFTILE_TAKE(name) driver.name = &::name
  ROOFTILE_DRIVER_FUNCTIONS(ROOFTILE_TAKE);
#undef ROOFTILE_TAKE
  return driver;
}

// One GPU of the fake driver. fails() and is() hold until the test ends.
class FakeDeviceTest : public testing::Test {
 protected:
  FakeDeviceTest() { fake_launches().clear(); }
  ~FakeDeviceTest() override {
    unsetenv("FAKE_DRIVER");
    unsetenv("FAKE_CC");
    unsetenv("FAKE_LAUNCH_MS");
  }

  static void fails(const char* call, CUresult error) {
    setenv("FAKE_DRIVER", (std::string(call) + "=" + std::to_string(error)).c_str(), 1);
  }
  static void launches_take(const char* milliseconds) { setenv("FAKE_LAUNCH_MS", milliseconds, 1); }
  static void is(const char* compute_capability) { setenv("FAKE_CC", compute_capability, 1); }

  Driver driver_ = fake_driver();
};

}  // namespace rooftile::worker
