// Lines of source beside what they did.
#include "app/scene/launch/source_view.hpp"

#include <gmock/gmock.h>

#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

LineProfile executed(double warps) {
  LineProfile line;
  line.executed = warps;
  return line;
}

LineProfile waits(int number, const std::map<std::string, double>& stalls) {
  LineProfile line;
  line.line = number;
  line.stalls = stalls;
  return line;
}

// One launch of the transpose, looked at line by line as the change has it.
template <class Change>
SourceView view_of(Change change) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  const Point point = counted_point(state, 1, "transpose_tiled", {});
  SourceProfile profile = line_profile(point);
  change(profile);
  land(state, point);
  land(state, profile);
  return source_view(state);
}

SourceView view_of_line(const LineProfile& line) {
  return view_of([&](SourceProfile& profile) {
    profile.source = "one\n";
    profile.lines = {line};
    profile.lines[0].line = 1;
  });
}

TEST(SourceView, InstructionsStandBelowTheirLinesWhereTheyAreAskedFor) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  const Point point = counted_point(state, 1, "transpose_tiled", {});
  SourceProfile profile = line_profile(point);
  profile.source = "one\ntwo\n";
  profile.lines = {waits(2, {{"barrier", 4}})};
  profile.instructions = {{0, "", "LDG", waits(2, {{"barrier", 1}})},
                          {16, "", "IMAD", waits(1, {})},
                          {32, ".L_0:", "BAR", waits(2, {{"barrier", 3}})},
                          {48, "", "EXIT", waits(0, {})}};
  land(state, point);
  land(state, profile);
  const auto texts = [&] {
    std::vector<std::string> all;
    for (const SourceLine& line : source_view(state).lines) {
      all.push_back(line.offset + (line.offset.empty() ? "" : " ") + line.text);
    }
    return all;
  };
  EXPECT_TRUE(source_view(state).has_machine_code);
  EXPECT_THAT(texts(), ElementsAre("one", "two", "code from other files"));
  apply(state, {ToggleMachineCode{}});
  EXPECT_THAT(texts(), ElementsAre("one", "0010 IMAD", "two", "0000 LDG", "0020 .L_0: BAR",
                                   "code from other files", "0030 EXIT"));
  EXPECT_EQ(source_view(state).lines[4].samples, "75 %");
}

TEST(SourceView, ALineWithoutACountIsEmptyAndOneBesideItsIdealSaysHowOften) {
  struct Case {
    std::optional<double> wavefronts, ideal;
    const char* text;
    bool conflicts;
  };
  const Case cases[] = {{{}, {}, "", false},
                        {0, 0, "", false},
                        {500, 500, "500", false},
                        {500, {}, "500", false},
                        {502, 500, "502", false},
                        {510, 500, "510  1.02x", true},
                        {16000, 500, "16,000  32x", true}};
  for (const auto& [wavefronts, ideal, text, conflicts] : cases) {
    LineProfile line;
    line.shared_wavefronts = wavefronts;
    line.ideal_shared_wavefronts = ideal;
    const SourceView view = view_of_line(line);
    ASSERT_THAT(view.lines, SizeIs(1));
    EXPECT_EQ(view.lines[0].wavefronts, text);
    EXPECT_EQ(view.lines[0].conflicts, conflicts) << text;
  }
}

TEST(SourceView, FactsSayWhatALineExecutedMovedAndWaitedFor) {
  LineProfile line = waits(1, {{"long_scoreboard", 30}, {"selected", 10}});
  line.executed = 1000;
  line.thread_executed = 16000;
  line.global_sectors = 8000;
  line.ideal_global_sectors = 4000;
  const SourceView view = view_of_line(line);
  ASSERT_THAT(view.lines, SizeIs(1));
  EXPECT_THAT(view.lines[0].facts, ElementsAre("1,000 warp instructions, 16.0 of 32 threads active",
                                               "8,000 sectors of global memory, ideally 4,000",
                                               "40 warp samples, 100 % of the launch",
                                               "75 % long_scoreboard: waiting for global or local memory"));
  EXPECT_EQ(view.lines[0].sectors, "8,000  2x");
  EXPECT_FALSE(view.lines[0].conflicts) << "sectors are no wavefronts";
}

TEST(SourceView, ALineThatWasNeverSeenWaitingWaitsForNothing) {
  const SourceView view = view_of_line(waits(1, {{"selected", 10}}));
  EXPECT_EQ(view.lines[0].waits_for, "");
  EXPECT_EQ(view.lines[0].samples, "100 %");
  EXPECT_EQ(view_of_line(executed(1000)).lines[0].samples, "");
  EXPECT_EQ(view_of_line(executed(1000)).lines[0].heat, 0) << "and no division by zero";
}

TEST(SourceView, TheHottestLineIsOneAndOthersAreItsShare) {
  const SourceView view = view_of([](SourceProfile& profile) {
    profile.source = "one\ntwo\nthree\n";
    profile.lines = {waits(1, {{"wait", 40}}), waits(3, {{"wait", 10}})};
  });
  ASSERT_THAT(view.lines, SizeIs(3));
  EXPECT_EQ(view.lines[0].heat, 1);
  EXPECT_EQ(view.lines[1].heat, 0);
  EXPECT_EQ(view.lines[2].heat, 0.25);
  EXPECT_EQ(view.lines[0].samples, "80 %");
  EXPECT_EQ(view.lines[2].samples, "20 %");
}

TEST(SourceView, CodeFromOtherFilesStandsBelowTheSource) {
  const SourceView view =
      view_of([](SourceProfile& profile) { profile.lines.insert(profile.lines.begin(), executed(7)); });
  EXPECT_EQ(view.lines.back().number, 0);
  EXPECT_EQ(view.lines.back().text, "code from other files");
  EXPECT_EQ(view.lines.back().executed, "7");
}

TEST(SourceView, TheSummaryHasTheThreeLongestWaitsAndFactsEndWithNotes) {
  const SourceView view = view_of([](SourceProfile& profile) {
    profile.lines = {waits(2, {{"barrier", 10}, {"wait", 40}, {"drain", 5}, {"selected", 20}}),
                     waits(4, {{"barrier", 20}, {"membar", 5}})};
    profile.notes = {"Wavefronts are not counted on this chip."};
  });
  EXPECT_THAT(view.summary, testing::StartsWith("40 % wait   30 % barrier   5 % "));
  EXPECT_EQ(view.facts.back(), "Wavefronts are not counted on this chip.");
  EXPECT_THAT(view.facts, Contains("100 warp samples, 100 % of the launch"));
}

// The same place of a kernel for which only other launches were looked at.
AppState beside_profiles(const std::vector<Parameters>& looked_at) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  std::uint64_t id = 1;
  for (const Parameters& given : looked_at) {
    land(state, line_profile(counted_point(state, ++id, "transpose_tiled", given)));
  }
  land(state, counted_point(state, 1, "transpose_tiled", {}));
  return state;
}

TEST(SourceView, WithoutCountsPointsToTheNearestLaunchThatHasThem) {
  const AppState state =
      beside_profiles({{{"PAD", 1}, {"TILE", 64}, {"ROWS", 8}}, {{"PAD", 2}}, {{"PAD", 3}, {"ROWS", 8}}});
  const SourceView& view = source_view(state);
  EXPECT_FALSE(view.counted);
  ASSERT_TRUE(view.elsewhere);
  EXPECT_EQ(view.elsewhere->values.at("PAD"), 2);
  EXPECT_THAT(view.notice, HasSubstr("Recorded: padding 2."));
  for (const SourceLine& line : view.lines) {
    EXPECT_THAT(line.facts, IsEmpty());
    EXPECT_EQ(line.heat, 0);
  }
}

TEST(SourceView, SaysThatTheCachesDiffer) {
  AppState state = beside_profiles({{}});
  apply(state, {SetCaches{Caches::warm}});
  Point warm = counted_point(state, 9, "transpose_tiled", {});
  warm.caches = Caches::warm;
  land(state, warm);
  EXPECT_THAT(source_view(state).notice, HasSubstr("Recorded: cold caches."));
}

TEST(SourceView, AProfileThatFailedOrIsOfAnotherGpuIsNoPlaceToGo) {
  AppState state = beside_profiles({});
  SourceProfile failed = line_profile(counted_point(state, 8, "transpose_tiled", {{"PAD", 4}}));
  failed.failure = "The counters are busy.";
  SourceProfile elsewhere = line_profile(counted_point(state, 9, "transpose_tiled", {{"PAD", 5}}));
  elsewhere.gpu = "another GPU";
  land(state, failed);
  land(state, elsewhere);
  EXPECT_FALSE(source_view(state).elsewhere);
  EXPECT_THAT(source_view(state).notice, StartsWith("No line counts are recorded for these dials."));
}

TEST(SourceView, SaysWhyNobodyCanLook) {
  const auto why = [](const AppState& state) { return source_view(state).why_not.value_or("can be counted"); };
  AppState live = live_state();
  EXPECT_EQ(why(live), "Measure this launch first.");
  Point point = counted_point(live, 1, live.choice.kernel, {});
  point.failure = "The launch ran out of time.";
  land(live, point);
  EXPECT_EQ(why(live), "Measure this launch first.");
  land(live, counted_point(live, 2, live.choice.kernel, {}));
  EXPECT_EQ(why(live), "can be counted");
  EXPECT_THAT(why(recorded_state()), HasSubstr("Counting lines needs a live GPU"));
}

// A source was saved that does not compile any more.
AppState broken_source(const std::string& messages) {
  AppState state = live_state();
  state.known.sources["transpose_tiled"] = std::string(20, '\n');
  apply(state, {SelectKernel{"transpose_tiled"}});
  land(state, counted_point(state, 1, "transpose_tiled", {}));
  Point broken = counted_point(state, 2, "transpose_tiled", {});
  broken.failure = "transpose_tiled.cu does not compile:\n" + messages;
  broken.timing.reset();
  broken.counters.reset();
  land(state, broken);
  return state;
}

std::vector<int> lines_with_errors(const SourceView& view) {
  std::vector<int> numbers;
  for (const SourceLine& line : view.lines) {
    numbers.insert(numbers.end(), line.errors.size(), line.number);
  }
  return numbers;
}

TEST(SourceView, ErrorsOfTheCompilerStandAtTheirLines) {
  const AppState state = broken_source(
      "/a/transpose_tiled.cu(12): error: expected a \";\"\n  x\n  ^\n\n"
      "/a/transpose_tiled.cu(12): error: once more\n\n/a/transpose_tiled.cu(9): error: above\n");
  const SourceView& view = source_view(state);
  EXPECT_THAT(lines_with_errors(view), ElementsAre(9, 12, 12));
  EXPECT_EQ(view.failed, 2u);
  EXPECT_EQ(view.notice, "3 errors, the first in line 12: transpose_tiled.cu does not compile.");
}

TEST(SourceView, CountsOfASourceThatWasSavedSinceAreNotShownBesideIt) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  const Point point = counted_point(state, 1, "transpose_tiled", {});
  const SourceProfile profile = line_profile(point);
  state.known.sources["transpose_tiled"] = profile.source;
  land(state, point);
  land(state, profile);
  EXPECT_TRUE(source_view(state).counted);
  state.known.sources["transpose_tiled"] = profile.source + "// saved";
  land(state, counted_point(state, 2, "transpose_tiled", {}));
  EXPECT_FALSE(source_view(state).counted);
}

TEST(SourceView, WhatDoesNotCompileForAPredictedGpuIsMarkedToo) {
  AppState state = state_without_session();
  open(state);
  state.known.sources["transpose_tiled"] = std::string(20, '\n');
  apply(state, {SelectKernel{"transpose_tiled"}});
  ASSERT_EQ(mode(state), Mode::predicted);
  Point broken;
  broken.id = 1;
  broken.kernel = "transpose_tiled";
  broken.gpu = state.choice.gpu;
  broken.parameters = dialled(state);
  broken.failure = "transpose_tiled.cu does not compile:\n/a/transpose_tiled.cu(12): error: expected a \";\"\n";
  land(state, broken);
  EXPECT_THAT(lines_with_errors(source_view(state)), ElementsAre(12));
  EXPECT_EQ(state.derived.shown.subject->point.failure, broken.failure) << "the right column says so";
  broken.id = 2;
  broken.failure.reset();
  land(state, broken);
  EXPECT_THAT(lines_with_errors(source_view(state)), IsEmpty()) << "it compiles again";
}

TEST(SourceView, AFailureThatIsOfNoLineMarksNone) {
  const AppState state = broken_source("ptxas error   : Entry function uses too much shared data");
  EXPECT_THAT(lines_with_errors(source_view(state)), IsEmpty());
  EXPECT_FALSE(source_view(state).failed);
}

}  // namespace
}  // namespace rooftile::scene
