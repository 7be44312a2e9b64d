#include "kernels/worker/measure/known_answer.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/platform.hpp"
#include "kernels/worker/fakes/fake_counters.hpp"

namespace rooftile::worker {
namespace {

using testing::HasSubstr;

constexpr const char* ffma = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
constexpr double chain = 4.0 * 256 * 256 * 64;  // SMs, threads, rounds, multiply-adds

class KnownAnswerTest : public FakeCuptiTest {
 protected:
  KnownAnswerTest() { note_the_session(); }

  std::optional<Counters> counted(Counting& counting) {
    return count_known_answer(device_, compiler_, platform::data_directory() / "kernels", counting);
  }

  const Compiler compiler_{load_nvrtc().value(), testing::TempDir()};
};

TEST_F(KnownAnswerTest, TheRightCountProvesTheCounters) {
  fake_counters().values = {{ffma, chain}, {"lts__t_bytes.sum", 64}};
  Counting counting(device_, cupti_);
  fake_launches().clear();
  const auto counters = counted(counting);
  ASSERT_TRUE(counters);
  EXPECT_EQ(counters->ffma, chain);
  EXPECT_EQ(counters->l2, Bytes{64});
  EXPECT_EQ(counting.counters().state, Facility::State::ready);
  EXPECT_EQ(fake_launches().front(), (FakeLaunch{4, 256, 0, 0})) << "a block per SM";
}

TEST_F(KnownAnswerTest, ALowClockIsCountedAgainTwice) {
  const auto launches_at = [&](double share_of_boost) {
    fake_counters().values = {
        {ffma, chain}, {"sm__cycles_elapsed.avg.per_second", share_of_boost * device_.gpu().boost_clock.value}};
    Counting counting(device_, cupti_);
    counting.settle();
    fake_launches().clear();
    EXPECT_TRUE(counted(counting));
    return fake_launches().size();
  };
  EXPECT_EQ(launches_at(0.04), 3 * launches_at(1));
}

TEST_F(KnownAnswerTest, AWrongCountEndsTheTrustInAllOfThem) {
  for (const double wrong : {0.0, chain - 1, 2 * chain}) {
    fake_counters().values = {{ffma, wrong}};
    Counting counting(device_, cupti_);
    EXPECT_EQ(counted(counting), std::nullopt);
    EXPECT_EQ(counting.counters().state, Facility::State::failed);
    EXPECT_THAT(counting.counters().detail, HasSubstr("a chain of 16,777,216 FMAs was counted as "));
    EXPECT_EQ(counting.session(), nullptr);
    EXPECT_FALSE(counting.ready());
  }
}

TEST_F(KnownAnswerTest, WithoutCountersThereIsNoAnswerAndNoBlame) {
  Counting counting(Facility{"profiler", Facility::State::missing, "No CUPTI.", "Install it.", ""});
  EXPECT_EQ(counted(counting), std::nullopt);
  EXPECT_EQ(counting.counters().state, Facility::State::missing);
}

}  // namespace
}  // namespace rooftile::worker
