#include "analysis/predict/work_judgement.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

JudgedWork launch_of(const std::string& name, double derived, double counted) {
  return {"sum", name, {{WorkFigure::l1_bytes, derived, counted}}, {}, {}, {}, {}};
}

TEST(WorkJudgement, SaysHowManyAreWithinABoundAndWhichIsWorst) {
  const std::vector<JudgedWork> launches = {launch_of("equal", 100, 100),
                                            launch_of("less", 50, 100),
                                            launch_of("more", 109, 100),
                                            {"sum", "nothing", {}, {}, {}, {}, {}}};
  const WorkScore score = score_of(launches, WorkFigure::l1_bytes);
  EXPECT_EQ(score.launches, 3u);
  EXPECT_THAT(score.within, testing::ElementsAre(1, 1, 1, 2, 2, 3));
  EXPECT_EQ(score.least, 0.5);
  EXPECT_EQ(score.most, 1.09);
  EXPECT_EQ(score.worst->launch, "less");
  EXPECT_EQ(score_of(launches, WorkFigure::flops).launches, 0u);
}

TEST(WorkJudgement, ComparesWhatWasCountedAndNotZeroTwice) {
  ptx::KernelWork work;
  work.global_sectors = 10;
  work.fp32.fma = 5;
  Point point;
  EXPECT_TRUE(work_ratios(work, {}, point, nullptr).empty());
  point.counters = Counters{};
  point.counters->ffma = 4;
  point.counters->fadd = point.counters->fmul = 0;
  point.counters->l1 = Bytes{640};
  point.counters->shared_wavefronts = 0;
  const std::vector<WorkRatio> ratios = work_ratios(work, {}, point, nullptr);
  ASSERT_EQ(ratios.size(), 2u);
  EXPECT_EQ(ratios[0].error(), 1.25);
  EXPECT_EQ(ratios[1].error(), 2);
}

TEST(WorkJudgement, TheWavefrontsOfTheLinesAreComparedWithoutThoseThatWereRepeated) {
  ptx::KernelWork work;
  work.shared_wavefronts = 100;
  Point point;
  point.counters = Counters{};
  point.counters->shared_wavefronts = 125;
  SourceProfile lines;
  lines.lines.resize(2);
  lines.lines[0].shared_wavefronts = 60;
  lines.lines[1].shared_wavefronts = 40;
  const std::vector<WorkRatio> ratios = work_ratios(work, {}, point, &lines);
  ASSERT_EQ(ratios.size(), 2u);
  EXPECT_EQ(ratios[0].error(), 1.25);
  EXPECT_EQ(ratios[1].figure, WorkFigure::wavefronts_of_lines);
  EXPECT_EQ(ratios[1].error(), 1);
}

}  // namespace
}  // namespace rooftile
