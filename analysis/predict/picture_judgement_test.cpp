#include "analysis/predict/picture_judgement.hpp"

#include <gmock/gmock.h>

#include "analysis/predict/work_judgement.hpp"
#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Model accesses_of(double wavefronts, double sectors, double requests) {
  Model model;
  model.accesses.emplace_back().wavefronts = wavefronts;
  GlobalAccessModel& global = model.global_accesses.emplace_back();
  global.sectors = sectors;
  global.requests = requests;
  return model;
}

Point counted(const std::string& kernel, double wavefronts, double sectors, double requests) {
  Point point;
  point.kernel = kernel;
  point.counters = Counters{};
  point.counters->shared_wavefronts = wavefronts;
  point.counters->l1 = Bytes{32 * sectors};
  point.counters->global_requests = requests;
  return point;
}

JudgedWork judged(const Model& model, const Point& point) {
  JudgedWork work;
  work.kernel = point.kernel;
  work.pictures = judged_pictures(drawn_accesses(model, nullptr), point);
  return work;
}

TEST(PictureJudgement, BeyondFivePercentALaunchDeviates) {
  const JudgedWork work = judged(accesses_of(104, 400, 100), counted("mine", 100, 480, 100));
  ASSERT_EQ(work.pictures.size(), 2u);
  EXPECT_FALSE(work.pictures[0].deviates());
  EXPECT_TRUE(work.pictures[1].deviates()) << "4 sectors drawn, 4.8 counted";
}

TEST(PictureJudgement, AFigureThatIsNotKnownIsNotJudged) {
  Model atomics = accesses_of(100, 400, 100);
  atomics.accesses.clear();
  atomics.atomics.emplace_back();
  EXPECT_THAT(judged(atomics, counted("mine", 1, 1, 1)).pictures, IsEmpty()) << "atomics of L2 are counted too";
  EXPECT_THAT(judged(Model{}, counted("mine", 1, 1, 1)).pictures, IsEmpty()) << "no access is described";
  EXPECT_THAT(judged(accesses_of(1, 1, 1), Point{}).pictures, IsEmpty()) << "nothing was counted";
}

TEST(PictureJudgement, TheCompiledCodeGoesBeforeTheModel) {
  Model model = accesses_of(100, 400, 100);
  model.launch.grid = {3};
  constexpr const char* load = R"(
	mul.wide.s32 	%rd3, %r5, 8;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.f32 	%f1, [%rd4];
	ret;)";
  ptx::BlockTrace trace =
      ptx::block_trace(ptx::parse_ptx(ptx::kernel_text(load)), ptx::launch_with({3}, {32}, 64, 1));
  EXPECT_EQ(drawn_accesses(model, &trace).sectors_per_request, 8) << "every second float";
  EXPECT_EQ(drawn_accesses(model, &trace).wavefronts, 100) << "it has no shared memory";
  ptx::TracedAccess& shared = trace.accesses.emplace_back();
  shared.shared = true;
  shared.wavefronts = 7;
  EXPECT_EQ(drawn_accesses(model, &trace).wavefronts, 21);
  trace.is_whole = false;
  EXPECT_EQ(drawn_accesses(model, &trace).wavefronts, 100) << "steps are missing";
}

TEST(PictureJudgement, ADeviationNeedsAReason) {
  const std::vector<JudgedWork> launches = {judged(accesses_of(100, 4, 1), counted("mine", 200, 4, 1))};
  EXPECT_THAT(picture_mistakes(launches, false),
              ElementsAre(HasSubstr("the picture shows 100 wavefronts, 200 were counted")));
}

TEST(PictureJudgement, AReasonNeedsADeviation) {
  EXPECT_THAT(picture_mistakes({}, false), IsEmpty()) << "others may deviate";
  EXPECT_THAT(picture_mistakes({}, true), SizeIs(picture_exceptions().size()));
  const std::vector<JudgedWork> launches = {
      judged(accesses_of(100, 100, 1), counted("gemm_tf32_wgmma", 200, 100, 1))};
  EXPECT_THAT(picture_mistakes(launches, true), SizeIs(picture_exceptions().size() - 1));
}

TEST(PictureJudgement, DataThatArriveExplainNoMoreWavefrontsThanLinesAreMissed) {
  const auto reasons = [](double wavefronts, double requests) {
    Point point = counted("mine", wavefronts, 100, requests);
    point.counters->l1_sectors = 100;
    point.counters->l1_hits = 20;
    return score_of(std::vector{judged(accesses_of(100, 100, requests), point)}, PictureFigure::wavefronts)
        .reasons;
  };
  EXPECT_THAT(reasons(120, 1), ElementsAre(HasSubstr("arrive in L1"))) << "20 lines of 4 sectors were missed";
  EXPECT_THAT(reasons(121, 1), IsEmpty());
  EXPECT_THAT(reasons(180, 100), ElementsAre(HasSubstr("arrive in L1"))) << "80 requests of a sector missed";
  EXPECT_THAT(reasons(181, 100), IsEmpty());
  EXPECT_THAT(reasons(90, 1), IsEmpty());
}

}  // namespace
}  // namespace rooftile
