#include "kernels/worker/cuda/nvml.hpp"

#include <gmock/gmock.h>

namespace rooftile::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Nvml, NamesWhatSlowsTheClockAndLeavesIdlingOut) {
  EXPECT_THAT(slowed_by(0), IsEmpty());
  EXPECT_THAT(slowed_by(0x1 | 0x2), IsEmpty()) << "idle, and set by the user";
  EXPECT_THAT(slowed_by(0x4), ElementsAre("the power cap"));
  EXPECT_THAT(slowed_by(0x4 | 0x20 | 0x1), ElementsAre("the power cap", "heat"));
  EXPECT_THAT(slowed_by(0x20 | 0x40), ElementsAre("heat"));
  EXPECT_THAT(slowed_by(1ull << 40), IsEmpty()) << "a reason of the future";
}

}  // namespace
}  // namespace rooftile::worker
