// Undo: what is taken back.
#include "app/scene/actions/apply_test.hpp"

namespace rooftile::scene {
namespace {

using testing::IsEmpty;

TEST(Undo, TakesBackEveryMoveWithWhatItChanged) {
  const Place warm_corner{complete(kernel(recorded_state()), {{"TILE", 32}, {"PAD_A", 1}}), Caches::cold};
  struct Case {
    const char* what;
    Action action;
  };
  const Case cases[] = {{"a GPU", SelectGpu{"RTX 4090"}},
                        {"a kernel", SelectKernel{"transpose_tiled"}},
                        {"a dial", SetParameter{"TILE", 32}},
                        {"a step", StepParameter{"TILE", 1}},
                        {"the end", EndOfDial{"TILE", true}},
                        {"a place", GoTo{warm_corner}},
                        {"a point", SelectPoint{7}},
                        {"a pin", Pin{1}},
                        {"a removal", Remove{recorded_state().choice.trail.back()}},
                        {"a sweep", StartSweep{}}};
  for (const auto& [what, action] : cases) {
    AppState state = recorded_state();
    const Choice before = state.choice;
    const std::vector<std::uint64_t> table = state.derived.shown.table.ids;
    apply(state, {action});
    EXPECT_NE(state.choice, before) << what;
    apply(state, {Undo{}});
    EXPECT_EQ(state.choice, before) << what;
    EXPECT_EQ(state.derived.shown.table.ids, table) << what;
  }
}

TEST(Undo, IsNotSpentOnWhatIsOnlyLookedAt) {
  const Actions looks = {SelectLevel{MemoryLevel::l2},
                         ToggleInstructions{},
                         ToggleOccupancyOnDots{},
                         SelectOrigin{Origin::datasheet},
                         Fit{},
                         SetAxes{},
                         SetChartShare{0.5f},
                         ToggleTheme{},
                         SetScale{2},
                         ToggleAnimation{},
                         ToggleMore{},
                         ToggleKeys{},
                         ShowPanel{Panel::proof},
                         ShowPanel{Panel::source},
                         ShowPanel{Panel::dials},
                         SelectRoof{"L2"},
                         FocusDial{"PAD_A"},
                         NextDial{},
                         ToggleGroup{"Transpose"},
                         ToggleSweep{},
                         SetSweep{},
                         PauseSweep{},
                         Dismiss{},
                         ExportPicture{},
                         ExportSession{},
                         CancelSweep{},
                         SelectKernel{"sgemm_tiled"},
                         SetCaches{Caches::cold},
                         SelectPoint{12345},
                         StepParameter{"NO SUCH DIAL", 1},
                         EndOfDial{"NO SUCH DIAL", true}};
  AppState state = recorded_state();
  const Choice before = state.choice;
  for (const Action& look : looks) {
    apply(state, {look});
    EXPECT_EQ(state.choice, before) << number_of(look);
    EXPECT_THAT(state.older_choices, IsEmpty()) << number_of(look);
  }
  apply(state, {Undo{}, Undo{}});
  EXPECT_EQ(state.choice, before) << "there is nothing to take back";
}

TEST(Undo, KeepsALiveLaunchWhoseMoveIsTakenBack) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  for (const double tile : {8, 16, 32}) {
    apply(state, {SetParameter{"TILE", tile}});
    land(state, counted_point(state, static_cast<std::uint64_t>(tile), "sgemm_tiled", {{"TILE", tile}}));
  }
  apply(state, {Undo{}, Undo{}});
  EXPECT_EQ(dialled(state).at("TILE"), 8);
  EXPECT_THAT(state.derived.shown.table.ids, testing::ElementsAre(32, 16, 8));
  EXPECT_EQ(state.derived.shown.chart.rows.size(), 3u);
}

TEST(Undo, BringsBackALiveLaunchThatWasRemovedAndNoOther) {
  AppState state = live_state();
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  land(state, counted_point(state, 2, state.choice.kernel, {}));
  apply(state, {Remove{1}});
  land(state, counted_point(state, 3, state.choice.kernel, {}));
  EXPECT_THAT(state.derived.shown.table.ids, testing::ElementsAre(3, 2));
  apply(state, {Remove{2}, Undo{}});
  EXPECT_THAT(state.derived.shown.table.ids, testing::ElementsAre(3, 2));
  apply(state, {Undo{}});
  EXPECT_THAT(state.derived.shown.table.ids, testing::ElementsAre(3, 2, 1));
}

TEST(Undo, ToAKernelThatIsThereNoMoreShowsAnother) {
  AppState state = own_kernel_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  std::vector<Manifest> others = state.known.catalogue;
  std::erase_if(others, [](const Manifest& each) { return each.name == "sum"; });
  use_kernels(state, others, {});
  apply(state, {Undo{}});
  EXPECT_TRUE(known_kernel(state.known.catalogue, state.choice.kernel));
  EXPECT_THAT(state.view.message->text, testing::HasSubstr("The kernel sum is not there any more"));
}

TEST(Undo, GoesBackAHundredMoves) {
  AppState state = live_state();
  for (std::uint64_t id = 1; id <= 130; ++id) {
    apply(state, {Pin{id}});
  }
  EXPECT_EQ(state.older_choices.size(), 100u);
  const Actions more_than_there_are(200, Undo{});
  apply(state, more_than_there_are);
  EXPECT_EQ(state.choice.pinned.size(), 30u);
}

}  // namespace
}  // namespace rooftile::scene
