#include "kernels/worker/count/sass_metrics.hpp"

#include <gmock/gmock.h>

#include "kernels/worker/fakes/fake_counters.hpp"

namespace rooftile::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class SassMetricsTest : public FakeCuptiTest {
 protected:
  std::vector<Instruction> count() {
    SassMetrics metrics(cupti_, device_, "GH100");
    return metrics.count(fake_cubin, [] {});
  }
};

TEST_F(SassMetricsTest, AddsUpWhatAllInstancesCounted) {
  instrument({{16, {9, 99, 19, 7, 31, 3}}});
  const auto all = count();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].function, "mine");
  EXPECT_EQ(all[0].offset, 16u);
  const LineProfile& counts = all[0].counts;
  EXPECT_EQ(counts.executed, 10);
  EXPECT_EQ(counts.thread_executed, 100);
  EXPECT_EQ(counts.global_sectors, 20);
  EXPECT_EQ(counts.ideal_global_sectors, 8);
  EXPECT_EQ(counts.shared_wavefronts, 32);
  EXPECT_EQ(counts.ideal_shared_wavefronts, 4);
}

TEST_F(SassMetricsTest, LeavesOtherKernelsOut) {
  instrument({{0, {5}}, {16, {6}, other_cubin}, {32, {7}}});
  const auto all = count();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].offset, 32u);
}

TEST_F(SassMetricsTest, AMetricThatTheChipHasNotStaysEmpty) {
  instrument({{0, {5, 6}}});
  fake_counters().unknown = {"smsp__sass_thread_inst_executed_pred_on"};
  const LineProfile counts = count().at(0).counts;
  EXPECT_EQ(counts.executed, 6);
  EXPECT_EQ(counts.thread_executed, std::nullopt);
  EXPECT_EQ(counts.global_sectors, 7) << "the second of those that it has";
}

TEST_F(SassMetricsTest, AProcessConfiguresThemOnce) {
  instrument({{0, {5}}});
  cupti_.cuptiSassMetricsSetConfig = fake_configured;
  SassMetrics metrics(cupti_, device_, "GH100");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(metrics.count(fake_cubin, [] {}).size(), 1u);
  }
  EXPECT_THAT(fake_counters().calls,
              ElementsAre("configured", "metrics disabled", "metrics disabled", "metrics disabled"));
}

TEST_F(SassMetricsTest, AConfigurationThatFailedIsTriedAgain) {
  instrument({{0, {5}}});
  SassMetrics metrics(cupti_, device_, "GH100");
  refuses("cuptiSassMetricsSetConfig", CUPTI_ERROR_OUT_OF_MEMORY);
  EXPECT_THROW(metrics.count(fake_cubin, [] {}), CuptiError);
  unsetenv("FAKE_CUPTI");
  fake_counters().made = 0;
  EXPECT_EQ(metrics.count(fake_cubin, [] {}).at(0).counts.executed, 6);
}

TEST_F(SassMetricsTest, AreSwitchedOffWhateverHappens) {
  instrument({{0, {5}}});
  SassMetrics metrics(cupti_, device_, "GH100");
  EXPECT_THROW(metrics.count(fake_cubin, [] { throw Error("the launch failed"); }), Error);
  EXPECT_THAT(fake_counters().calls, ElementsAre("metrics disabled"));
  refuses("cuptiSassMetricsEnable", CUPTI_ERROR_HARDWARE_BUSY);
  EXPECT_THAT([&] { metrics.count(fake_cubin, [] {}); },
              ThrowsMessage<CuptiError>(HasSubstr("cuptiSassMetricsEnable failed: CUPTI_ERROR_")));
  EXPECT_THAT(fake_counters().calls, ElementsAre("metrics disabled")) << "nothing was switched on";
}

}  // namespace
}  // namespace rooftile::worker
