// The bottom line, and what stands for it over the chart of a small window.
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using testing::HasSubstr;
using testing::Not;

class StatusTest : public GuiTest {
 protected:
  void fold() { state.settings.scale = 1.6f; }

  // The beginning of the line, where a message stands.
  ImVec2 message_place() {
    const Layout now = layout();
    const Rect place = now.folded ? now.message : now.status;
    return {place.x + 30 * state.settings.scale, place.y + 16 * state.settings.scale};
  }

  void add_facility(const Facility& facility) {
    SessionLog log = *state.known.session.log;
    log.header.facilities.push_back(facility);
    show(state, std::move(log));
  }

  bool scrolls() {
    bool bar = false;
    play([&](ImGuiTestContext& user) {
      user.Yield(2);
      const ImGuiWindow* line = user.GetWindowByRef("//Status");
      bar = line && (line->ScrollbarX || line->ScrollbarY);
    });
    return bar;
  }

  int pixels_of_the_keys() {
    const Rect place = layout().status;
    return pixels_of(picture(), palette(state.settings.theme).dim,
                     {place.right() - 200, place.y, 180, place.height});
  }

  int pixels_of_the_bar() {
    const Rect place = layout().status;
    return pixels_of(picture(), palette(state.settings.theme).accent,
                     {place.x, place.y, place.width / 2, place.height});
  }
};

const Facility refused{"counters", Facility::State::refused, "No counters here.", "Ask the administrator.",
                       "driver 570"};

TEST_F(StatusTest, AMessageOfSeveralLinesIsReadLineByLine) {
  tell(state, Message::Kind::wrong, "mine.cu(3): error: expected a \";\"\n    x = 1\n         ^");
  for (const bool small : {false, true}) {
    if (small) {
      fold();
    }
    EXPECT_THAT(words(), testing::AllOf(HasSubstr("expected a \";\"\n"), HasSubstr("x = 1\n"))) << small;
    click_at({layout().chart.x + 60, layout().chart.bottom() - 30});
    EXPECT_EQ(state.view.message.has_value(), false) << "a click closes it";
    tell(state, Message::Kind::wrong, "mine.cu(3): error: expected a \";\"\n    x = 1\n         ^");
  }
}

TEST_F(StatusTest, SaysHowLongEachPhaseOfTheLaunchTook) {
  const std::string seen = words();
  Seconds sum;
  for (const Phase& phase : current_point(state)->phases) {
    EXPECT_THAT(seen, HasSubstr(phase.name + " " + text(phase.duration)));
    sum += phase.duration;
  }
  EXPECT_THAT(seen, HasSubstr(text(sum)));
}

TEST_F(StatusTest, WhatIsMoreUrgentStandsInFrontOfTheRest) {
  state = live_state();
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  const std::string phase = state.derived.shown.subject->point.phases.front().name + " ";
  EXPECT_THAT(words(), HasSubstr(phase));
  add_facility(refused);
  EXPECT_THAT(words(), testing::AllOf(HasSubstr(refused.sentence), Not(HasSubstr(phase))));
  tell(state, Message::Kind::wrong, "It fell over.");
  EXPECT_THAT(words(), testing::AllOf(HasSubstr("It fell over."), Not(HasSubstr(refused.sentence))));
  state.known.session.progress = Progress{"sweep", 3, 12};
  EXPECT_THAT(words(), testing::AllOf(HasSubstr("3 of 12"), Not(HasSubstr("It fell over."))));
}

TEST_F(StatusTest, AProgramSaysHowFarItIsAndRunsAgainByAPress) {
  ProgramView& program = state.known.session.program.emplace();
  program.name = "python3";
  program.started = true;
  program.totals.launches = 312;
  EXPECT_THAT(words(), HasSubstr("python3: 312 launches seen"));
  EXPECT_FALSE(shows("//Status/run again"));
  program.end = ProgramStatus{7, ""};
  EXPECT_THAT(words(), Not(HasSubstr("python3"))) << "a kernel of another kind is looked at";
  Point point = counted_point(state, 1000, "sgemm_naive", {});
  point.kernel = "mine(float*)";
  point.parameters.clear();
  point.program = ProgramLaunches{312, 0, 1, {0.5}, 1};
  land(state, point);
  scene::apply(state, {SelectKernel{point.kernel}});
  EXPECT_THAT(words(), HasSubstr("python3 ended with status 7"));
  click("//Status/run again");
  EXPECT_TRUE(requested<RunProgram>(requests));
  program.end.reset();
  program.capture = ProgramCapture{"mine(float*)"};
  EXPECT_THAT(words(), HasSubstr("until the same launch of mine is captured"));
  click("//Status/end it");
  EXPECT_TRUE(requested<EndProgram>(requests));
}

TEST_F(StatusTest, WhatTheDeviceLacksComesWithItsRemedy) {
  state = live_state();
  add_facility({"compiler", Facility::State::ready, "A compiler answers.", "", ""});
  EXPECT_THAT(words(), Not(HasSubstr("A compiler answers.")));
  add_facility(refused);
  const std::string hint = hint_at(message_place());
  EXPECT_THAT(hint, HasSubstr(refused.fix));
  EXPECT_THAT(hint, HasSubstr(refused.detail));
}

TEST_F(StatusTest, ARecordingSaysNothingOfTheDeviceItCameFrom) {
  add_facility(refused);
  EXPECT_THAT(words(), Not(HasSubstr(refused.sentence)));
}

TEST_F(StatusTest, AMessageGoesByAClickEscapeOrTheNextMove) {
  const std::pair<const char*, std::function<void()>> ways[] = {
      {"click", [&] { click_at(message_place()); }},
      {"Escape", [&] { type(ImGuiKey_Escape); }},
      {"a move", [&] { type(ImGuiKey_LeftArrow); }},
  };
  for (const auto& [name, way] : ways) {
    scene::apply(state, {EndOfDial{"TILE", true}});
    tell(state, Message::Kind::done, "Saved picture.png");
    EXPECT_THAT(words(), HasSubstr("Saved picture.png")) << name;
    way();
    EXPECT_FALSE(state.view.message) << name;
    EXPECT_THAT(words(), Not(HasSubstr("Saved picture.png"))) << name;
  }
}

TEST_F(StatusTest, ALongMessageTakesThePlaceOfTheKeysAndIsWholeOnHover) {
  EXPECT_GT(pixels_of_the_keys(), 0);
  std::string sentence = "Left out:";
  for (int line = 1; line <= 60; ++line) {
    sentence += " line " + std::to_string(line) + ",";
  }
  tell(state, Message::Kind::wrong, sentence);
  const std::string seen = words();
  EXPECT_THAT(seen, HasSubstr("Left out: line 1,"));
  EXPECT_THAT(seen, Not(HasSubstr("line 60,")));
  EXPECT_EQ(pixels_of_the_keys(), 0);
  EXPECT_THAT(hint_at(message_place()), HasSubstr("line 60,"));
}

TEST_F(StatusTest, AMessageOfManyLinesShowsItsFirstAndIsWholeOnHoverInWindowsOfAllSizes) {
  for (const float scale : {1.0f, 1.6f, 2.0f}) {
    state.settings.scale = scale;
    tell(state, Message::Kind::wrong, "mine.cu does not compile:\nline 3: error\nline 9: another error");
    EXPECT_FALSE(scrolls()) << scale;
    EXPECT_THAT(words(), HasSubstr("mine.cu does not compile:")) << scale;
    EXPECT_THAT(words(), Not(HasSubstr("compile: line 3"))) << scale;
    EXPECT_THAT(hint_at(message_place()), HasSubstr("line 9: another error")) << scale;
  }
}

TEST_F(StatusTest, WhatWentWrongHasTheColourOfIt) {
  const Rgb bad = palette(state.settings.theme).bad;
  tell(state, Message::Kind::done, "The session was saved.");
  EXPECT_EQ(inked("Status", bad), 0);
  tell(state, Message::Kind::wrong, "The session was not saved.");
  EXPECT_GT(inked("Status", bad), 0);
}

TEST_F(StatusTest, TheBarGrowsWithTheSweep) {
  state = live_state();
  std::vector<int> lengths;
  for (const int done : {3, 6, 12}) {
    state.known.session.progress = Progress{"sweep", done, 12};
    lengths.push_back(pixels_of_the_bar());
  }
  state.known.session.progress = Progress{"sweep", 0, 0};
  const int only_words = pixels_of_the_bar();
  EXPECT_GT(lengths[0], only_words + 50);
  EXPECT_NEAR(lengths[1] - only_words, 2 * (lengths[0] - only_words), 40);
  EXPECT_NEAR(lengths[2] - only_words, 4 * (lengths[0] - only_words), 80);
}

TEST_F(StatusTest, TheTimeThatIsLeftIsToldWhereItIsKnown) {
  state = live_state();
  state.known.session.progress = Progress{"sweep", 3, 12};
  EXPECT_THAT(words(), Not(HasSubstr(text(Seconds{42}))));
  state.known.session.time_left = Seconds{42};
  EXPECT_THAT(words(), HasSubstr(text(Seconds{42})));
}

TEST_F(StatusTest, ASmallWindowShowsTheLineOnlyWhileThereIsNews) {
  fold();
  const auto has_line = [&] {
    bool active = false;
    play([&](ImGuiTestContext& user) {
      user.Yield(2);
      const ImGuiWindow* line = user.GetWindowByRef("//Status");
      active = line && line->Active;
    });
    return active;
  };
  EXPECT_FALSE(has_line());
  tell(state, Message::Kind::done, "Saved picture.png");
  EXPECT_TRUE(has_line());
  click_at(message_place());
  EXPECT_FALSE(state.view.message);
  EXPECT_FALSE(has_line());
}

}  // namespace
}  // namespace rooftile::window
