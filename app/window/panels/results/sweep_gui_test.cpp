// The panel of the sweep, and handing the best on.
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class SweepTest : public GuiTest {
 protected:
  void open_live() {
    state = live_state();
    scene::apply(state, {SelectKernel{"sgemm_tiled"}});
    click("//Top/Sweep");
  }
};

TEST_F(SweepTest, ThePanelSaysHowManyLaunchesItsChipsMake) {
  open_live();
  EXPECT_THAT(words(), HasSubstr("36 launches."));
  click("//SweepPanel/TILE/8");
  EXPECT_THAT(words(), HasSubstr("27 launches."));
  click("//SweepPanel/PAD_B/Padding of B");
  EXPECT_THAT(words(), HasSubstr("243 launches."));
  EXPECT_THAT(swept(requests), SizeIs(0)) << "nothing before Start";
  click("//SweepPanel/compile ahead");
  click("//SweepPanel/Start");
  EXPECT_THAT(swept(requests), SizeIs(243));
}

TEST_F(SweepTest, WhileItRunsItIsPausedAndCancelled) {
  open_live();
  state.known.session.progress = Progress{"sweep", 3, 12};
  state.known.session.time_left = Seconds{4};
  EXPECT_THAT(words(), HasSubstr("4.00 s left"));
  click("//SweepPanel/Pause");
  EXPECT_TRUE(requested<PauseSweep>(requests));
  state.known.session.sweep_paused = true;
  EXPECT_TRUE(shows("//SweepPanel/Go on"));
  click("//SweepPanel/Cancel");
  EXPECT_TRUE(requested<CancelSweep>(requests));
}

TEST_F(SweepTest, OfNothingLegalItSaysWhyAndStartsNothing) {
  open_live();
  scene::apply(state, {SelectKernel{"sgemm_naive"},
                       SetSweep{{"sgemm_naive", {{"BLOCK_X", {256}}, {"BLOCK_Y", {8}}}, true}}});
  EXPECT_THAT(words(), HasSubstr("Nothing to launch."));
  click("//SweepPanel/Start");
  click("//SweepPanel/Find the best");
  EXPECT_THAT(swept(requests), SizeIs(0));
  EXPECT_FALSE(state.known.search);
}

TEST_F(SweepTest, TheBestOfARecordingIsFoundAndItsTriesAreShown) {
  scene::apply(state, {SetParameter{"N", 2048}});
  click("//Top/Sweep");
  click("//SweepPanel/Find the best");
  const std::string seen = words();
  EXPECT_THAT(seen, HasSubstr("Every place was tried."));
  EXPECT_THAT(seen, HasSubstr("predicted"));
  click("//SweepPanel/close");
  EXPECT_FALSE(state.view.sweep_open);
}

TEST_F(SweepTest, TheBestGoesOutFromThePanelAndFromTheMap) {
  const std::pair<const char*, scene::Request> rows[] = {{"C++ header of constants", SaveConstants{}},
                                                         {"JSON", SaveWinner{}}};
  for (const char* place : {"//SweepPanel/export best\u2026", "//Lower/export best\u2026"}) {
    click(std::string(place).starts_with("//Lower") ? "//Tabs/Map" : "//Top/Sweep");
    for (const auto& [row, request] : rows) {
      requests = {};
      choose(place, row);
      ASSERT_THAT(requests, SizeIs(1)) << place << row;
      EXPECT_EQ(requests.front().index(), request.index()) << place << row;
    }
    state.view.sweep_open = false;
  }
}

TEST_F(SweepTest, ItStandsInsideOfEveryWindow) {
  const std::tuple<int, int, float> windows[] = {
      {1600, 960, 1}, {1280, 720, 1}, {1280, 720, 1.5f}, {800, 600, 1}};
  for (const auto& [width, height, scale] : windows) {
    state.settings.scale = scale;
    state.view.sweep_open = false;
    resize(width, height);
    click("//Top/Sweep");
    const ImRect start = place_of("//SweepPanel/Show all");
    EXPECT_GE(start.Min.x, 0) << width;
    EXPECT_LE(start.Max.x, static_cast<float>(width)) << width;
    EXPECT_LE(start.Max.y, static_cast<float>(height)) << height;
  }
}

TEST_F(SweepTest, TheLineThatMeasuresTheBestAgainIsCopied) {
  click("//Top/Sweep");
  ASSERT_TRUE(state.derived.shown.measure_line);
  std::string copied;
  play([&](ImGuiTestContext& user) {
    ImGui::SetClipboardText("something else");
    user.ItemClick("//SweepPanel/export best\u2026");
    user.ItemClick("//$FOCUSED/Copy the line that measures it again");
    copied = ImGui::GetClipboardText();
  });
  EXPECT_EQ(copied, *state.derived.shown.measure_line);
  EXPECT_THAT(copied, testing::StartsWith("rooftile-cli measure"));
}

TEST_F(SweepTest, ItsButtonHasAHintUntilThePanelIsOpen) {
  EXPECT_THAT(hint_of("//Top/Sweep"), HasSubstr("search for the best"));
  click("//Top/Sweep");
  EXPECT_THAT(hint_of("//Top/Sweep"), testing::Not(HasSubstr("search for the best")));
}

}  // namespace
}  // namespace rooftile::window
