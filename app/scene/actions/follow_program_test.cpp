#include <gmock/gmock.h>

#include <algorithm>

#include "app/scene/actions/apply_test.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Point launched(const AppState& state, std::uint64_t id, const std::string& kernel, int blocks, double total) {
  Point point = counted_point(state, id, "sgemm_naive", {});
  point.kernel = kernel;
  point.parameters.clear();
  point.modelled = {};
  point.launch = {{blocks, 1, 1}, {256, 1, 1}, 0};
  point.program = ProgramLaunches{20, 0, 1, {total}, 1};
  return point;
}

// A session of profile: two kernels, one of them in two shapes.
AppState opened_program() {
  AppState state = live_state();
  SessionLog log = *state.known.session.log;
  log.points.add(launched(state, 1, "void mine::multiply<float>(float const*)", 64, 0.5));
  log.points.add(launched(state, 2, "copy(float*)", 32, 0.9));
  log.points.add(launched(state, 3, "void mine::multiply<float>(float const*)", 128, 0.1));
  state.known.session.device.clear();
  state.choice = {};
  state.known.session.log = std::make_shared<const SessionLog>(std::move(log));
  follow_log(state);
  open(state);
  refresh(state);
  return state;
}

std::vector<std::string> figures(const KernelGroup& group) {
  std::vector<std::string> lines;
  for (const KernelRow& row : group.rows) {
    lines.push_back(row.title + " " + row.figure);
  }
  return lines;
}

std::vector<std::string> shapes(const AppState& state) {
  std::vector<std::string> lines;
  for (const ShapeRow& row : state.derived.shown.shapes) {
    lines.push_back(row.text + " " + row.figure + (row.current ? " *" : ""));
  }
  return lines;
}

TEST(ProgramKernels, StandInAGroupOfTheirOwnByTheTimeSpentInThem) {
  const AppState state = opened_program();
  const KernelGroup& group = state.derived.shown.kernels.back();
  EXPECT_EQ(group.title, "Program");
  EXPECT_TRUE(group.open) << "one of them is chosen";
  EXPECT_THAT(figures(group), ElementsAre("copy 60 %", "multiply<float> 40 %"));
  EXPECT_EQ(group.rows.back().idea, "2 shapes, 40 launches, 600 ms");
}

TEST(ProgramKernels, ShapesStandByTheTimeSpentInThemAndAreChosenThere) {
  AppState state = opened_program();
  EXPECT_THAT(shapes(state), ElementsAre("(32,1,1)x(256,1,1) 100 % *"));
  apply(state, {SelectKernel{"void mine::multiply<float>(float const*)"}});
  EXPECT_THAT(shapes(state), ElementsAre("(64,1,1)x(256,1,1) 83.3 % *", "(128,1,1)x(256,1,1) 16.7 %"))
      << "the one that took most time is chosen";
  apply(state, {SelectPoint{state.derived.shown.shapes.back().id}});
  EXPECT_THAT(shapes(state), ElementsAre("(64,1,1)x(256,1,1) 83.3 %", "(128,1,1)x(256,1,1) 16.7 % *"));
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_THAT(state.derived.shown.shapes, IsEmpty()) << "it has dials";
}

TEST(ProgramKernels, TheKeysOfADialGoThroughTheShapes) {
  AppState state = opened_program();
  apply(state, {SelectKernel{"void mine::multiply<float>(float const*)"}});
  for (const auto& [action, id] : {std::pair<Action, std::uint64_t>{StepParameter{"", -1}, 1},
                                   {StepParameter{"", 1}, 3},
                                   {NextDial{1}, 3},
                                   {NextDial{-1}, 1},
                                   {EndOfDial{"", true}, 3},
                                   {EndOfDial{"", false}, 1}}) {
    apply(state, {action});
    EXPECT_EQ(current_point(state)->id, id);
  }
}

TEST(ProgramKernels, AllLaunchesAreInTheTableAndOnTheChartTheOneThatTookMostTimeFirst) {
  const AppState state = opened_program();
  EXPECT_EQ(mode(state), Mode::recorded);
  EXPECT_EQ(current_point(state)->id, 2u);
  std::vector<std::string> rows;
  for (const std::uint64_t id : state.derived.shown.table.ids) {
    const TableRow row = table_row(state, id, roofs_of(state));
    rows.push_back(row.kernel + " " + row.dials);
  }
  EXPECT_THAT(rows, ElementsAre("copy (32,1,1)x(256,1,1)", "multiply<float> (64,1,1)x(256,1,1)",
                                "multiply<float> (128,1,1)x(256,1,1)"));
  std::vector<std::string> labels;
  for (const ChartRow& row : state.derived.shown.chart.rows) {
    labels.push_back(row.label);
  }
  EXPECT_THAT(labels, ElementsAre("multiply<float>", "multiply<float>", "copy"));
}

TEST(ProgramKernels, EachShapeIsChosenInTheTable) {
  AppState state = opened_program();
  for (const std::uint64_t id : {1u, 3u, 2u}) {
    apply(state, {SelectPoint{id}});
    EXPECT_EQ(current_point(state)->id, id);
    EXPECT_EQ(state.derived.shown.subject->point.id, id);
  }
}

TEST(ProgramKernels, TheShapeThatIsChosenStaysWhereItIsMeasuredAgain) {
  AppState state = opened_program();
  for (const char* device : {"", synthetic_gpu}) {
    state.known.session.device = device;
    apply(state, {SelectPoint{1}, MeasureAgain{}});
    EXPECT_EQ(current_point(state)->id, 1u);
  }
}

TEST(ProgramKernels, NothingIsPredictedAdvisedOrLaunched) {
  AppState state = opened_program();
  EXPECT_FALSE(state.derived.shown.chart.ghost);
  EXPECT_FALSE(state.derived.shown.subject->advice);
  EXPECT_THAT(state.derived.shown.dials, IsEmpty());
  EXPECT_TRUE(state.derived.shown.why_no_sweep);
  const Actions actions = {MeasureAgain{},
                           StartSweep{},
                           ShowPanel{Panel::map},
                           ShowPanel{Panel::why},
                           FindBest{},
                           CountLines{},
                           NextDial{},
                           SelectGpu{"T4"},
                           MeasureAgain{},
                           ToggleSweep{},
                           SelectKernel{"sgemm_tiled"},
                           SelectGpu{synthetic_gpu},
                           SelectPoint{1u},
                           Undo{}};
  for (const Action& action : actions) {
    const Requests requests = apply(state, {action});
    const bool of_program = is_of_program(kernel(state));
    EXPECT_FALSE(of_program && (requested<MeasurePlace>(requests) || !swept(requests).empty() ||
                                requested<SearchOn>(requests)))
        << number_of(action);
  }
}

TEST(ProgramKernels, TheShapeThatIsShownIsCapturedOnceTheProgramHasEnded) {
  AppState state = opened_program();
  EXPECT_THAT(apply(state, {TuneKernel{}}), IsEmpty()) << "a session does not say how to run the program";
  state.known.session.program.emplace().started = true;
  EXPECT_THAT(apply(state, {TuneKernel{}}), IsEmpty()) << "it runs";
  state.known.session.program->end = ProgramStatus{};
  apply(state, {SelectPoint{3}});
  const Requests requests = apply(state, {TuneKernel{}});
  ASSERT_EQ(requests.size(), 1u);
  const auto& asked = std::get<CaptureLaunch>(requests.front());
  EXPECT_EQ(asked.kernel, "void mine::multiply<float>(float const*)");
  EXPECT_EQ(asked.shape, "(128,1,1)x(256,1,1)");
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_THAT(apply(state, {TuneKernel{}}), IsEmpty()) << "it has dials";
}

TEST(ProgramKernels, AreNotPreparedForTheNextMoveOfADial) {
  AppState state = live_state();
  land(state, launched(state, 1, "copy(float*)", 32, 0.9));
  const Requests requests = apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 8}});
  EXPECT_EQ(std::ranges::find(requested<MeasurePlace>(requests)->next, "copy(float*)", &Configuration::kernel),
            requested<MeasurePlace>(requests)->next.end());
}

// A kernel on tensor cores, which stands far above the others.
Point on_tensor_cores(const AppState& state, std::uint64_t id) {
  Point point = launched(state, id, "wgmma(float*)", 16, 2);
  point.counters->ffma = point.counters->fadd = point.counters->fmul = 0;
  point.counters->tensor_by_pipe[bf16_tensor_pipe] = Flops{4e14 * point.timing->median.value};
  point.modelled.pipe = bf16_tensor_pipe;
  return point;
}

TEST(ProgramKernels, TheChartHoldsAllOfThemUnderTheRoofsOfTheirPipes) {
  AppState state = opened_program();
  EXPECT_THAT(compute_roofs(state), ElementsAre(fp32_pipe));
  land(state, on_tensor_cores(state, 4));
  apply(state, {SelectKernel{"copy(float*)"}, Fit{}});
  EXPECT_THAT(compute_roofs(state), ElementsAre(fp32_pipe, bf16_tensor_pipe));
  EXPECT_GT(state.view.axes.y_max, 4e14);
  apply(state, {SelectKernel{"sgemm_tiled"}, Fit{}});
  EXPECT_THAT(compute_roofs(state), ElementsAre(fp32_pipe)) << "it is of no program";
}

TEST(ProgramKernels, ThePipeIsKnownOnceALaunchIsCounted) {
  AppState state = opened_program();
  Point point = on_tensor_cores(state, 4);
  point.final = false;
  Point uncounted = point;
  uncounted.counters.reset();
  land(state, uncounted);
  EXPECT_EQ(find_kernel(state.known.catalogue, point.kernel).pipe, fp32_pipe);
  land(state, point);
  EXPECT_EQ(find_kernel(state.known.catalogue, point.kernel).pipe, bf16_tensor_pipe);
}

TEST(ProgramKernels, LaunchesOfDescribedKernelsAddNone) {
  EXPECT_NE(recorded_state().derived.shown.kernels.back().title, "Program");
}

TEST(OwnKernelWithoutWork, IsOnThePipeThatWasCounted) {
  AppState state = own_kernel_state();
  Point point = counted_point(state, 1, "sum", {});
  point.modelled.pipe = fp16_pipe;
  const Counters counted = *std::exchange(point.counters, std::nullopt);
  land(state, point);
  EXPECT_EQ(kernel(state).pipe, fp32_pipe) << "nothing is counted yet";
  point.counters = counted;
  land(state, point);
  EXPECT_EQ(kernel(state).pipe, fp16_pipe);
}

TEST(OwnKernelWithoutWork, ItsFirstCountedLaunchIsInTheChartWhereverItStands) {
  AppState state = own_kernel_state();
  state.view.axes = {1, 2, 1e12, 2e12};
  Point point = counted_point(state, 1, "sum", {});
  point.timing = Timing{Seconds{1}, Seconds{1}, Seconds{1}, 7};
  point.counters->ffma = 1e6;
  land(state, point);
  EXPECT_LT(state.view.axes.y_min, 2e6);
  state.view.axes = {1, 2, 1e12, 2e12};
  point.id = 2;
  land(state, point);
  EXPECT_EQ(state.view.axes.y_min, 1e12) << "who zooms later stays there";
}

}  // namespace
}  // namespace rooftile::scene
