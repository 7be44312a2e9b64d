// The library as a program gets it: what it leaves behind.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "kernels/inject/callers.hpp"
#include "kernels/inject/test_program.hpp"

namespace rooftile::inject {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

TEST_F(InjectionTest, CountsTheFirstLaunchOfAKernelAndTimesTheOthers) {
  EXPECT_THAT(launches({"a=100", "b=10", "a=200", "a=300", "exit=4"}),
              ElementsAre("a 3 1 501 ns", "b 1 1 1 ns"));
  EXPECT_EQ(status_, 4);
}

TEST_F(InjectionTest, TellsWhatItFoundAndOnWhatGpu) {
  const auto logs = records({"a=100"});
  ASSERT_THAT(logs, SizeIs(1));
  EXPECT_EQ(logs[0].devices.at(0).gpu.name, "Fake GPU");
  EXPECT_EQ(logs[0].points.front().gpu, "Fake GPU");
  EXPECT_EQ(logs[0].points.front().compiled->registers, 32);
  for (const Facility& facility : logs[0].header.facilities) {
    EXPECT_EQ(facility.state, Facility::State::ready) << facility.sentence;
  }
}

TEST_F(InjectionTest, AProgramRecordsPartsOfItselfEachAsIfItWereAll) {
  const std::map<std::string, std::string> alone = {{"CUDA_INJECTION64_PATH", ""}};
  const auto logs = records({"a=1000", "begin-part", "a=100", "b=10", "a=200", "end-part", "a=2000",
                             "begin-part", "b=30", "b=40", "end-part", "b=3000"},
                            {}, alone);
  EXPECT_EQ(status_, 0);
  std::vector<std::vector<std::string>> parts;
  std::ranges::transform(logs, std::back_inserter(parts), lines_of);
  EXPECT_THAT(parts,
              UnorderedElementsAre(ElementsAre("a 2 1 201 ns", "b 1 1 1 ns"), ElementsAre("b 2 1 41 ns")));
}

TEST_F(InjectionTest, OnePartIsRecordedAtATime) {
  records({"begin-part", "begin-part"}, {}, {{"CUDA_INJECTION64_PATH", ""}});
  EXPECT_EQ(status_, 98);
  records({"begin-part"});
  EXPECT_EQ(status_, 98) << "the whole program is recorded already";
}

TEST_F(InjectionTest, AGraphsLaunchesAreTimedAlone) {
  EXPECT_THAT(launches({"graph:a=100", "graph:a=300"}), ElementsAre("a 2 0 400 ns"));
}

TEST_F(InjectionTest, WhatIsCapturedIsLeftAlone) {
  EXPECT_THAT(launches({"capture", "a=100", "end-capture", "a=100", "a=100"}), ElementsAre("a 3 1 201 ns"));
}

TEST_F(InjectionTest, WhatWaitsForOtherGpusIsNeverReplayed) {
  EXPECT_THAT(launches({"ncclDevKernel_AllReduce=100", "ncclDevKernel_AllReduce=200"}),
              ElementsAre("ncclDevKernel_AllReduce 2 0 300 ns"));
}

TEST_F(InjectionTest, NothingIsCountedWhileAKernelWaitsForTheProgram) {
  constexpr const char* not_passed = "cuEventQuery=600";
  EXPECT_THAT(launches({"DelayKernel=100", "a=10", "a=10"}, {}, {{"FAKE_DRIVER", not_passed}}),
              ElementsAre("DelayKernel 1 0 100 ns", "a 2 0 20 ns"));
  EXPECT_THAT(launches({"a=10", "DelayKernel=100", "a=10", "b=10"}),
              ElementsAre("a 2 1 11 ns", "b 1 1 1 ns", "DelayKernel 1 0 100 ns"));
}

TEST_F(InjectionTest, OptionsChooseWhatIsCounted) {
  const Words words = {"a=10", "b=10", "a=10", "a=10", "b=10"};
  const struct {
    ProfileOptions options;
    Words launches;
  } rows[] = {{{"", "a", 0, 0, 0}, {"a 3 1 21 ns"}},
              {{"", "", 2, 1, 0}, {"a 3 1 21 ns", "b 2 0 20 ns"}},
              {{"", "", 0, 0, 2}, {"a 3 2 12 ns", "b 2 1 11 ns"}}};
  for (const auto& row : rows) {
    EXPECT_EQ(launches(words, row.options), row.launches);
  }
}

TEST_F(InjectionTest, WhatIsOutsideOfTheRangesThatAreAskedForIsLeftOut) {
  const Words words = {"a=10", "push:warm up", "a=10", "pop", "push:step 1", "push:loss", "b=10",
                       "a=10", "pop",          "a=10", "pop", "graph:a=300", "a=10"};
  const std::string library = (platform::executable_directory() / "librooftile-inject.so").string();
  ProfileOptions options;
  options.range = "^step";
  EXPECT_THAT(launches(words, options, {{"NVTX_INJECTION64_PATH", library}}),
              ElementsAre("b 1 1 1 ns", "a 2 1 11 ns"));
}

TEST_F(InjectionTest, TheTimeOfEachRangeIsToldIfAskedFor) {
  const Words words = {"a=10", "push:step",   "a=10", "push:loss", "a=20",
                       "b=7",  "graph:a=300", "pop",  "pop",       "a=10"};
  const std::string library = (platform::executable_directory() / "librooftile-inject.so").string();
  ProfileOptions options;
  options.by_range = true;
  const auto logs = records(words, options, {{"NVTX_INJECTION64_PATH", library}});
  std::map<std::string, double> nanoseconds;
  for (const Point& point : logs.at(0).points) {
    for (const auto& [range, time] : point.program->by_range) {
      nanoseconds[point.kernel + " " + range] = std::round(1e9 * time.value);
    }
  }
  const std::map<std::string, double> expected = {
      {"a() step", 10}, {"a() step/loss", 320}, {"b() step/loss", 1}};
  EXPECT_EQ(nanoseconds, expected) << "b was replayed and has the time of that, 1 ns";
}

TEST_F(InjectionTest, TheTimeOfEachCallerIsToldIfAskedFor) {
  ProfileOptions options;
  options.by_caller = true;
  const auto logs = records({"a=10", "a=10", "step:a=20"}, options);
  std::map<std::string, double> nanoseconds;
  for (const Point& point : logs.at(0).points) {
    for (const auto& [callers, time] : point.program->by_range) {
      nanoseconds[callers] = std::round(1e9 * time.value);
    }
  }
  EXPECT_THAT(nanoseconds, testing::Contains(testing::Pair(HasSubstr("/step"), 20)));
  EXPECT_THAT(nanoseconds, testing::Each(testing::Key(testing::StartsWith("main"))));
}

TEST(Callers, ACallersNameIsShort) {
  const struct {
    const char* readable;
    const char* name;
  } rows[] = {
      {"main", "main"},
      {"mine::train(int)", "train"},
      {"int mine::run(int)::{lambda(float)#1}::operator()(float) const", "run::lambda"},
      {"mine::Step<int>::operator()(int) const", "Step<int>::operator()"},
      {"void each<main::{lambda(int)#1}>(int)", "each<main::{lambda(int)#1}>"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(caller_name(row.readable), row.name);
  }
}

TEST_F(InjectionTest, AKernelOfAGraphHasTheFiguresOfALaunchOutsideOfIt) {
  const auto logs = records({"a=100", "graph:a=300", "graph:b=50"});
  for (const Point& point : logs.at(0).points) {
    EXPECT_EQ(point.counters.has_value(), point.kernel == "a()");
    EXPECT_THAT(point.notes,
                testing::Contains(HasSubstr(point.counters ? "outside of CUDA graphs" : "cannot be counted")));
  }
}

TEST_F(InjectionTest, WithoutTheRightToCountEverythingIsTimed) {
  const std::map<std::string, std::string> refusal = {{"FAKE_CUPTI", "cuptiRangeProfilerStart=35"}};
  EXPECT_THAT(launches({"a=100", "a=200"}, {}, refusal), ElementsAre("a 2 0 300 ns"));
  const auto logs = records({"a=100"}, {}, refusal);
  const auto refused = std::ranges::find(logs[0].header.facilities, Facility::State::refused, &Facility::state);
  ASSERT_NE(refused, logs[0].header.facilities.end());
  EXPECT_THAT(refused->sentence, HasSubstr("not permitted"));
}

// Callbacks come once CUPTI has a subscriber, whatever fails afterwards.
TEST_F(InjectionTest, NoFailureOfCuptiEndsTheProgram) {
  for (const char* call : {"cuptiSubscribe", "cuptiActivityRegisterCallbacks", "cuptiActivityEnable",
                           "cuptiActivityFlushPeriod", "cuptiProfilerInitialize", "cuptiRangeProfilerStop"}) {
    records({"a=100", "a=200", "exit=4"}, {}, {{"FAKE_CUPTI", std::string(call) + "=999"}});
    EXPECT_EQ(status_, 4) << call;
  }
}

TEST_F(InjectionTest, ALimitOfFileSizesIsNotTheEndOfTheProgram) {
  starts_with_ = {"sh", "-c", "ulimit -f 1; exec \"$0\" \"$@\""};
  records({"a=100", "b=100", "c=100", "d=100", "exit=4"});
  EXPECT_EQ(status_, 4) << "153 is SIGXFSZ";
}

TEST_F(InjectionTest, WithoutAnAnswerNoKernelIsMeantAndThatIsTold) {
  rooftile_answers_ = false;
  ProfileOptions options;
  options.kernel = "a";
  const auto logs = records({"a=100", "b=100", "exit=4"}, options);
  EXPECT_EQ(status_, 4);
  EXPECT_THAT(logs.at(0).points, IsEmpty());
  EXPECT_THAT(logs.at(0).header.facilities.back().sentence, HasSubstr("did not answer"));
}

// An expression is matched in time linear in the name, and without a stack.
TEST_F(InjectionTest, LongNamesCostNeitherTimeNorStack) {
  starts_with_ = {"sh", "-c", "ulimit -s 256; exec \"$0\" \"$@\""};
  const std::string name(30'000, 'a'),
      library = (platform::executable_directory() / "librooftile-inject.so").string();
  ProfileOptions options;
  options.kernel = "(a|aa)+$";
  options.range = "layer.*1";
  EXPECT_THAT(records({"push:layer" + name, name + "b=100", "pop", "exit=4"}, options,
                      {{"NVTX_INJECTION64_PATH", library}}),
              SizeIs(1));
  EXPECT_EQ(status_, 4);
}

TEST_F(InjectionTest, AfterThreeFailuresInARowNothingIsCounted) {
  const std::map<std::string, std::string> fails = {{"FAKE_CUPTI", "cuptiRangeProfilerStart=999"}};
  EXPECT_THAT(launches({"a=100", "a=200"}, {"", "", 0, 0, 1}, fails), ElementsAre("a 2 0 300 ns"));
}

TEST_F(InjectionTest, CountersOfAnotherProfilerAreAskedForUntilTheyAreFree) {
  // Four times, of which another failure is forgiven two.
  const std::map<std::string, std::string> busy = {{"FAKE_CUPTI", "cuptiRangeProfilerStart=26,4"}};
  const auto logs = records(std::vector<std::string>(20'000, "a=100"), {}, busy);
  EXPECT_TRUE(logs.at(0).points.front().counters);
  EXPECT_THAT(logs[0].header.facilities,
              testing::Each(testing::Field(&Facility::state, Facility::State::ready)));
}

TEST_F(InjectionTest, WithoutCuptiItSaysSoAndTheProgramRuns) {
  const auto logs = records({}, {}, {{"LD_LIBRARY_PATH", FAKES "/driver:" FAKES "/old/lib64"}});
  ASSERT_THAT(logs, SizeIs(1));
  EXPECT_EQ(logs[0].header.facilities.at(0).state, Facility::State::failed);
  EXPECT_THAT(logs[0].points, IsEmpty());
}

// The program's loader takes the first runtime it finds for all.
TEST_F(InjectionTest, AProgramMayBringAnOldRuntime) {
  const auto logs =
      records({"a=100"}, {}, {{"LD_LIBRARY_PATH", FAKES "/older:" FAKES "/driver:" FAKES "/cuda/lib64"}});
  EXPECT_EQ(status_, 0);
  ASSERT_THAT(logs, SizeIs(1));
  EXPECT_EQ(logs[0].points.front().program->counted, 1);
}

TEST_F(InjectionTest, AProgramThatIsKilledLeavesWhatItHad) {
  EXPECT_THAT(launches({"a=100", "a=200", "flush", "abort"}), ElementsAre("a 1 1 1 ns so far"));
  EXPECT_EQ(status_, 134);
}

TEST_F(InjectionTest, AKernelIsRecordedAsSoonAsItIsCounted) {
  EXPECT_THAT(launches({"a=100", "b=100", "c=100", "abort"}),
              ElementsAre("a 1 1 1 ns so far", "b 1 1 1 ns so far", "c 1 1 1 ns so far"));
}

TEST_F(InjectionTest, AChildThatIsForkedLeavesNothing) {
  EXPECT_THAT(records({"a=100", "fork"}), SizeIs(1));
}

}  // namespace
}  // namespace rooftile::inject
