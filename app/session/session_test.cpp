#include "app/session/session_test.hpp"

#include "analysis/platform/session_files.hpp"
#include "app/session/worker/told_roofs.hpp"

namespace rooftile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(SessionTest, BecomesLiveOnceTheWorkerNamesItsDevice) {
  Session live = session();
  EXPECT_EQ(live.device(), nullptr);
  EXPECT_TRUE(live.starting());
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_NE(live.device(), nullptr);
  EXPECT_EQ(live.device()->name, "Test GPU");
  EXPECT_FALSE(live.facilities().empty());
}

TEST_F(SessionTest, StaysPredictedWithoutADevice) {
  Session live = session({"--no-device"});
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_EQ(live.device(), nullptr);
  EXPECT_EQ(live.facilities().back().fix, "Use a machine with a GPU.");
}

TEST_F(SessionTest, AnotherGpuOfTheMachineMeasuresFromThenOn) {
  Session live = session({"--machine", "Test GPU,Another"});
  const auto first = live.request(tile(8));
  finish(live);
  live.use_device(1);
  poll_until(live, [&] { return !live.starting(); });
  const auto second = live.request(tile(8));
  finish(live);
  EXPECT_EQ(live.log().point(first)->device, 0);
  EXPECT_EQ(live.log().point(second)->device, 1);
  EXPECT_EQ(live.log().point(second)->gpu, "Another");
  EXPECT_EQ(live.device()->name, "Another");
}

TEST_F(SessionTest, RequestBecomesACountedPoint) {
  Session live = session();
  const auto id = live.request(tile(8));
  EXPECT_TRUE(live.busy());
  finish(live);
  ASSERT_EQ(live.log().points.size(), 1u);
  const Point& point = live.log().points.front();
  EXPECT_EQ(point.id, id);
  EXPECT_EQ(point.evidence(), Evidence::counted);
  EXPECT_FALSE(live.last_error());
}

TEST_F(SessionTest, LaunchesFromTheCompilationToTheCounters) {
  Session live = session({"--gate", gate().string()});
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_FALSE(live.has_to_send());
  live.request(tile(8));
  EXPECT_TRUE(live.has_to_send());
  EXPECT_FALSE(live.launching());
  poll_until(live, [&] { return live.launching(); });
  EXPECT_FALSE(live.has_to_send());
  open_gate();
  finish(live);
  EXPECT_FALSE(live.launching());
  live.request(tile(8));
  live.send();
  EXPECT_FALSE(live.launching()) << "it may have to be compiled first";
}

TEST_F(SessionTest, AProfileIsKeptWithItsLaunchAndInTheJournal) {
  Session live = session({"--wrong", "TILE=32"});
  EXPECT_EQ(live.profile(tile(8)), 0u) << "nothing is known to measure yet";
  poll_until(live, [&] { return !live.starting(); });
  live.request(tile(8));
  finish(live);
  const auto id = live.profile(tile(8));
  EXPECT_TRUE(live.busy());
  finish(live);
  const SourceProfile* profile = live.log().profile_of(live.log().points.front());
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->id, id);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=8"));
  EXPECT_EQ(platform::load_session(journal()).profiles, live.log().profiles);
  live.profile(tile(32));
  finish(live);
  EXPECT_THAT(live.last_error().value_or(""), HasSubstr("The result is wrong"));
  EXPECT_EQ(live.log().profiles.size(), 1u) << "a failed one is not kept";
}

TEST_F(SessionTest, WhoCountsLinesKnowsHowLongThatMayTake) {
  const std::filesystem::path heard = journal().parent_path() / "heard";
  SessionOptions patient = options({"--heard", heard.string()});
  patient.launch_limit = std::chrono::seconds(90);
  Session live = Session(patient);
  poll_until(live, [&] { return !live.starting(); });
  live.profile(tile(8));
  finish(live);
  std::string line;
  std::getline(std::ifstream(heard) >> std::ws, line);
  EXPECT_EQ(std::get<ProfileRequest>(parse_request(line)).launch_limit, Seconds{90});
}

TEST_F(SessionTest, RoofsAreMeasuredOnRequest) {
  Session live = session();
  EXPECT_EQ(live.measure_roofs(Work::roofs), 0u) << "nothing is known to measure yet";
  poll_until(live, [&] { return !live.starting(); });
  for (const auto& [work, bandwidth] : {std::pair{Work::roofs, 4e12}, {Work::roofs_again, 4.1e12}}) {
    EXPECT_NE(live.measure_roofs(work), 0u);
    EXPECT_TRUE(live.busy());
    finish(live);
    ASSERT_EQ(live.log().roofs.size(), 1u);
    EXPECT_EQ(live.log().roofs.front().find(MemoryLevel::dram)->bandwidth.value, bandwidth);
    EXPECT_EQ(told_roofs(live.log().devices.front()).load(), live.log().roofs.front());
  }
  EXPECT_THAT(points(live.log()), testing::IsEmpty());
}

TEST_F(SessionTest, NewestRequestWins) {
  Session live = session({"--gate", gate().string()});
  poll_until(live, [&] { return !live.starting(); });
  for (const double value : {4, 8, 16, 32}) {
    live.request(tile(value));
    live.send();
  }
  open_gate();
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=32"));
}

TEST_F(SessionTest, SweepRunsInOrderAndCanBeCancelled) {
  Session live = session({"--gate", gate().string()});
  poll_until(live, [&] { return !live.starting(); });
  live.sweep({tile(4), tile(8), tile(16), tile(32)});
  EXPECT_EQ(live.progress()->total, 4);
  live.send();
  live.cancel_sweep();
  live.sweep({tile(16), tile(8)});
  open_gate();
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=16", "TILE=8"));
  EXPECT_FALSE(live.progress());
}

TEST_F(SessionTest, CompilesForAnotherGpu) {
  Session live = session();
  live.compile(tile(8), another_gpu());
  finish(live);
  const Point& point = live.log().points.back();
  EXPECT_EQ(point.gpu, "Another GPU");
  EXPECT_EQ(point.compiled->cc, (ComputeCapability{8, 6}));
  EXPECT_FALSE(point.timing);
  EXPECT_NE(live.log().roofs_of("Another GPU"), nullptr);
  EXPECT_EQ(live.device()->name, "Test GPU");
}

TEST_F(SessionTest, ASweepIsMeasuredWhateverIsCompiledMeanwhile) {
  Session live = session();
  poll_until(live, [&] { return !live.starting(); });
  live.sweep({tile(4), tile(8), tile(16)});
  live.send();
  live.compile(tile(32), another_gpu());
  finish(live);
  std::vector<std::string> gpus;
  for (const Point& point : live.log().points) {
    gpus.push_back(text(point.parameters) + " " + point.gpu + (point.timing ? " timed" : ""));
  }
  EXPECT_THAT(gpus, ::testing::UnorderedElementsAre("TILE=4 Test GPU timed", "TILE=8 Test GPU timed",
                                                    "TILE=16 Test GPU timed", "TILE=32 Another GPU"));
}

}  // namespace
}  // namespace rooftile
