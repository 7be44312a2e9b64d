// Actions on the dials.
#include "app/scene/actions/apply_test.hpp"

namespace rooftile::scene {
namespace {

using testing::HasSubstr;

TEST(Dials, AnIllegalValueSaysWhyAndIsNotTaken) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"ROWS", 4}});
  EXPECT_THAT(option(state, "TILE", 8).why_not.value_or(""), HasSubstr("does not fill one warp"));
  const Requests requests = apply(state, {SetParameter{"TILE", 8}});
  EXPECT_EQ(standing_at(state, "TILE"), 32);
  EXPECT_FALSE(requested<MeasurePlace>(requests));
  EXPECT_THAT(state.view.message.value_or(Message{}).text, HasSubstr("does not fill one warp"));
}

TEST(Dials, ASizeFollowsUntilItIsSetAndCanFollowAgain) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"N", 512}});
  EXPECT_EQ(standing_at(state, "M"), 512);
  EXPECT_TRUE(dial(state, "M").following);
  apply(state, {SetParameter{"M", 1024}, SetParameter{"N", 256}});
  EXPECT_EQ(standing_at(state, "M"), 1024);
  EXPECT_FALSE(dial(state, "M").following);
  apply(state, {FollowAgain{"M"}});
  EXPECT_EQ(standing_at(state, "M"), 256);
}

TEST(Dials, AValueBetweenTheOfferedOnesGetsAPlaceOfItsOwn) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"N", 1000}});
  EXPECT_EQ(standing_at(state, "N"), 1000);
  EXPECT_EQ(dial(state, "N").options[1].value, 512);
  EXPECT_EQ(dial(state, "N").options[2].value, 1000);
}

TEST(Dials, LargeValuesAreShort) {
  AppState state = live_state();
  apply(state, {SelectKernel{"histogram_global"}});
  EXPECT_EQ(option(state, "BINS", 256).text, "256");
  EXPECT_EQ(option(state, "BINS", 65536).text, "64K");
  EXPECT_EQ(option(state, "BINS", 1048576).text, "1M");
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(option(state, "N", 2048).text, "2048") << "there is room for all digits";
}

TEST(Dials, TabGoesRoundThoseThatAreShown) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(state.view.dial, "TILE");
  apply(state, {NextDial{-1}});
  EXPECT_EQ(state.view.dial, "EXTRA");
  apply(state, {NextDial{1}, NextDial{1}});
  EXPECT_EQ(state.view.dial, "PAD_A");
}

TEST(Dials, EachKernelKeepsItsOwn) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 8}, SelectKernel{"transpose_tiled"},
                SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(standing_at(state, "TILE"), 8);
}

}  // namespace
}  // namespace rooftile::scene
