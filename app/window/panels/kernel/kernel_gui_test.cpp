// The left column: the list of kernels, the dials, and what was compiled.
#include "app/scene/chart/chart.hpp"
#include "app/scene/launch/dials.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using testing::HasSubstr;
using testing::Not;

class KernelTest : public GuiTest {
 protected:
  // A wildcard would find only what is not scrolled away.
  std::string in_list(const std::string& name) {
    frame();
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      const std::string_view path = window->Name;
      if (path.starts_with("Kernel/list")) {
        return "//Kernel\\/" + std::string(path.substr(path.find('/') + 1)) + "/" + name;
      }
    }
    return "";
  }
  static std::string option(const Dial& dial, std::size_t index) {
    return "//Kernel/" + dial.name + "/" + dial.options[index].text;
  }
  Dial dial(const std::string& name) {
    return *std::ranges::find(state.derived.shown.dials, name, &Dial::name);
  }
  std::string dial_with_keyboard() { return state.view.dial; }
};

TEST_F(KernelTest, EveryGroupFoldsAndUnfolds) {
  for (const KernelGroup& group : std::vector(state.derived.shown.kernels)) {
    const std::string first = in_list(group.rows.front().name);
    const bool was_open = group.open;
    EXPECT_EQ(shows(first), was_open) << group.title;
    click(in_list(group.title));
    EXPECT_EQ(shows(first), !was_open) << group.title;
    click(in_list(group.title));
    EXPECT_EQ(shows(first), was_open) << group.title;
  }
}

TEST_F(KernelTest, AnyKernelOfTheCatalogueCanBePressed) {
  resize(1280, 960);
  for (const KernelGroup& group : std::vector(state.derived.shown.kernels)) {
    if (!group.open) {
      click(in_list(group.title));
    }
    click(in_list(group.rows.back().name));
    EXPECT_EQ(state.choice.kernel, group.rows.back().name);
    click(in_list(group.title));
  }
}

TEST_F(KernelTest, AProgramsKernelHasItsShapesInPlaceOfDials) {
  for (const int blocks : {64, 128}) {
    Point point = counted_point(state, 1000u + static_cast<unsigned>(blocks), "sgemm_naive", {});
    point.kernel = "mine(float*)";
    point.parameters.clear();
    point.launch = {{blocks, 1, 1}, {256, 1, 1}, 0};
    point.program = ProgramLaunches{10, 0, 1, {1.0 / blocks}, 1};
    if (blocks == 64) {
      point.program->over_time = {{{0}, {10e-6}}, {{0.5}, {20e-6}}};
    }
    land(state, point);
  }
  scene::apply(state, {SelectKernel{"mine(float*)"}});
  const std::string first = "//Kernel/**/(64,1,1)x(256,1,1)", second = "//Kernel/**/(128,1,1)x(256,1,1)";
  EXPECT_EQ(current_point(state)->launch.grid.x, 64);
  EXPECT_THAT(words(), testing::AllOf(HasSubstr("Shapes"), Not(HasSubstr("Dials"))));
  EXPECT_THAT(hint_of(second), HasSubstr("10 launches"));
  click(second);
  EXPECT_EQ(current_point(state)->launch.grid.x, 128);
  click(first);
  EXPECT_EQ(current_point(state)->launch.grid.x, 64);

  click("//Tabs/Launches");
  EXPECT_THAT(words(), HasSubstr("2 of 10 launches"));
  click(second);
  EXPECT_THAT(words(), HasSubstr("No launch of this kernel was traced"));
  click(first);

  const std::string tune = "//Kernel/tune this kernel";
  EXPECT_FALSE(shows(tune)) << "nobody knows how to run the program";
  state.known.session.program.emplace().end = ProgramStatus{};
  EXPECT_THAT(hint_of(tune), HasSubstr("The program runs again"));
  click(tune);
  EXPECT_TRUE(requested<CaptureLaunch>(requests));

  scene::apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(state.view.lower, Panel::points) << "rooftile's own launches have no times of a program";
  EXPECT_FALSE(shows("//Tabs/Launches"));
}

TEST_F(KernelTest, PointingAtAKernelTellsWhatItIs) {
  const KernelRow& row = state.derived.shown.kernels.front().rows.at(1);
  ASSERT_FALSE(row.facts.empty());
  const std::string hint = hint_of(in_list(row.name));
  for (const std::string& fact : row.facts) {
    EXPECT_THAT(hint, HasSubstr(fact));
  }
}

TEST_F(KernelTest, APressOnTheChosenKernelLeavesItsDialsAlone) {
  scene::apply(state, {SetParameter{"TILE", 32}});
  const Choice before = state.choice;
  const std::size_t undoable = state.older_choices.size();
  click(in_list(state.choice.kernel));
  EXPECT_EQ(state.choice, before);
  EXPECT_EQ(state.older_choices.size(), undoable);
}

TEST_F(KernelTest, EachDigitChoosesTheKernelInThatPlaceOfTheOpenGroup) {
  const auto rows = state.derived.shown.kernels.front().rows;
  ASSERT_GE(rows.size(), 9u);
  for (int digit = 9; digit >= 1; --digit) {
    type(ImGuiKey_0 + digit);
    EXPECT_EQ(state.choice.kernel, rows[static_cast<std::size_t>(digit - 1)].name);
  }
}

TEST_F(KernelTest, AChosenKernelIsBroughtIntoView) {
  const std::string first = in_list(state.derived.shown.kernels.front().rows.front().name);
  const float below_list = place_of("//Kernel/TILE/4").Min.y;
  play([&](ImGuiTestContext& user) {
    user.MouseMove(first.c_str());
    user.MouseWheelY(-20);
    user.MouseMoveToPos({640, 300});
  });
  ASSERT_LT(place_of(first).Max.y, layout().left.y) << "scrolled away";
  type(ImGuiKey_1);
  play([](ImGuiTestContext& user) { user.Yield(8); });
  EXPECT_GE(place_of(first).Min.y, layout().left.y);
  EXPECT_LE(place_of(first).Max.y, below_list);
}

TEST_F(KernelTest, EveryDialOffersAllItsValues) {
  state = live_state();
  state.view.more_open = true;
  for (const char* name : {"sgemm_register_2d", "row_softmax", "histogram_shared"}) {
    scene::apply(state, {SelectKernel{name}});
    play([&](ImGuiTestContext& user) {
      for (const Dial& each : state.derived.shown.dials) {
        for (std::size_t i = 0; i < each.options.size(); ++i) {
          EXPECT_TRUE(user.ItemExists(option(each, i).c_str())) << name << " " << option(each, i);
        }
      }
    });
  }
}

TEST_F(KernelTest, APressOnAValueSetsItAndTakesTheKeyboard) {
  state = live_state();
  for (const auto& [name, index] : {std::pair{"PAD_A", 3u}, {"TILE", 1u}, {"PAD_B", 8u}}) {
    const double value = dial(name).options[index].value;
    click(option(dial(name), index));
    EXPECT_EQ(dialled(state).at(name), value);
    EXPECT_EQ(requested<MeasurePlace>(requests)->configuration.parameters.at(name), value);
    EXPECT_EQ(dial_with_keyboard(), name);
  }
}

TEST_F(KernelTest, TheDialWithTheKeyboardHasARing) {
  const Rgb accent = palette(state.settings.theme).accent;
  const int with_ring = inked("Kernel", accent);
  state.view.dial = "";
  EXPECT_GT(with_ring, inked("Kernel", accent));
}

TEST_F(KernelTest, AGreyedValueSaysWhyAndWhereItWasRecorded) {
  scene::apply(state, {SetParameter{"N", 2048}, SetParameter{"TILE", 8}});
  const Dial padding = dial("PAD_A");
  const auto nearest = nearest_recorded(state, "PAD_A", 1);
  ASSERT_TRUE(padding.options[1].why_not && nearest);
  const std::string hint = hint_of(option(padding, 1));
  EXPECT_THAT(hint, HasSubstr(*padding.options[1].why_not));
  EXPECT_THAT(hint, HasSubstr(difference_text(state, *nearest)));
  const std::string nowhere = hint_of(option(padding, 5));
  EXPECT_THAT(nowhere, HasSubstr(*padding.options[5].why_not));
  EXPECT_THAT(nowhere, Not(HasSubstr(difference_text(state, *nearest))));
}

TEST_F(KernelTest, AValueThatIsIllegalSaysSoAndIsNotTaken) {
  state = live_state();
  scene::apply(state, {SelectKernel{"sgemm_tiled_vector"}});
  int greyed = 0;
  for (const Dial& each : std::vector(state.derived.shown.dials)) {
    for (std::size_t i = 0; i < each.options.size() && greyed < 3; ++i) {
      if (each.options[i].why_not && !each.in_more) {
        const Parameters before = dialled(state);
        EXPECT_THAT(hint_of(option(each, i)), HasSubstr(*each.options[i].why_not));
        click(option(each, i));
        EXPECT_EQ(dialled(state), before);
        ++greyed;
      }
    }
  }
  EXPECT_GT(greyed, 0);
}

TEST_F(KernelTest, CachesTurnByTheWheelToo) {
  state = live_state();
  for (const auto& [turn, expected] :
       {std::pair{1.0f, Caches::warm}, {1.0f, Caches::warm}, {-1.0f, Caches::cold}}) {
    play([turn = turn](ImGuiTestContext& user) {
      user.MouseMove("//Kernel/caches/cold");
      user.MouseWheelY(turn);
    });
    EXPECT_EQ(state.choice.caches, expected);
  }
}

TEST_F(KernelTest, MoreDialsFoldAgainAndLeaveTheFirstOnes) {
  const Dial hidden = *std::ranges::find(state.derived.shown.dials, true, &Dial::in_more);
  for (const bool expected : {true, false}) {
    click("//Kernel/more");
    EXPECT_EQ(shows(option(hidden, 0)), expected);
    EXPECT_TRUE(shows(option(dial("TILE"), 0)));
  }
}

TEST_F(KernelTest, WhatWasCompiledIsToldBelowTheDials) {
  resize(1280, 960);
  const std::string seen = words();
  ASSERT_FALSE(state.derived.shown.subject->compiled.empty());
  for (const std::string& line : state.derived.shown.subject->compiled) {
    EXPECT_THAT(seen, HasSubstr(line));
  }
}

}  // namespace
}  // namespace rooftile::window
