#include "app/scene/launch/kernel_list.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/scene/actions/actions.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const KernelGroup& group(const AppState& state, const std::string& title) {
  return *std::ranges::find(state.derived.shown.kernels, title, &KernelGroup::title);
}

const KernelRow& row(const AppState& state, const std::string& name) {
  const Manifest& manifest = find_kernel(state.known.catalogue, name);
  return *std::ranges::find(group(state, manifest.group).rows, name, &KernelRow::name);
}

std::vector<std::string> open_groups(const AppState& state) {
  std::vector<std::string> titles;
  for (const KernelGroup& each : state.derived.shown.kernels) {
    if (each.open) {
      titles.push_back(each.title);
    }
  }
  return titles;
}

TEST(KernelList, EveryKernelStandsOnceInItsGroup) {
  const AppState state = recorded_state();
  std::size_t kernels = 0;
  for (const KernelGroup& each : state.derived.shown.kernels) {
    kernels += each.rows.size();
  }
  EXPECT_EQ(kernels, state.known.catalogue.size());
  EXPECT_EQ(std::ranges::count(state.derived.shown.kernels, "Multiply", &KernelGroup::title), 1);
}

TEST(KernelList, TheGroupOfTheChosenKernelIsOpenAndOthersOnRequest) {
  AppState state = recorded_state();
  EXPECT_THAT(open_groups(state), ElementsAre("Multiply"));
  apply(state, {ToggleGroup{"Transpose"}});
  EXPECT_THAT(open_groups(state), ElementsAre("Multiply", "Transpose"));
  apply(state, {ToggleGroup{"Transpose"}, ToggleGroup{"Multiply"}});
  EXPECT_THAT(open_groups(state), ElementsAre());
  apply(state, {SelectKernel{"sgemm_naive"}});
  EXPECT_THAT(open_groups(state), ElementsAre("Multiply")) << "what is chosen is seen";
}

TEST(KernelList, NamesArePlainAndTheFolderIsToldOnHover) {
  const AppState state = recorded_state();
  EXPECT_EQ(row(state, "sgemm_tiled").title, "tiled");
  EXPECT_THAT(row(state, "sgemm_tiled").facts, Contains(HasSubstr("sgemm_tiled")));
}

TEST(KernelList, TheFigureIsTheFastestLaunchOfTheDialledProblem) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"N", 1024}});
  Point slow = counted_point(state, 1, "sgemm_tiled", {{"TILE", 8}, {"N", 1024}});
  Point fast = counted_point(state, 2, "sgemm_tiled", {{"TILE", 32}, {"N", 1024}});
  Point large = counted_point(state, 3, "sgemm_tiled", {{"TILE", 32}, {"N", 4096}});
  const double flops = slow.modelled.flops->value;
  slow.timing->median = Seconds{flops / 2e12};
  fast.timing->median = Seconds{flops / 5e12};
  large.timing->median = Seconds{large.modelled.flops->value / 9e12};
  for (const Point& point : {slow, fast, large}) {
    land(state, point);
  }
  EXPECT_EQ(row(state, "sgemm_tiled").figure, "5.00") << "9.00 was reached at another size";
  EXPECT_THAT(row(state, "sgemm_tiled").facts, Contains(HasSubstr("with tile 32")));
  apply(state, {SetParameter{"N", 4096}});
  EXPECT_EQ(row(state, "sgemm_tiled").figure, "9.00");
}

TEST(KernelList, LaunchesOfOtherInputsDoNotCount) {
  AppState state = live_state();
  apply(state, {SelectKernel{"histogram_shared"}});
  Point uniform = counted_point(state, 1, "histogram_shared", {{"SKEW", 0}});
  Point skewed = counted_point(state, 2, "histogram_shared", {{"SKEW", 1}});
  uniform.timing->median = Seconds{2e-3};
  skewed.timing->median = Seconds{1e-3};
  land(state, uniform);
  land(state, skewed);
  EXPECT_EQ(row(state, "histogram_shared").time, Seconds{2e-3});
  apply(state, {SetParameter{"SKEW", 1}});
  EXPECT_EQ(row(state, "histogram_shared").time, Seconds{1e-3});
}

TEST(KernelList, BarsCompareTheSpeedsWithinAGroup) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"N", 1024}});
  Point tiled = counted_point(state, 1, "sgemm_tiled", {{"N", 1024}});
  Point naive = counted_point(state, 2, "sgemm_naive", {{"N", 1024}});
  naive.timing->median = 4 * tiled.timing->median;
  land(state, tiled);
  land(state, naive);
  EXPECT_DOUBLE_EQ(row(state, "sgemm_tiled").share, 1);
  EXPECT_DOUBLE_EQ(row(state, "sgemm_naive").share, 0.25);
  EXPECT_EQ(row(state, "sgemm_vectorized").share, 0);
}

TEST(KernelList, WarmLaunchesAndOtherGpusDoNotCount) {
  AppState state = live_state();
  Point warm = counted_point(state, 1, "sgemm_tiled", {});
  warm.caches = Caches::warm;
  Point elsewhere = counted_point(state, 2, "sgemm_tiled", {});
  elsewhere.gpu = "another GPU";
  Point failed = counted_point(state, 3, "sgemm_tiled", {});
  failed.failure = "The launch ran out of time.";
  for (const Point& point : {warm, elsewhere, failed}) {
    land(state, point);
  }
  EXPECT_EQ(row(state, "sgemm_tiled").figure, "");
  EXPECT_THAT(row(state, "sgemm_tiled").facts, Contains(HasSubstr("No recorded launch with these sizes")));
}

TEST(KernelList, KernelsWithoutFlopsAreComparedByTime) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  EXPECT_EQ(group(state, "Transpose").unit, "best time");
  EXPECT_THAT(row(state, "transpose_tiled").figure, testing::AnyOf(HasSubstr("s")));
}

TEST(KernelList, FiguresHaveThreeDigits) {
  struct Case {
    double rate;
    const char* figure;
  };
  for (const auto& [rate, figure] :
       {Case{0.5e12, "0.50"}, {9.994e12, "9.99"}, {12.34e12, "12.3"}, {56.78e12, "56.8"}}) {
    AppState state = live_state();
    apply(state, {SelectKernel{"sgemm_tiled"}});
    Point point = counted_point(state, 1, "sgemm_tiled", {});
    point.timing->median = Seconds{point.counters->flops(fp32_pipe)->value / rate};
    land(state, point);
    EXPECT_EQ(row(state, "sgemm_tiled").figure, figure);
  }
}

TEST(KernelList, TheProblemOfTheChosenKernelIsThatOfItsWholeGroup) {
  AppState state = live_state();
  land(state, counted_point(state, 1, "sgemm_naive", {{"N", 1024}}));
  land(state, counted_point(state, 2, "sgemm_naive", {{"N", 4096}}));
  for (const double size : {1024.0, 4096.0}) {
    apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"N", size}});
    EXPECT_EQ(row(state, "sgemm_naive").time,
              state.known.session.log->point(size == 1024 ? 1 : 2)->timing->median);
  }
  apply(state, {SetParameter{"N", 2048}});
  EXPECT_EQ(row(state, "sgemm_naive").time, std::nullopt);
}

TEST(KernelList, AnotherGroupIsComparedByTheDialsItWasLeftWith) {
  AppState state = live_state();
  land(state, counted_point(state, 1, "transpose_tiled", {{"N", 4096}}));
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(row(state, "transpose_tiled").figure, "") << "its default size is another";
  state.choice.given["transpose_naive"] = {{"N", 4096}};
  apply(state, {SelectKernel{"transpose_naive"}});
  EXPECT_NE(row(state, "transpose_tiled").figure, "");
}

}  // namespace
}  // namespace rooftile::scene
