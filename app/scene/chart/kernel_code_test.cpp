// The window reads the compiled code of kernels that state no work in this order.
#include "app/scene/chart/kernel_code.hpp"

#include <gtest/gtest.h>

#include "app/scene/access/launch_steps.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

TEST(KernelCode, TheModelOfTheDialledPlaceComesFirstThenItsFindingsThenOtherPlaces) {
  AppState state = bundled_recording();
  apply(state, {SelectGpu{"NVIDIA H200"}, SelectKernel{"sgemm_tiled_vector"}});
  state.known.session.brings_code = true;
  const auto first = next_to_read(state);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->place.values, dialled(state));
  EXPECT_EQ(first->wanted, CodeWanted::model);

  use_code(state, first->place, CodeAnswer{ptx::DerivedLaunch{}, "", true});
  const auto second = next_to_read(state);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->place, first->place);
  EXPECT_EQ(second->wanted, CodeWanted::launch);

  use_code(state, second->place, CodeAnswer{ptx::DerivedLaunch{}, ""});
  const auto third = next_to_read(state);
  ASSERT_TRUE(third);
  EXPECT_NE(third->place, first->place);
  EXPECT_EQ(third->wanted, CodeWanted::model);
}

}  // namespace
}  // namespace rooftile::scene
