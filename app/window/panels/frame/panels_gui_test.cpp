// Mouse and keys of a user, and what is then on the screen.
#include <cmath>

#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

double standing_at(const AppState& state, const std::string& name) {
  return dialled(state).at(name);
}

TEST_F(GuiTest, ACellOfTheMapRingsItsDotsAndLeadsToItsLaunch) {
  click("//Tabs/Map");
  const Landscape& map = state.derived.shown.landscape;
  const auto other =
      std::ranges::find_if(map.cells, [](const MapCell& cell) { return cell.launch && !cell.present; });
  ASSERT_NE(other, map.cells.end());
  const std::uint64_t launch = *other->launch;
  const std::string item = "//Lower/$$" + std::to_string(other - map.cells.begin()) + "/cell";
  play([&](ImGuiTestContext& user) {
    user.MouseMove(item.c_str());
    user.Yield(2);
  });
  EXPECT_EQ(state.view.pointed, launch);
  click(item);
  EXPECT_EQ(current_point(state)->id, launch);
  play([](ImGuiTestContext& user) { user.MouseMoveToPos({2, 2}); });
  EXPECT_FALSE(state.view.pointed);
}

TEST_F(GuiTest, ALowWindowKeepsTheFiguresOfTheMap) {
  resize(1280, 720);
  click("//Tabs/Map");
  EXPECT_GE(place_of("//Lower/$$0/cell").GetHeight(), 15) << "pixels; a figure has 14";
}

TEST_F(GuiTest, TheMapShowsWhatItsMenusSay) {
  click("//Tabs/Map");
  choose("//Lower/colour/colour: time", "registers");
  EXPECT_EQ(state.derived.shown.landscape.choice.metric, MapMetric::registers);
  choose("//Lower/across/across: Padding of A", "Padding of B");
  EXPECT_EQ(state.derived.shown.landscape.across.parameter, "PAD_B");
  choose("//Lower/across/across: Padding of B", "Tile");
  EXPECT_EQ(state.derived.shown.landscape.across.parameter, "TILE");
  EXPECT_EQ(state.derived.shown.landscape.down.parameter, "PAD_B") << "they change places";
}

TEST_F(GuiTest, BesideTheMapOccupancyStandsAgainstSpeed) {
  resize(1600, 1000);
  click("//Tabs/Map");
  click("//Lower/occupancy against speed");
  EXPECT_TRUE(state.view.map.scatter);
  EXPECT_FALSE(state.derived.shown.landscape.scatter.empty());
  choose("//Lower/colour/colour: time", "measured \\/ predicted");
  EXPECT_EQ(state.derived.shown.landscape.unit, "x");
  resize(1280, 720);  // where a menu below would leave the window
  choose("//Lower/colour/colour: measured \\/ predicted", "hit rate of L1");
  EXPECT_EQ(state.derived.shown.landscape.choice.metric, MapMetric::l1_hits);
}

TEST_F(GuiTest, AnotherGpuHasItsLineBesideTheChosenOne) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Tabs/Occupancy");
    user.ItemClick("//Lower/compare with");
    user.ItemClick("//$FOCUSED/T4");
    user.KeyPress(ImGuiKey_Escape);
  });
  EXPECT_EQ(state.view.lower, Panel::curves);
  EXPECT_EQ(state.view.compared, std::vector<std::string>{"T4"});
  EXPECT_THAT(words(), testing::HasSubstr("T4"));
  for (const OccupancyPlot& plot : state.derived.shown.subject->occupancy_plots) {
    EXPECT_EQ(plot.lines.back().gpu, "T4");
  }
}

// Input.

TEST_F(GuiTest, AClickOnTheDialMovesItAndSelectsTheRecordedPoint) {
  play([&](ImGuiTestContext& user) { user.ItemClick("//Kernel/TILE/32"); });
  EXPECT_EQ(standing_at(state, "TILE"), 32);
  EXPECT_EQ(current_point(state)->parameters.at("TILE"), 32);
  play([&](ImGuiTestContext& user) { user.ItemClick("//Kernel/TILE/4"); });
  EXPECT_EQ(current_point(state)->parameters.at("TILE"), 4);
}

TEST_F(GuiTest, AClickOnAGreyedValueDoesNothing) {
  const double before = standing_at(state, "TILE");
  play([&](ImGuiTestContext& user) { user.ItemClick("//Kernel/TILE/16"); });
  EXPECT_EQ(standing_at(state, "TILE"), before);
}

TEST_F(GuiTest, DraggingMovesTheDialAllTheWay) {
  play([&](ImGuiTestContext& user) {
    user.MouseMove("//Kernel/TILE/4");
    user.MouseDown();
    user.MouseMove("//Kernel/TILE/32", ImGuiTestOpFlags_NoCheckHoveredId);
    user.MouseUp();
  });
  EXPECT_EQ(standing_at(state, "TILE"), 32);
}

TEST_F(GuiTest, TheWheelTurnsTheDialUnderThePointer) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Kernel/TILE/8");
    user.MouseWheelY(1);
  });
  EXPECT_EQ(standing_at(state, "TILE"), 32);
}

TEST_F(GuiTest, ArrowsHomeAndEndMoveTheDial) {
  play([&](ImGuiTestContext& user) {
    user.KeyPress(ImGuiKey_Home);
    user.KeyPress(ImGuiKey_RightArrow);
  });
  EXPECT_EQ(standing_at(state, "TILE"), 8);
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_End); });
  EXPECT_EQ(standing_at(state, "TILE"), 32);
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_LeftArrow); });
  EXPECT_EQ(standing_at(state, "TILE"), 8);
}

TEST_F(GuiTest, TabTakesTheKeyboardToTheNextDial) {
  play([&](ImGuiTestContext& user) {
    user.KeyPress(ImGuiKey_End);
    user.KeyPress(ImGuiKey_Tab);
    user.KeyPress(ImGuiKey_RightArrow);
  });
  EXPECT_EQ(standing_at(state, "PAD_A"), 1);
}

TEST_F(GuiTest, AKernelIsChosenByNameOrDigit) {
  play([&](ImGuiTestContext& user) { user.ItemClick("//Kernel/**/sgemm_naive"); });
  EXPECT_EQ(state.choice.kernel, "sgemm_naive");
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_1); });
  EXPECT_EQ(state.choice.kernel, state.known.catalogue.front().name);
}

TEST_F(GuiTest, MoreDialsOpenOnRequest) {
  play([&](ImGuiTestContext& user) {
    EXPECT_FALSE(user.ItemExists("//Kernel/M/2048"));
    user.ItemClick("//Kernel/more");
    EXPECT_TRUE(user.ItemExists("//Kernel/M/2048"));
  });
}

TEST_F(GuiTest, CachesAreASwitch) {
  state = live_state();
  play([&](ImGuiTestContext& user) { user.ItemClick("//Kernel/caches/warm"); });
  EXPECT_EQ(state.choice.caches, Caches::warm);
  EXPECT_EQ(requested<MeasurePlace>(requests)->configuration.caches, Caches::warm);
}

TEST_F(GuiTest, SweepAndExportAsk) {
  state = live_state();
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Top/Sweep");
    user.ItemClick("//SweepPanel/Start");
    user.ItemClick("//SweepPanel/close");
    user.ItemClick("//Top/Export");
    user.ItemClick("//$FOCUSED/Session (JSON lines and CSV)");
  });
  EXPECT_FALSE(swept(requests).empty());
  EXPECT_TRUE(requested<ExportSession>(requests));
}

TEST_F(GuiTest, AnotherGpuIsChosenInTheTopBar) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Top/device");
    user.ItemClick("//$FOCUSED/RTX 4090");
  });
  EXPECT_EQ(state.choice.gpu, "RTX 4090");
}

TEST_F(GuiTest, ARunningSweepCanBeCancelled) {
  state = live_state();
  state.known.session.progress = Progress{"sweep", 3, 12};
  play([&](ImGuiTestContext& user) { user.ItemClick("//Status/cancel"); });
  EXPECT_TRUE(requested<CancelSweep>(requests));
}

TEST_F(GuiTest, TheLevelOfTheLabelIsChosenAboveTheChart) {
  play([&](ImGuiTestContext& user) { user.ItemClick("//Chart/shared memory"); });
  EXPECT_EQ(state.view.level, MemoryLevel::shared);
}

TEST_F(GuiTest, TheWheelZoomsTheChartAndFFitsIt) {
  const Axes fitted = state.view.axes;
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos({640, 300});
    user.MouseWheelY(3);
  });
  EXPECT_NE(state.view.axes, fitted);
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_F); });
  EXPECT_EQ(state.view.axes, fitted);
}

TEST_F(GuiTest, TheDividerMovesWithThePointer) {
  const float before = state.settings.chart_share;
  play([&](ImGuiTestContext& user) {
    user.MouseMove("//Divider/divider");
    user.MouseDown();
    user.MouseMoveToPos({640, 400});
    user.MouseUp();
  });
  EXPECT_LT(state.settings.chart_share, before - 0.1f);
}

TEST_F(GuiTest, ARowOfTheTableIsSelectedAndRemoved) {
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_End); });
  const std::size_t rows = state.derived.shown.table.ids.size();
  const std::uint64_t newest = current_point(state)->id;
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_Delete); });
  EXPECT_EQ(state.derived.shown.table.ids.size(), rows - 1);
  EXPECT_NE(state.derived.shown.table.ids.front(), newest);
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z); });
  EXPECT_EQ(state.derived.shown.table.ids.size(), rows);
}

TEST_F(GuiTest, TheKeysAreListedOnRequest) {
  play([&](ImGuiTestContext& user) {
    user.KeyChars("?");
    user.Yield(2);
  });
  const Picture seen = picture();
  const Rect all = whole(seen);
  const Rect middle{all.width / 2 - 200, all.height / 2 - 180, 400, 360};
  const Palette& token = palette(state.settings.theme);
  EXPECT_GT(pixels_of(seen, token.text, middle), 60);
  EXPECT_EQ(pixels_of(seen, token.level(MemoryLevel::dram), middle), 0) << "the chart shines through";
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_Escape); });
  EXPECT_FALSE(state.view.keys_open);
}

// Pictures.

TEST_F(GuiTest, EachPanelHasItsColourAndWordsInBothThemes) {
  for (int theme = 0; theme < 2; ++theme) {
    const Picture seen = picture();
    const Palette& token = palette(state.settings.theme);
    const Layout layout = layout_of(state, seen);
    for (const Rect& panel : {layout.left, layout.chart, layout.points, layout.side}) {
      EXPECT_GT(pixels_of(seen, token.panel, panel), panel.width * panel.height * 0.4f);
      EXPECT_GT(pixels_of(seen, token.text, panel) + pixels_of(seen, token.dim, panel), 15);
    }
    EXPECT_GT(pixels_of(seen, token.background, layout.top), layout.top.width * layout.top.height * 0.6f);
    play([&](ImGuiTestContext& user) { user.ItemClick("//Top/theme"); });
  }
}

TEST_F(GuiTest, NothingIsLeftInTheColoursOfStockDearImGui) {
  const Picture seen = picture();
  for (const std::uint32_t stock : {0x0f0f0fu, 0x294a7au, 0x4296fau}) {
    EXPECT_LT(pixels_of(seen, rgb(stock), whole(seen)), 200) << std::hex << stock;
  }
}

TEST_F(GuiTest, TheNewestDotOfEachLevelStandsOnTheChart) {
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_End); });
  const Picture seen = picture();
  const Layout layout = layout_of(state, seen);
  for (const Dot& dot : state.derived.shown.chart.rows.back().dots) {
    EXPECT_GT(pixels_of(seen, palette(state.settings.theme).level(dot.level), layout.chart), 100)
        << title(dot.level);
  }
}

TEST_F(GuiTest, AHollowPointHasNoFilling) {
  scene::apply(state, {SelectKernel{"sgemm_naive"}});
  ASSERT_EQ(mode(state), Mode::predicted);
  const Picture seen = picture();
  const int dram =
      pixels_of(seen, palette(state.settings.theme).level(MemoryLevel::dram), layout_of(state, seen).chart);
  scene::apply(state, {SelectKernel{"sgemm_tiled"}});
  ASSERT_EQ(mode(state), Mode::recorded);
  const Picture filled = picture();
  EXPECT_GT(
      pixels_of(filled, palette(state.settings.theme).level(MemoryLevel::dram), layout_of(state, filled).chart),
      dram + 50);
}

TEST_F(GuiTest, EveryStateCanBeDrawn) {
  const auto draws = [&](AppState next) {
    state = std::move(next);
    refresh(state);
    picture();
  };
  draws(live_state());  // nothing measured yet
  AppState busy = live_state();
  busy.known.session.progress = Progress{"sweep", 0, 0};
  draws(busy);
  AppState broken = live_state();
  tell(broken, Message::Kind::wrong, "The worker was ended by signal 11 (Segmentation fault).");
  SessionLog refused = *broken.known.session.log;
  refused.header.facilities.push_back(
      {"counters", Facility::State::refused, "Counters are not permitted for this user.", "Ask for them.", ""});
  show(broken, std::move(refused));
  draws(broken);
  AppState failed = live_state();
  Point point = counted_point(failed, 1, failed.choice.kernel, {});
  point.failure = "The kernel does not compile.";
  land(failed, point);
  draws(failed);
  AppState full = live_state();
  SessionLog many = *full.known.session.log;
  for (std::uint64_t id = 1; id <= 300; ++id) {
    many.add(counted_point(full, id, "sgemm_tiled", {{"TILE", 32}, {"N", static_cast<double>(64 * id)}}));
  }
  show(full, std::move(many));
  draws(full);
  AppState large = recorded_state();
  large.settings.scale = 2;
  draws(large);
}

}  // namespace
}  // namespace rooftile::window
