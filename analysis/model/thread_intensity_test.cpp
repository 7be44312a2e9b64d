#include "analysis/model/thread_intensity.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

Model with_loads(double requests, int width_bytes) {
  Model model;
  model.flops = Flops{2 * 32 * 1000};
  model.global_accesses = {{.name = "load a", .width_bytes = width_bytes, .requests = requests}};
  return model;
}

// A naive multiply: two loads of four bytes for an FMA. A tile of 16 divides them by 16.
TEST(ThreadIntensity, IsThatOfTheTextbook) {
  EXPECT_DOUBLE_EQ(thread_intensity(with_loads(2000, 4))->value, 0.25);
  EXPECT_DOUBLE_EQ(thread_intensity(with_loads(2000 / 16.0, 4))->value, 4);
  EXPECT_DOUBLE_EQ(thread_intensity(with_loads(500, 16))->value, 0.25) << "four floats of a lane at once";
}

TEST(ThreadIntensity, IsEmptyWithoutFlopsOrAccesses) {
  Model model = with_loads(1, 4);
  model.flops.reset();
  EXPECT_FALSE(thread_intensity(model));
  EXPECT_FALSE(thread_intensity(with_loads(0, 4)));
}

}  // namespace
}  // namespace rooftile
