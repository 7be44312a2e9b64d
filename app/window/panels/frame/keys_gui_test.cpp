// The keyboard.
#include <cmath>

#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

TEST_F(GuiTest, AHeldKeyOpensThePanelOfTheSweepOnce) {
  state = live_state();
  play([&](ImGuiTestContext& user) { user.KeyHold(ImGuiKey_S, 1); });
  EXPECT_TRUE(state.view.sweep_open);
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_S); });
  EXPECT_FALSE(state.view.sweep_open);
}

TEST_F(GuiTest, AHeldArrowMovesTheDialAllTheWay) {
  play([&](ImGuiTestContext& user) {
    user.KeyPress(ImGuiKey_Home);
    user.KeyHold(ImGuiKey_RightArrow, 1);
  });
  EXPECT_EQ(dialled(state).at("TILE"), 32);
}

TEST_F(GuiTest, FractionsOfTheWheelAddUpToAStep) {
  const auto turn = [&](float by) {
    play([&](ImGuiTestContext& user) {
      user.MouseMove("//Kernel/TILE/8");
      user.MouseWheelY(by);
    });
  };
  scene::apply(state, {SetParameter{"TILE", 4}});
  turn(0.4f);
  EXPECT_EQ(dialled(state).at("TILE"), 4);
  turn(0.4f);
  turn(0.4f);
  EXPECT_EQ(dialled(state).at("TILE"), 8);
}

TEST_F(GuiTest, Control0BringsBackTheSizeTheDisplayAsksFor) {
  state.display_scale = 1.25f;
  play([&](ImGuiTestContext& user) {
    user.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus);
    user.KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
  });
  EXPECT_EQ(state.settings.scale, 1.25f);
}

TEST_F(GuiTest, TheWindowNeverOutgrowsItsPanels) {
  play([&](ImGuiTestContext& user) {
    for (int i = 0; i < 12; ++i) {
      user.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    }
  });
  EXPECT_EQ(state.settings.scale, 2) << "a window of 1280 x 800 holds no more";
}

TEST_F(GuiTest, EscapeClosesAMenuAndNothingElse) {
  state.view.keys_open = true;
  play([&](ImGuiTestContext& user) {
    user.KeyPress(ImGuiKey_Escape);
    user.ItemClick("//Top/Export");
    EXPECT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    user.KeyPress(ImGuiKey_Escape);
    EXPECT_FALSE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
  });
  EXPECT_FALSE(state.view.keys_open);
}

TEST_F(GuiTest, AKeyTypedIntoAnOpenMenuDoesNothingBehindIt) {
  state = live_state();
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Top/Export");
    user.KeyPress(ImGuiKey_S);
  });
  EXPECT_FALSE(state.view.sweep_open);
}

TEST_F(GuiTest, EachKeyDoesWhatTheListSays) {
  state = live_state();
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  const std::string first_dial = state.view.dial;
  const Axes fitted = state.view.axes;
  struct Row {
    ImGuiKeyChord key;
    std::function<bool()> holds;
  };
  const Row rows[] = {
      {ImGuiKey_T, [&] { return state.settings.theme == Theme::light; }},
      {ImGuiKey_T, [&] { return state.settings.theme == Theme::dark; }},
      {ImGuiKey_A, [&] { return !state.settings.animate; }},
      {ImGuiKey_A, [&] { return state.settings.animate; }},
      {ImGuiKey_Enter, [&] { return swept(requests).empty(); }},  // nothing is open yet
      {ImGuiKey_S, [&] { return state.view.sweep_open; }},
      {ImGuiKey_Enter, [&] { return swept(requests).size() > 1; }},
      {ImGuiKey_S, [&] { return !state.view.sweep_open; }},
      {ImGuiKey_E, [&] { return requested<ExportPicture>(requests) && !state.view.picture_asked; }},
      {ImGuiKey_Space,
       [&] {
         return requested<MeasurePlace>(requests) &&
                requested<MeasurePlace>(requests)->configuration.parameters == dialled(state);
       }},
      {ImGuiKey_F,
       [&] {
         return state.view.axes.x_min > 0 && state.view.axes != Axes{1, 2, 1, 2};
       }},
      {ImGuiKey_DownArrow, [&] { return state.view.dial != first_dial; }},
      {ImGuiKey_UpArrow, [&] { return state.view.dial == first_dial; }},
      {ImGuiKey_UpArrow, [&] { return state.view.dial != first_dial; }},
      {ImGuiKey_Tab, [&] { return state.view.dial == first_dial; }},
      {ImGuiKey_P, [&] { return state.choice.pinned.contains(1); }},
      {ImGuiKey_Delete, [&] { return state.derived.shown.table.ids.empty(); }},
      {ImGuiMod_Ctrl | ImGuiKey_Z, [&] { return state.derived.shown.table.ids.size() == 1; }},
      {ImGuiMod_Ctrl | ImGuiKey_Equal, [&] { return state.settings.scale > 1.05f; }},
      {ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract, [&] { return std::abs(state.settings.scale - 1) < 1e-5f; }},
      {ImGuiMod_Ctrl | ImGuiKey_Minus, [&] { return state.settings.scale < 0.95f; }},
      {ImGuiMod_Ctrl | ImGuiKey_KeypadAdd, [&] { return std::abs(state.settings.scale - 1) < 1e-5f; }},
  };
  state.view.axes = {1, 2, 1, 2};
  for (const auto& [key, holds] : rows) {
    type(key);
    EXPECT_TRUE(holds()) << ImGui::GetKeyChordName(key);
  }
  EXPECT_EQ(state.view.axes, fitted);
}

TEST_F(GuiTest, WithControlALetterDoesNothing) {
  state = live_state();
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  const Choice choice = state.choice;
  const Settings settings = state.settings;
  for (const ImGuiKey key : {ImGuiKey_S, ImGuiKey_T, ImGuiKey_A, ImGuiKey_E, ImGuiKey_P, ImGuiKey_Delete,
                             ImGuiKey_1, ImGuiKey_End, ImGuiKey_Space}) {
    type(ImGuiMod_Ctrl | key);
  }
  EXPECT_EQ(state.choice, choice);
  EXPECT_EQ(state.settings, settings);
  EXPECT_TRUE(!state.view.sweep_open && !requested<MeasurePlace>(requests) &&
              !requested<ExportPicture>(requests));
}

TEST_F(GuiTest, WithoutAMeasuredPointThereIsNothingToPinOrRemove) {
  state = live_state();
  const Choice before = state.choice;
  type(ImGuiKey_P);
  type(ImGuiKey_Delete);
  EXPECT_EQ(state.choice, before);
  EXPECT_TRUE(state.older_choices.empty());
}

TEST_F(GuiTest, UndoGoesBackStepByStepAndEndsAtTheFirst) {
  std::vector<Choice> choices{state.choice};
  for (const ImGuiKey key : {ImGuiKey_Home, ImGuiKey_End, ImGuiKey_2, ImGuiKey_1}) {
    type(key);
    choices.push_back(state.choice);
  }
  for (std::size_t i = choices.size() - 1; i > 0; --i) {
    type(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(state.choice, choices[i - 1]) << "step " << i;
  }
  type(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(state.choice, choices.front());
}

TEST_F(GuiTest, APresentationIsTheChartAloneWhoseLaunchIsGuessedFirst) {
  const float scale = state.settings.scale;
  type(ImGuiKey_V);
  ASSERT_TRUE(state.view.presentation);
  EXPECT_GT(state.settings.scale, 1.5f * scale);
  EXPECT_FALSE(shows("//Top/Lessons"));
  EXPECT_FALSE(shows("//Rail/points"));
  type(ImGuiKey_H);
  EXPECT_FALSE(state.derived.shown.subject);
  EXPECT_TRUE(state.derived.shown.chart.rows.empty());
  type(ImGuiKey_End);
  EXPECT_FALSE(state.derived.shown.subject) << "the next launch is guessed, too";
  type(ImGuiKey_H);
  EXPECT_TRUE(state.derived.shown.subject);
  const int red = pixels_of(picture(), palette(state.settings.theme).bad, whole(picture()));
  type(ImGuiKey_L);
  play([](ImGuiTestContext& user) { user.MouseMoveToPos({600, 300}); });
  EXPECT_GT(pixels_of(picture(), palette(state.settings.theme).bad, whole(picture())), red + 100);
  type(ImGuiKey_V);
  EXPECT_FALSE(state.view.presentation);
  EXPECT_EQ(state.settings.scale, scale);
  EXPECT_TRUE(shows("//Top/Lessons"));
}

TEST_F(GuiTest, TheTimerOfAPresentationBeginsAgain) {
  type(ImGuiKey_V);
  state.view.presentation->began = state.now - 75;
  frame();
  EXPECT_EQ(seconds_presented(state, state.now), 75);
  type(ImGuiKey_R);
  EXPECT_LT(seconds_presented(state, state.now), 2);
}

TEST_F(GuiTest, TheListOfKeysClosesByTheSameKeyOrAClickAnywhere) {
  const auto ask = [&] {
    play([](ImGuiTestContext& user) {
      user.KeyChars("?");
      user.Yield(2);
    });
  };
  ask();
  EXPECT_TRUE(state.view.keys_open);
  ask();
  EXPECT_FALSE(state.view.keys_open);
  ask();
  click_at({640, 400});
  EXPECT_FALSE(state.view.keys_open);
}

TEST_F(GuiTest, APresentationIsFrozenByKey) {
  type(ImGuiKey_Z);
  type(ImGuiKey_V);
  EXPECT_FALSE(is_frozen(state));
  type(ImGuiKey_Z);
  EXPECT_TRUE(is_frozen(state));
  type(ImGuiKey_Z);
  EXPECT_FALSE(is_frozen(state));
}

TEST_F(GuiTest, TheListOfKeysLeadsToTheLicences) {
  state.view.keys_open = true;
  click("//Keys/Licences");
  EXPECT_TRUE(requested<ShowLicences>(requests));
}

}  // namespace
}  // namespace rooftile::window
