#include "app/scene/map/sweep_plan.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/map/map_choice.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

AppState live_at(const char* kernel_name) {
  AppState state = live_state();
  apply(state, {SelectKernel{kernel_name}, ToggleSweep{}});
  return state;
}

TEST(SweepPlan, TakesEachLegalPlaceOfTheMapOnceAndLeavesTheRest) {
  for (const char* name : {"sgemm_tiled", "transpose_tiled", "stencil_2d", "copy", "histogram_shared"}) {
    const AppState state = live_at(name);
    const MapChoice map = map_choice(state);
    const auto launches = sweep_configurations(state);
    ASSERT_THAT(launches, Not(IsEmpty())) << name;
    EXPECT_EQ(state.derived.shown.sweep.launches, launches.size()) << name;
    std::set<Parameters> seen;
    for (const Configuration& each : launches) {
      EXPECT_TRUE(seen.insert(each.parameters).second) << name;
      EXPECT_EQ(why_illegal(kernel(state), each.parameters), std::nullopt) << name;
      for (const Parameter& parameter : kernel(state).parameters) {
        EXPECT_TRUE(parameter.name == map.across || parameter.name == map.down ||
                    each.parameters.at(parameter.name) == dialled(state).at(parameter.name))
            << name << " " << parameter.name;
      }
    }
    EXPECT_TRUE(seen.contains(dialled(state))) << name;
  }
}

TEST(SweepPlan, AValueIsTakenUpOrLeftOutAndADialNeverHasNone) {
  AppState state = live_at("sgemm_tiled");
  const auto of = [&](const char* dial) { return sweep_values(state).at(dial); };
  EXPECT_THAT(of("TILE"), ElementsAre(4, 8, 16, 32));
  EXPECT_THAT(of("PAD_B"), ElementsAre(0)) << "not on the map";
  apply(state, {SetSweep{with_value(state, "TILE", 8)}});
  EXPECT_THAT(of("TILE"), ElementsAre(4, 16, 32));
  apply(state, {SetSweep{with_value(state, "PAD_B", 3)}});
  EXPECT_THAT(of("PAD_B"), ElementsAre(0, 3));
  EXPECT_EQ(state.derived.shown.sweep.launches, 3u * 9 * 2);
  apply(state, {SetSweep{with_value(state, "PAD_B", 0)}});
  apply(state, {SetSweep{with_value(state, "PAD_B", 3)}});
  EXPECT_THAT(of("PAD_B"), ElementsAre(0)) << "the present one";
  apply(state, {SetSweep{with_all_values(state, "TILE")}});
  EXPECT_THAT(of("TILE"), ElementsAre(4, 8, 16, 32));
  apply(state, {SetSweep{with_all_values(state, "TILE")}});
  EXPECT_THAT(of("TILE"), ElementsAre(16));
}

TEST(SweepPlan, AnotherKernelBeginsAnew) {
  AppState state = live_at("sgemm_tiled");
  apply(state, {SetSweep{with_value(state, "TILE", 8)}, SelectKernel{"transpose_tiled"}});
  EXPECT_EQ(sweep_values(state).at("TILE").size(), kernel(state).parameter("TILE")->values.size());
}

TEST(SweepPlan, SaysHowManyPlacesAreNotLegalAndWhy) {
  AppState state = live_at("sgemm_naive");
  EXPECT_THAT(state.derived.shown.sweep.size, HasSubstr(" not legal: A block has at most 1,024 threads."));
  SweepChoice none{"sgemm_naive", {{"BLOCK_X", {256}}, {"BLOCK_Y", {8}}}, true};
  apply(state, {SetSweep{none}});
  EXPECT_EQ(state.derived.shown.sweep.why_not,
            "Nothing to launch. 1 of 1 place is not legal: A block has at most 1,024 threads.");
  EXPECT_THAT(swept(apply(state, {StartSweep{}})), IsEmpty());
  EXPECT_FALSE(requested<SearchOn>(apply(state, {FindBest{}})));
}

TEST(SweepPlan, OfTooManyPlacesIsRefusedInASentence) {
  AppState state = live_at("sgemm_warp_tiled");
  SweepChoice all{"sgemm_warp_tiled", {}, true};
  for (const std::string& dial : dial_names(kernel(state))) {
    for (int value = 1; value <= 8; ++value) {
      all.values[dial].insert(value);
    }
  }
  apply(state, {SetSweep{all}});
  EXPECT_THAT(state.derived.shown.sweep.why_not.value_or(""),
              HasSubstr("combinations are more than the 100,000"));
  EXPECT_THAT(swept(apply(state, {StartSweep{}})), IsEmpty());
}

TEST(SweepPlan, TheTimeFollowsFromTheLaunchesSoFar) {
  AppState state = live_at("sgemm_tiled");
  EXPECT_EQ(state.derived.shown.sweep.duration, "The duration is known after the first launch.");
  state.known.session.compilers = 9;
  land(state, counted_point(state, 1, "sgemm_tiled", {}));  // compiled in 9 ms, counted in 30 ms
  EXPECT_EQ(state.derived.shown.sweep.duration, "About 1.08 s, estimated from 1 launch so far.");
  SweepChoice choice = state.view.sweep;
  choice.compile_ahead = false;
  apply(state, {SetSweep{choice}});
  EXPECT_EQ(state.derived.shown.sweep.duration, "About 1.40 s, estimated from 1 launch so far.");
}

TEST(SweepPlan, ARecordingOffersWhatWasRecorded) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"N", 2048}, ToggleSweep{}});
  EXPECT_EQ(state.derived.shown.sweep.size, "4 recorded launches.");
  EXPECT_EQ(state.derived.shown.sweep.duration, "");
}

// Find the best of two dials alone, beside a map of the best over all, would show two bests.
TEST(SweepPlan, HoldsNoDialWhereNothingIsLaunched) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"sgemm_register_2d"}});
  for (const char* gpu : {synthetic_gpu, "RTX 4090"}) {
    apply(state, {SelectGpu{gpu}});
    for (const auto& [dial, values] : sweep_values(state)) {
      EXPECT_EQ(values.size(), kernel(state).parameter(dial)->values.size()) << gpu << " " << dial;
    }
  }
}

TEST(SweepNews, CountWhatIsDoneAndWhatFailed) {
  AppState state = live_at("sgemm_tiled");
  EXPECT_THAT(sweep_news(state), IsEmpty());
  state.known.session.swept = {1, 2, 3};
  land(state, counted_point(state, 1, "sgemm_tiled", {}));
  EXPECT_THAT(sweep_news(state), ElementsAre("1 of 3 launches done."));
  Point failed = counted_point(state, 2, "sgemm_tiled", {{"TILE", 8}});
  failed.failure = "The result is wrong.";
  land(state, failed);
  EXPECT_THAT(sweep_news(state),
              ElementsAre("2 of 3 launches done.", "1 failed, the first: The result is wrong."));
}

}  // namespace
}  // namespace rooftile::scene
