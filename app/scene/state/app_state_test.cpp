// Which GPU, which mode, which point, and what time does to messages and motions.
#include "app/scene/state/app_state.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/follow_program.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Mode, FollowsFromTheDeviceTheChosenGpuAndWhatWasRecorded) {
  struct Case {
    const char *device, *gpu, *kernel;
    Mode mode;
  };
  constexpr const char* other = "RTX 4090";
  constexpr Case cases[] = {{"", synthetic_gpu, "sgemm_tiled", Mode::recorded},
                            {"", synthetic_gpu, "sgemm_naive", Mode::predicted},
                            {"", other, "sgemm_tiled", Mode::predicted},
                            {"", "", "sgemm_tiled", Mode::predicted},
                            {synthetic_gpu, synthetic_gpu, "sgemm_tiled", Mode::live},
                            {synthetic_gpu, synthetic_gpu, "sgemm_naive", Mode::live},
                            {synthetic_gpu, other, "sgemm_tiled", Mode::predicted},
                            {other, synthetic_gpu, "sgemm_tiled", Mode::recorded},
                            {other, synthetic_gpu, "sgemm_naive", Mode::predicted},
                            {other, other, "sgemm_tiled", Mode::live}};
  AppState state = recorded_state();
  for (const auto& [device, gpu, kernel, wanted] : cases) {
    state.known.session.device = device;
    state.choice.gpu = gpu;
    state.choice.kernel = kernel;
    EXPECT_EQ(mode(state), wanted) << device << " | " << gpu << " | " << kernel;
  }
}

TEST(Mode, WhatIsNeitherMeasuredNorRecordedNorPredictedIsNotSwept) {
  AppState state = recorded_state();
  EXPECT_FALSE(state.derived.shown.why_no_sweep);
  EXPECT_FALSE(live_state().derived.shown.why_no_sweep);
  apply(state, {SelectKernel{"sgemm_naive"}});
  EXPECT_FALSE(state.derived.shown.why_no_sweep) << "its predictions are swept";
  std::ranges::find(state.known.catalogue, "sgemm_naive", &Manifest::name)->states_work = false;
  apply(state, {MeasureAgain{}});
  EXPECT_THAT(state.derived.shown.why_no_sweep.value_or(""), HasSubstr("needs a GPU"));
}

TEST(Mode, MoreSettingsThanCanBeTriedAreNotSwept) {
  AppState state = live_state();
  for (Manifest& manifest : state.known.catalogue) {
    for (Parameter& parameter : manifest.parameters) {
      for (int i = 1; i <= 1000; ++i) {
        parameter.values.push_back(1000 + i);
      }
    }
  }
  const Requests requests = apply(state, {ToggleSweep{}, StartSweep{}});
  EXPECT_THAT(swept(requests), testing::IsEmpty());
  EXPECT_THAT(state.derived.shown.sweep.why_not.value_or(""),
              HasSubstr("combinations are more than the 100,000"));
}

std::string chosen(AppState state) {
  choose_gpu(state);
  return state.choice.gpu;
}

TEST(ChooseGpu, TakesTheDeviceThenTheRecordedOneThenTheMostCapableOfTheTable) {
  AppState state = state_without_session();
  const std::string most_capable = chosen(state);
  for (const Gpu& each : state.known.gpus) {
    EXPECT_LE(each.cc, find_gpu(state.known.gpus, most_capable)->cc) << each.name;
  }
  SessionLog log;
  log.devices = {{state.known.gpus[2], "0"}, {state.known.gpus[0], "0"}};
  state.known.session.log = std::make_shared<const SessionLog>(log);
  EXPECT_EQ(chosen(state), state.known.gpus[2].name);
  state.known.session.device = "the device";
  EXPECT_EQ(chosen(state), "the device");
  state.choice.gpu = "by hand";
  EXPECT_EQ(chosen(state), "by hand");
}

TEST(ChooseGpu, WaitsForAWorkerThatStarts) {
  AppState state = state_without_session();
  state.known.session.starting = true;
  EXPECT_EQ(chosen(state), "");
  state.known.session.starting = false;
  EXPECT_NE(chosen(state), "");
  state.known.gpus.clear();
  EXPECT_EQ(chosen(state), "") << "nothing is known at all";
}

TEST(Gpu, OfTheSessionComesBeforeOneOfTheTable) {
  AppState state = state_without_session();
  SessionLog log;
  Gpu measured = *find_gpu(state.known.gpus, "H200");
  measured.sm_count = 7;
  log.devices.push_back({measured, "0"});
  state.choice.gpu = measured.name;
  EXPECT_NE(gpu(state)->sm_count, 7);
  state.known.session.log = std::make_shared<const SessionLog>(log);
  EXPECT_EQ(gpu(state)->sm_count, 7);
  state.choice.gpu = "";
  EXPECT_EQ(gpu(state), nullptr);
  state.choice.gpu = "a GPU that nobody knows";
  EXPECT_EQ(gpu(state), nullptr);
}

TEST(DeviceText, SaysTheClockThatWasHeldOrTheBoostClock) {
  AppState state = live_state();
  const std::string before = state.derived.shown.device;
  EXPECT_EQ(before, "synthetic H200   CC 9.0   132 SMs   " + text(gpu(state)->boost_clock) + " boost");
  Point point = counted_point(state, 1, state.choice.kernel, {});
  point.counters->sm_clock = Hertz{1.23e9};
  land(state, point);
  EXPECT_EQ(state.derived.shown.device, "synthetic H200   CC 9.0   132 SMs   1,230 MHz measured");
}

TEST(DeviceText, SaysWhyThereIsNone) {
  AppState state = live_state();
  state.choice.gpu = "";
  refresh(state);
  EXPECT_EQ(state.derived.shown.device, "no GPU");
  state.known.session.starting = true;
  refresh(state);
  EXPECT_EQ(state.derived.shown.device, "starting the worker");
}

TEST(Configuration, IsWhatTheDialsSay) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 8}, SetCaches{Caches::warm},
                SelectBytes{ByteDefinition::returned}});
  const Configuration wanted = configuration(state);
  EXPECT_EQ(wanted.kernel, "sgemm_tiled");
  EXPECT_EQ(wanted.parameters, complete(kernel(state), {{"TILE", 8}}));
  EXPECT_EQ(wanted.caches, Caches::warm);
  EXPECT_TRUE(wanted.returned_bytes);
}

// Messages and motions.

TEST(Messages, TheNewerReplacesTheOlderAndItsTimeBeginsAnew) {
  AppState state = live_state();
  state.now = 5;
  tell(state, Message::Kind::wrong, "first");
  state.now = 15;
  tell(state, Message::Kind::done, "second");
  EXPECT_EQ(state.view.message->text, "second");
  EXPECT_EQ(state.view.message->kind, Message::Kind::done);
  EXPECT_FALSE(pass_time(state, 5 + message_seconds + 1));
  EXPECT_TRUE(state.view.message);
  EXPECT_TRUE(pass_time(state, 15 + message_seconds + 1));
  EXPECT_FALSE(state.view.message);
  EXPECT_FALSE(pass_time(state, 15 + message_seconds + 2)) << "nothing new to draw";
}

TEST(Messages, AreDismissedOrGoWithTheNextMove) {
  const Actions ends[] = {
      {Dismiss{}}, {CloseWhatIsOpen{}}, {SetParameter{"TILE", 8}}, {SelectKernel{"sgemm_naive"}}};
  for (const Actions& end : ends) {
    AppState state = live_state();
    apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 4}});
    tell(state, Message::Kind::wrong, "something");
    apply(state, end);
    EXPECT_FALSE(state.view.message) << end.front().index();
  }
}

TEST(Messages, StayWhileSomebodyOnlyLooks) {
  AppState state = live_state();
  tell(state, Message::Kind::done, "saved");
  apply(state, {SelectLevel{MemoryLevel::l2}, ToggleTheme{}, Fit{}, Pin{1}});
  ASSERT_TRUE(state.view.message);
  EXPECT_EQ(state.view.message->text, "saved");
}

TEST(Motion, EndsAfterItsTime) {
  AppState state = recorded_state();
  state.now = 3;
  apply(state, {SetParameter{"TILE", 8}});
  ASSERT_TRUE(state.view.motion);
  EXPECT_FALSE(pass_time(state, 3 + 0.9 * motion_seconds));
  EXPECT_TRUE(state.view.motion);
  EXPECT_TRUE(pass_time(state, 3 + 1.1 * motion_seconds));
  EXPECT_FALSE(state.view.motion);
  EXPECT_EQ(state.now, 3 + 1.1 * motion_seconds);
}

TEST(Motion, DoesNotStartBetweenChartsWithAndWithoutFlops) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  EXPECT_FALSE(state.view.motion);
}

// The log.

TEST(FollowLog, ALivePointJoinsTheTrailOnceWhenItIsTimedOrHasFailed) {
  AppState state = live_state();
  const Point counted = counted_point(state, 1, "sgemm_tiled", {});
  Point predicted = counted, timed = counted;
  predicted.timing.reset();
  predicted.counters.reset();
  timed.counters.reset();
  predicted.final = timed.final = false;
  land(state, predicted);
  EXPECT_THAT(state.choice.trail, IsEmpty());
  land(state, timed);
  EXPECT_THAT(state.choice.trail, ElementsAre(1));
  land(state, counted);
  EXPECT_THAT(state.choice.trail, ElementsAre(1));
  predicted.id = 2;
  predicted.failure = "The launch ran out of time.";
  land(state, predicted);
  EXPECT_THAT(state.choice.trail, ElementsAre(1, 2));
}

TEST(FollowLog, ARecordingIsLookedUpAndDoesNotJoin) {
  AppState state = recorded_state();
  const auto trail = state.choice.trail;
  const Point more = counted_point(state, 99, "sgemm_naive", {});
  land(state, more);
  EXPECT_EQ(state.choice.trail, trail);
  EXPECT_EQ(state.known.recordings.find(more.gpu, more.kernel, more.caches, more.parameters), 99u);
}

TEST(FollowLog, PointsOfSeveralGpusStayApart) {
  AppState state = live_state();
  land(state, counted_point(state, 1, "sgemm_tiled", {}));
  Point elsewhere = counted_point(state, 2, "sgemm_tiled", {});
  elsewhere.gpu = "H100 SXM5 80GB";
  land(state, elsewhere);
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_THAT(state.derived.shown.table.ids, ElementsAre(1));
  ASSERT_EQ(state.derived.shown.chart.rows.size(), 1u);
  EXPECT_EQ(current_point(state)->id, 1u);
  apply(state, {SelectGpu{elsewhere.gpu}});
  EXPECT_THAT(state.derived.shown.table.ids, ElementsAre(2));
  EXPECT_EQ(current_point(state)->id, 2u);
  EXPECT_EQ(mode(state), Mode::recorded) << "it was measured, by another machine";
}

// The current point.

TEST(CurrentPoint, IsTheNewestOfTheDialsElseTheNewestOfTheKernel) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(current_point(state), nullptr);
  std::uint64_t id = 0;
  for (const double tile : {8, 32, 8, 4}) {
    land(state, counted_point(state, ++id, "sgemm_tiled", {{"TILE", tile}}));
  }
  struct Case {
    double tile;
    std::uint64_t id;
  };
  for (const auto& [tile, wanted] : {Case{8, 3}, {32, 2}, {4, 4}, {16, 4}}) {
    apply(state, {SetParameter{"TILE", tile}});
    EXPECT_EQ(current_point(state)->id, wanted) << tile;
  }
  apply(state, {SetParameter{"TILE", 8}, SetCaches{Caches::warm}});
  EXPECT_EQ(current_point(state)->id, 4u) << "no launch with warm caches stands there";
  apply(state, {SelectKernel{"sgemm_naive"}});
  EXPECT_EQ(current_point(state), nullptr);
}

// Opening.

TEST(Open, StandsOnTheKernelMeasuredMostOrElseOnOneWithATile) {
  EXPECT_EQ(recorded_state().choice.kernel, "sgemm_tiled");
  const AppState live = live_state();
  EXPECT_NE(kernel(live).parameter("TILE"), nullptr);
  for (const AppState& state : {recorded_state(), live}) {
    EXPECT_EQ(state.view.dial, kernel(state).parameters.front().name);
    EXPECT_EQ(state.view.axes, fitted_axes(state, roofs_of(state)));
    EXPECT_EQ(state.choice.gpu, synthetic_gpu);
  }
}

TEST(UseKernels, WithoutTheChosenOneShowAnotherAndSaySo) {
  AppState state = own_kernel_state();
  std::vector<Manifest> others = state.known.catalogue;
  std::erase_if(others, [](const Manifest& each) { return each.name == "sum"; });
  use_kernels(state, others, {});
  EXPECT_TRUE(known_kernel(state.known.catalogue, state.choice.kernel));
  ASSERT_TRUE(state.view.message);
  EXPECT_EQ(state.view.message->kind, Message::Kind::wrong);
}

TEST(UseKernels, KeepThoseOfAProgram) {
  AppState state = live_state();
  const std::vector<Manifest> bundled = state.known.catalogue;
  await_program(state, "demo");
  const std::string awaited = state.choice.kernel;
  use_kernels(state, bundled, {});
  EXPECT_EQ(state.choice.kernel, awaited);
}

}  // namespace
}  // namespace rooftile::scene
