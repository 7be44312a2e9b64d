// The right column: the verdict, the occupancy of one SM, and the proof.
#include <imgui_internal.h>  // what a window draws

#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class SideTest : public GuiTest {
 protected:
  // The first line of the panel.
  ImVec2 title_place() {
    const Rect side = layout().side;
    return {side.x + 40, side.y + 20};
  }

  void land_with(const std::function<void(Point&)>& change) {
    state = live_state();
    scene::apply(state, {SelectKernel{"sgemm_tiled"}});
    Point point = counted_point(state, 1, "sgemm_tiled", {{"TILE", 16}});
    change(point);
    land(state, point);
  }

  const Subject& subject() { return *state.derived.shown.subject; }
};

TEST_F(SideTest, TheVerdictStandsAboveItsAdviceWithWhatIsBehindIt) {
  land_with([](Point& point) { point.counters->issue_use = 0.61; });
  const std::string seen = words();
  EXPECT_THAT(seen, HasSubstr(subject().verdict.title));
  EXPECT_THAT(seen, HasSubstr(subject().verdict.grounds));
  const std::string hint = hint_at(title_place());
  ASSERT_THAT(subject().limits, Not(IsEmpty()));
  for (const std::string& limit : subject().limits) {
    EXPECT_THAT(hint, HasSubstr(limit));
  }
}

TEST_F(SideTest, AClickOnTheAdviceSetsTheDials) {
  state = live_state();
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  land(state, counted_point(state, 1, "transpose_tiled", {{"TILE", 32}, {"PAD", 0}}));
  const AdviceInWords advice = *subject().advice;
  EXPECT_THAT(words(), HasSubstr(advice.sentence));
  click("//Side/Set these dials");
  EXPECT_EQ(scene::dialled(state), advice.advice.move->place);
  land(state, counted_point(state, 2, "transpose_tiled", advice.advice.move->place));
  EXPECT_THAT(words(), HasSubstr(subject().outcome->sentence));
}

TEST_F(SideTest, TheTabBelowSaysWhyTheTimeMoved) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}, SetParameter{"PAD", 1}});
  click("//Tabs/Why");
  const std::string seen = words();
  EXPECT_THAT(seen, HasSubstr(subject().why->sentence));
  for (const WhyBar& bar : subject().why->bars) {
    EXPECT_THAT(seen, HasSubstr(bar.name));
  }
}

TEST_F(SideTest, WhatIsPredictedHasNothingBehindItsVerdict) {
  scene::apply(state, {SelectKernel{"sgemm_naive"}});
  ASSERT_THAT(subject().limits, IsEmpty());
  EXPECT_EQ(hint_at(title_place()), "");
}

TEST_F(SideTest, AFailureSaysWhyInItsColour) {
  const Rgb bad = palette(state.settings.theme).bad;
  EXPECT_EQ(inked("Side", bad), 0);
  land_with([](Point& point) { point.failure = "An illegal address was read."; });
  EXPECT_GT(inked("Side", bad), 0);
  EXPECT_THAT(words(), HasSubstr("An illegal address was read."));
}

TEST_F(SideTest, EveryLevelInUseHasABarInItsColour) {
  ASSERT_THAT(subject().shares, testing::SizeIs(testing::Ge(4u)));
  for (const ShareBar& bar : subject().shares) {
    const Palette& token = palette(state.settings.theme);
    const Rgb colour = bar.level ? token.level(*bar.level) : token.compute;
    EXPECT_EQ(inked("Side", colour) > 0, bar.share > 0) << bar.label;
  }
}

TEST_F(SideTest, AShareAboveItsRoofIsWrittenInTheColourOfWhatIsWrong) {
  land_with([](Point&) {});
  EXPECT_EQ(inked("Side", palette(state.settings.theme).bad), 0);
  land_with([](Point& point) { point.timing->median = 0.5 * point.timing->median; });
  const auto flagged =
      std::ranges::find_if(subject().shares, [](const ShareBar& bar) { return !bar.flag.empty(); });
  ASSERT_NE(flagged, subject().shares.end());
  EXPECT_GT(inked("Side", palette(state.settings.theme).bad), 0);
  EXPECT_THAT(words(), HasSubstr(flagged->flag));
}

TEST_F(SideTest, TheIntensityStandsAboveTheSharesThatOfEveryLevelIsItsHint) {
  land_with([](Point&) {});
  ASSERT_NE(subject().intensity, "");
  EXPECT_THAT(words(), HasSubstr("Intensity " + subject().intensity));
}

// Each resident block has a part of the bar that binds.
TEST_F(SideTest, TheBarThatBindsHasAPartForEachResidentBlock) {
  const auto binding = [&] {
    int parts = 0;
    for (const SmResource& resource : subject().occupancy->resources) {
      parts += resource.binds ? resource.blocks : 0;
    }
    return parts;
  };
  const auto corners = [&] {
    const Rgb warn = palette(state.settings.theme).warn;
    state.view.side = Panel::proof;
    const int without = inked("Side", warn);
    state.view.side = Panel::occupancy;
    return inked("Side", warn) - without;
  };
  land_with([](Point& point) { point.compiled->registers = 32; });
  const int some = binding(), some_corners = corners();
  land_with([](Point& point) { point.compiled->registers = 64; });
  const int fewer = binding(), fewer_corners = corners();
  ASSERT_LT(fewer, some);
  EXPECT_GT(fewer_corners, 0);
  EXPECT_EQ(some_corners * fewer, fewer_corners * some) << some << " and " << fewer << " parts";
}

TEST_F(SideTest, ARowOfTheSmSaysWhatIsRoundedAwayAndStaysEmpty) {
  land_with([](Point& point) { point.compiled->registers = 33; });
  const std::string hint = hint_of("//Side/##Registers");
  EXPECT_THAT(hint, HasSubstr("rounded up"));
  EXPECT_THAT(hint, HasSubstr("stay empty"));
}

TEST_F(SideTest, BothOccupanciesSayWhatTheyAreAShareOf) {
  land_with([](Point&) {});
  EXPECT_THAT(hint_of("//Side/##Theoretical"), HasSubstr("Warps of the blocks that fit one SM"));
  EXPECT_THAT(hint_of("//Side/##Achieved"), HasSubstr("Counted."));
}

TEST_F(SideTest, TheOccupancyIsToldInWordsWithTheNextCliff) {
  land_with([](Point&) {});
  const std::string seen = words();
  EXPECT_THAT(seen, HasSubstr(subject().occupancy->sentence));
  ASSERT_NE(subject().occupancy->cliff, "");
  EXPECT_THAT(seen, HasSubstr(subject().occupancy->cliff));
}

TEST_F(SideTest, WhatIsNotCompiledHasNoOccupancyYet) {
  land_with([](Point& point) { point.compiled.reset(); });
  EXPECT_FALSE(subject().occupancy);
  EXPECT_THAT(words(), HasSubstr("compiled"));
}

TEST_F(SideTest, WhatDoesNotCompileIsNotBeingCompiled) {
  land_with([](Point& point) {
    point.compiled.reset();
    point.failure = "sgemm_tiled.cu does not compile.";
  });
  EXPECT_THAT(words(), Not(HasSubstr("is being compiled")));
}

// The corners of what the panel draws in this colour lie between two heights.
std::pair<float, float> heights_of(const char* window, Rgb colour) {
  std::pair heights{1e9f, -1e9f};
  for (const ImDrawVert& corner : ImGui::FindWindowByName(window)->DrawList->VtxBuffer) {
    if ((corner.col & ~IM_COL32_A_MASK) == (ink(colour) & ~IM_COL32_A_MASK)) {
      heights = {std::min(heights.first, corner.pos.y), std::max(heights.second, corner.pos.y)};
    }
  }
  return heights;
}

TEST_F(SideTest, ALongNameOfALevelDoesNotRunIntoItsFigure) {
  ShareBar bar{
      "Distributed shared memory of a cluster", MemoryLevel::distributed, "1,234 GB/s", "103 %", 1, false, ""};
  bar.binds = true;
  bar.flag = "Above it.";
  state.derived.shown.subject = Subject{};
  state.derived.shown.subject->verdict.title = "";
  state.derived.shown.subject->shares = {bar};
  frame();
  frame();
  const Palette& token = palette(state.settings.theme);
  EXPECT_LE(heights_of("Side", token.text).first + 12, heights_of("Side", token.bad).first) << "the line below";
  state.derived.shown.subject->shares.front().label = "DRAM";
  frame();
  EXPECT_GT(heights_of("Side", token.text).first + 12, heights_of("Side", token.bad).first) << "the same line";
}

TEST_F(SideTest, EveryCheckAndEveryNoteStandsInTheProof) {
  land_with([](Point& point) { point.notes = {"The clock fell during the launch."}; });
  state.view.side = Panel::proof;
  const std::string seen = words();
  ASSERT_THAT(subject().checks, Not(IsEmpty()));
  for (const Check& check : subject().checks) {
    EXPECT_THAT(seen, HasSubstr(check.sentence));
  }
  EXPECT_THAT(seen, HasSubstr("The clock fell during the launch."));
}

TEST_F(SideTest, ACheckThatFailsIsMarkedAndTheOthersStayGood) {
  const Palette& token = palette(state.settings.theme);
  const auto marks = [&](Check::State wanted) {
    return std::ranges::count(subject().checks, wanted, &Check::state);
  };
  for (const bool broken : {false, true}) {
    land_with([&](Point& point) { *point.counters->ffma *= broken ? 1.5 : 1; });
    state.view.side = Panel::proof;
    EXPECT_EQ(marks(Check::State::failed) > 0, broken);
    EXPECT_EQ(inked("Side", token.bad) > 0, broken);
    EXPECT_GT(inked("Side", token.good), 0);
  }
}

TEST_F(SideTest, ALowWindowHasOccupancyAndProofAsTabsAHighOneBoth) {
  const auto parts = [&] {
    const std::string seen = words();
    return std::pair(seen.find(subject().occupancy->sentence) != std::string::npos,
                     seen.find(subject().checks.front().sentence) != std::string::npos);
  };
  EXPECT_EQ(parts(), std::pair(true, false));
  click("//Side/Proof");
  EXPECT_EQ(parts(), std::pair(false, true));
  click("//Side/Occupancy of one SM");
  EXPECT_EQ(parts(), std::pair(true, false));
  resize(1280, 960);
  EXPECT_EQ(parts(), std::pair(true, true));
  EXPECT_FALSE(shows("//Side/Proof"));
}

TEST_F(SideTest, IllegalDialsHaveAHintInsteadOfAVerdict) {
  const std::string before = subject().verdict.title;
  state.derived.shown.subject.reset();
  EXPECT_THAT(words(), testing::AllOf(Not(HasSubstr(before)), HasSubstr("legal")));
}

}  // namespace
}  // namespace rooftile::window
