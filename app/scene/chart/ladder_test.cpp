// The kernels of one problem on one chart, from the recording of an H200.
#include "app/scene/chart/ladder.hpp"

#include <gmock/gmock.h>

#include "app/scene/access/launch_steps.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LadderTest : public testing::Test {
 protected:
  LadderTest() {
    apply(state,
          {SelectGpu{"NVIDIA H200"}, SelectKernel{"sgemm_tiled"}, SetParameter{"N", 2048}, ToggleLadder{}});
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Rung& rung : rungs(state)) {
      all.push_back(rung.kernel->name);
    }
    return all;
  }
  const Chart& shown() const { return state.derived.shown.chart; }
  std::uint64_t rung_of(const std::string& kernel) const {
    const auto all = rungs(state);
    return std::ranges::find_if(all, [&](const Rung& rung) { return rung.kernel->name == kernel; })->point->id;
  }

  AppState state = bundled_recording();
};

TEST_F(LadderTest, JoinsTheKernelsOfOneProblemInTeachingOrder) {
  EXPECT_THAT(names(), ElementsAre("sgemm_uncoalesced", "sgemm_naive", "sgemm_tiled", "sgemm_tiled_vector",
                                   "sgemm_register_1d", "sgemm_register_2d", "sgemm_vectorized",
                                   "sgemm_multistage", "sgemm_warp_tiled", "sgemm_split_k", "cublas_sgemm"))
      << "TF32 and BF16 are other problems";
  std::vector<std::string> labels;
  for (const ChartRow& row : shown().rows) {
    if (row.on_trail) {
      labels.push_back(row.label);
    }
  }
  EXPECT_EQ(labels.size(), names().size());
  EXPECT_EQ(labels[1], "naive");
}

TEST_F(LadderTest, EveryRungHasOneSizeAndIsTheFastestOfItsKernel) {
  for (const Rung& rung : rungs(state)) {
    EXPECT_EQ(complete(*rung.kernel, rung.point->parameters).at("N"), 2048) << rung.kernel->name;
    for (const Point& other : state.known.session.log->points) {
      const bool is_like = other.kernel == rung.point->kernel && other.gpu == rung.point->gpu &&
                           other.caches == rung.point->caches && other.competes() &&
                           problem_of(*rung.kernel, complete(*rung.kernel, other.parameters)) ==
                               problem_of(*rung.kernel, complete(*rung.kernel, rung.point->parameters));
      EXPECT_TRUE(!is_like || other.timing->median >= rung.point->timing->median) << rung.kernel->name;
    }
  }
}

TEST_F(LadderTest, ALaunchThatIsNoRungStandsBesideIt) {
  apply(state, {SetParameter{"TILE", 8}});
  const ChartRow& last = shown().rows.back();
  EXPECT_EQ(last.emphasis, Emphasis::newest);
  EXPECT_FALSE(last.on_trail);
  apply(state, {SelectPoint{rung_of("sgemm_naive")}});
  EXPECT_EQ(shown().rows.size(), names().size()) << "now it is one of them";
}

TEST_F(LadderTest, KernelsAreTakenOffAndIsolated) {
  apply(state, {ToggleRung{"sgemm_naive"}, ToggleRung{"cublas_sgemm"}});
  EXPECT_EQ(names().size(), 9u);
  apply(state, {ToggleRung{"sgemm_naive"}});
  EXPECT_EQ(names().size(), 10u);
  apply(state, {IsolateRung{"sgemm_tiled"}});
  EXPECT_THAT(names(), ElementsAre("sgemm_tiled"));
  apply(state, {IsolateRung{}});
  EXPECT_EQ(names().size(), 11u);
  apply(state, {ToggleLadder{}});
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(LadderTest, WhySaysWhatEachStepGains) {
  for (const char* name : {"sgemm_naive", "sgemm_tiled"}) {
    const Point& rung = *find_point(state, rung_of(name));
    know_code(state, name, complete(find_kernel(state.known.catalogue, name), rung.parameters));
  }
  apply(state, {ShowPanel{Panel::why}, SelectPoint{rung_of("sgemm_tiled")}});
  ASSERT_TRUE(state.derived.shown.subject->why);
  const WhyView& why = *state.derived.shown.subject->why;
  ASSERT_EQ(why.ladder.size(), 10u);
  EXPECT_EQ(why.bars.front().name, "naive") << "the step from the kernel before";
  EXPECT_EQ(why.bars.back().name, "tiled");
  EXPECT_EQ(why.ladder[1].kernels, "naive to tiled");
  EXPECT_TRUE(why.ladder[1].current);
  EXPECT_THAT(why.ladder[1].times, HasSubstr("x as fast"));
  EXPECT_THAT(why.ladder[1].reason, HasSubstr("L2"));
  EXPECT_THAT(why.ladder[0].reason, HasSubstr("has to be read first"));
  EXPECT_THAT(why.ladder.back().reason, AllOf(HasSubstr("cuBLAS"), HasSubstr("not known")));
}

TEST_F(LadderTest, TheCodeOfItsRungsIsReadNext) {
  state.known.session.compiles = true;
  const auto first = next_to_read(state);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->place.kernel, "sgemm_tiled") << "it is dialled";
  use_code(state, first->place, CodeAnswer{std::nullopt, "It does not compile."});
  EXPECT_EQ(next_to_read(state)->place.kernel, "sgemm_uncoalesced");
}

TEST(Ladder, OfAPredictedGpuHoldsTheKernelsThatWereVisited) {
  AppState state = bundled_recording();
  const Actions steps = {SelectGpu{"RTX 4090"},    SelectKernel{"sgemm_naive"},
                         SetParameter{"N", 2048},  SelectKernel{"sgemm_tiled"},
                         SetParameter{"N", 2048},  SetParameter{"TILE", 8},
                         SetParameter{"TILE", 32}, ToggleLadder{}};
  for (const Action& step : steps) {
    apply(state, {step});
  }
  ASSERT_EQ(mode(state), Mode::predicted);
  const auto all = rungs(state);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].kernel->name, "sgemm_naive");
  EXPECT_EQ(all[1].point->parameters.at("TILE"), 32) << "the faster of two";
  EXPECT_GE(all[1].point->id, first_predicted);
}

}  // namespace
}  // namespace rooftile::scene
