// The top bar: mode, GPU, theme, sweep, export.
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

class TopBarTest : public GuiTest {};

AppState predicted_state() {
  AppState state = recorded_state();
  scene::apply(state, {SelectGpu{"RTX 4090"}});
  return state;
}

TEST_F(TopBarTest, EachModeHasItsColourAndSaysWhatItMeans) {
  const Palette& token = palette(Theme::dark);
  const std::tuple<AppState, Mode, Rgb> rows[] = {{live_state(), Mode::live, token.good},
                                                  {recorded_state(), Mode::recorded, token.warn},
                                                  {predicted_state(), Mode::predicted, token.levels[2]}};
  std::set<std::string> meanings;
  for (const auto& [shown, expected, colour] : rows) {
    state = shown;
    EXPECT_EQ(mode(state), expected);
    const ImRect pill = place_of("//Top/mode");
    EXPECT_GT(pixels_of(picture(), colour, {pill.Min.x, pill.Min.y, pill.GetWidth(), pill.GetHeight()}), 60);
    meanings.insert(hint_of("//Top/mode"));
  }
  EXPECT_THAT(meanings, SizeIs(3));
  EXPECT_FALSE(meanings.contains(""));
}

TEST_F(TopBarTest, TheMenuOffersTheMeasuredGpuAndEveryOneOfTheTable) {
  const std::string menu = menu_of("//Top/device");
  EXPECT_THAT(menu, HasSubstr(synthetic_gpu));
  for (const Gpu& each : state.known.gpus) {
    EXPECT_THAT(menu, HasSubstr(each.name));
  }
}

TEST_F(TopBarTest, AGpuMeasuredUnderItsDriversNameIsOfferedOnce) {
  const Gpu h200 = *find_gpu(state.known.gpus, "H200");
  ASSERT_NE(h200.driver_name, h200.name);
  state = live_state();
  SessionLog log = *state.known.session.log;
  log.devices.front().gpu.name = h200.driver_name;
  state.known.session.device = state.choice.gpu = h200.driver_name;
  show(state, std::move(log));
  const std::string menu = menu_of("//Top/device");
  EXPECT_THAT(menu, HasSubstr(h200.driver_name + "\n"));
  EXPECT_THAT(menu, testing::Not(HasSubstr(h200.name + "\n")));
}

TEST_F(TopBarTest, AnotherGpuIsPredictedAndTheMeasuredOneBringsItsPointsBack) {
  const std::vector<std::uint64_t> recorded = state.derived.shown.table.ids;
  choose("//Top/device", "RTX 4090");
  EXPECT_EQ(mode(state), Mode::predicted);
  EXPECT_THAT(state.derived.shown.table.ids, SizeIs(1)) << "what is predicted at these dials";
  EXPECT_THAT(hint_of("//Top/device"), HasSubstr("RTX 4090"));
  choose("//Top/device", synthetic_gpu);
  EXPECT_EQ(mode(state), Mode::recorded);
  EXPECT_EQ(state.derived.shown.table.ids, recorded);
}

TEST_F(TopBarTest, AMenuLeftWithoutAChoiceChangesNothing) {
  const Choice before = state.choice;
  for (const char* menu : {"//Top/device", "//Top/Export"}) {
    play([&](ImGuiTestContext& user) {
      user.ItemClick(menu);
      user.KeyPress(ImGuiKey_Escape);
      EXPECT_FALSE(menu_is_open());
      user.ItemClick(menu);
      EXPECT_TRUE(menu_is_open());
      user.MouseMoveToPos({640, 700});
      user.MouseClick();
      EXPECT_FALSE(menu_is_open());
    });
  }
  EXPECT_EQ(state.choice, before);
  EXPECT_FALSE(state.view.picture_asked);
  EXPECT_FALSE(requested<ExportSession>(requests));
}

TEST_F(TopBarTest, ASweepThatCannotBeSaysWhyAndDoesNothing) {
  state = predicted_state();
  for (Manifest& manifest : state.known.catalogue) {
    manifest.states_work = false;
  }
  scene::apply(state, {SelectKernel{"copy"}, MeasureAgain{}});
  ASSERT_TRUE(state.derived.shown.why_no_sweep);
  EXPECT_THAT(hint_of("//Top/Sweep"), HasSubstr(*state.derived.shown.why_no_sweep));
  click("//Top/Sweep");
  type(ImGuiKey_S);
  EXPECT_FALSE(state.view.sweep_open);
}

TEST_F(TopBarTest, ASweepOfARecordingVisitsEverySettingOfThisSizeAndUndoLeavesThem) {
  scene::apply(state, {SetParameter{"N", 2048}});
  const std::vector<std::uint64_t> before = state.choice.trail;
  click("//Top/Sweep");
  click("//SweepPanel/Show all");
  EXPECT_THAT(swept(requests), SizeIs(0)) << "nothing is launched";
  EXPECT_THAT(state.choice.trail, SizeIs(testing::Gt(before.size())));
  EXPECT_THAT(state.choice.trail, IsSupersetOf(before));
  type(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(state.choice.trail, before);
}

TEST_F(TopBarTest, TheSwitchOfTheThemeNamesTheOtherOne) {
  std::vector<std::string> names;
  for (const Theme expected : {Theme::light, Theme::dark}) {
    names.push_back(hint_of("//Top/theme"));
    click("//Top/theme");
    EXPECT_EQ(state.settings.theme, expected);
  }
  EXPECT_NE(names[0], "");
  EXPECT_NE(names[0], names[1]);
}

TEST_F(TopBarTest, ExportAsksForWhatItsRowSaysAndNothingElse) {
  const std::pair<const char*, scene::Request> rows[] = {{"Picture (PNG)", ExportPicture{}},
                                                         {"Session (JSON lines and CSV)", ExportSession{}}};
  for (const auto& [row, request] : rows) {
    requests = {};
    choose("//Top/Export", row);
    ASSERT_THAT(requests, SizeIs(1)) << row;
    EXPECT_EQ(requests.front().index(), request.index()) << row;
    EXPECT_FALSE(menu_is_open());
  }
}

TEST_F(TopBarTest, ItsPartsStandBesideEachOtherInEveryWindow) {
  const std::vector<const char*> wide{"mode", "device", "theme", "Sweep", "Export"};
  const std::vector<const char*> narrow{"mode", "device", "Sweep", "more"};
  const std::tuple<int, int, float> windows[] = {
      {1280, 800, 1}, {1280, 720, 1.5f}, {800, 600, 1}, {1600, 1000, 1.2f}};
  for (const auto& [width, height, scale] : windows) {
    state.settings.scale = scale;
    resize(width, height);
    float free_from = 0;
    for (const char* item : layout().folded ? narrow : wide) {
      const ImRect place = place_of(std::string("//Top/") + item);
      EXPECT_GE(place.Min.x, free_from) << item << " at " << width << " x " << scale;
      free_from = place.Max.x;
    }
    EXPECT_LE(free_from, static_cast<float>(width));
  }
}

TEST_F(TopBarTest, TheMenuOfTheGpuComparesItWithAnother) {
  EXPECT_THAT(menu_of("//Top/device"), HasSubstr("opens two sessions")) << "there is no other GPU";
  SessionLog log = *state.known.session.log;
  DeviceRecord device = log.devices.front();
  device.gpu.name = "Another GPU";
  log.add(device);
  Point point = *log.points.begin();
  point.id = 1000;
  point.gpu = device.gpu.name;
  log.add(point);
  show(state, std::move(log));
  choose("//Top/device", "compare/Another GPU");
  EXPECT_EQ(state.view.beside, "Another GPU");
  choose("//Top/device", "compare/Another GPU");
  EXPECT_EQ(state.view.beside, "");
}

TEST_F(TopBarTest, AnotherGpuOfTheMachineIsChosenInTheMenu) {
  state = live_state();
  EXPECT_THAT(menu_of("//Top/device"), Not(HasSubstr("GPUs of the machine"))) << "it is the only one";
  SessionLog log = *state.known.session.log;
  log.devices.front().index = 0;
  log.devices.front().machine = {"Test GPU", "Another"};
  show(state, std::move(log));
  EXPECT_THAT(menu_of("//Top/device"), HasSubstr("GPUs of the machine"));
  choose("//Top/device", "1  Another");
  ASSERT_TRUE(requested<UseDevice>(requests));
  EXPECT_EQ(requested<UseDevice>(requests)->index, 1);
}

}  // namespace
}  // namespace rooftile::window
