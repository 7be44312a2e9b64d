// The tile of a block: 8 rows of 4 columns that move on, and the block's work so far.
#include "app/scene/tile/tile_view.hpp"

#include <gmock/gmock.h>

#include "analysis/ptx/work/test_kernel.hpp"
#include "app/scene/access/launch_steps.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/tile/tile_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::HasSubstr;

constexpr const char* row_of_tiles = R"(
	mov.u32 	%r10, 0;
	shr.u32 	%r11, %r5, 2;
	and.b32 	%r12, %r5, 3;
	mad.lo.s32 	%r13, %r11, 64, %r12;
	mul.wide.s32 	%rd3, %r13, 4;
	add.s64 	%rd4, %rd1, %rd3;
$again:
	ld.global.f32 	%f1, [%rd4];
	fma.rn.f32 	%f3, %f1, %f1, %f3;
	add.s64 	%rd4, %rd4, 16;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	ret;)";

class TileViewTest : public testing::Test {
 protected:
  TileViewTest() { apply(state, {SelectKernel{"sgemm_tiled"}, ShowPanel{Panel::tile}}); }

  void read_steps(int steps) {
    auto trace = std::make_shared<const ptx::BlockTrace>(ptx::block_trace(
        ptx::parse_ptx(ptx::kernel_text(row_of_tiles)), ptx::launch_with({1}, {32}, 64 * 8, steps)));
    use_code(state, {"sgemm_tiled", "", state.choice.gpu, dialled(state)}, TraceAnswer{trace, ""});
    refresh(state);
  }
  const TileView& shown() const { return state.derived.shown.tile; }
  // A letter for each cell.
  std::vector<std::string> cells() const {
    const TileOfBuffer& tile = shown().tiles.at(0);
    std::vector<std::string> rows;
    for (int row = 0; row < tile.down; ++row) {
      rows.emplace_back();
      for (int i = 0; i < tile.across; ++i) {
        rows.back() += ".ewWL"[tile.cells[static_cast<std::size_t>(row * tile.across + i)]];
      }
    }
    return rows;
  }

  AppState state = live_state();
};

TEST_F(TileViewTest, ATileMovesOnWithEachStep) {
  read_steps(3);
  EXPECT_EQ(shown().steps, 3u);
  EXPECT_EQ(cells().at(0), "LWWW........") << "lane 0 stands in the corner";
  EXPECT_EQ(cells().at(7), "WWWW........");
  apply(state, {SelectStep{1}});
  EXPECT_EQ(cells().at(7), "eeeeWWWW....");
  EXPECT_THAT(shown().tiles[0].extent, HasSubstr("rows 0 to 7, columns 0 to 11"));
}

TEST_F(TileViewTest, TheBlockClimbsWithItsWork) {
  read_steps(3);
  EXPECT_EQ(shown().loaded, 8 * 32);
  EXPECT_EQ(shown().flops, 64);
  apply(state, {SelectStep{2}});
  EXPECT_EQ(shown().loaded, 3 * 8 * 32);
  EXPECT_EQ(shown().flops, 3 * 64);
  EXPECT_THAT(shown().sentence, HasSubstr("0.25 FLOP/B"));
}

TEST_F(TileViewTest, WithoutCodeItSaysWhy) {
  EXPECT_FALSE(shown().notice.empty());
}

// 64 x 64 elements of which the block touches the first 8 rows and 12 columns.
TEST_F(TileViewTest, AWrongResultHasAMapThatFramesTheBlock) {
  read_steps(3);
  EXPECT_FALSE(shown().wrong);
  Point point = counted_point(state, 300, "sgemm_tiled", dialled(state));
  point.timing.reset();
  point.counters.reset();
  point.failure = "The result is wrong.";
  point.verification = Verification{false, 1, 0, "element 0 is 2, the reference says 1", {}, {}};
  point.verification->wrong = WrongElements{"in", 3, 64 * 64, 64, {"9...", "....", "...1", "...."}};
  land(state, point);
  ASSERT_TRUE(shown().wrong);
  EXPECT_EQ(shown().wrong->name, "in: wrong elements");
  EXPECT_EQ(shown().wrong->extent, "3 of 4,096, rows of 64");
  ASSERT_TRUE(shown().wrong->block);
  EXPECT_FLOAT_EQ(shown().wrong->block->height, 8.0f / 64);
  EXPECT_FLOAT_EQ(shown().wrong->block->width, 12.0f / 64);

  point.verification->wrong->cells = {"9...", "."};
  land(state, point);
  EXPECT_FALSE(shown().wrong) << "a session of others may hold anything";
}

TEST_F(TileViewTest, StepsAreReadWhereACompilerOrAPageHasTheCode) {
  const auto asked_for_steps = [&](bool compiles, bool brings_code) {
    state.known.session.compiles = compiles;
    state.known.session.brings_code = brings_code;
    const auto question = next_to_read(state);
    return question && question->wanted == CodeWanted::steps;
  };
  EXPECT_TRUE(asked_for_steps(true, false));
  EXPECT_TRUE(asked_for_steps(false, true));
  EXPECT_FALSE(asked_for_steps(false, false));
}

TEST_F(TileViewTest, ThePictureStaysInItsPlace) {
  read_steps(3);
  ChartFrame frame;
  frame.colours = &palette(Theme::dark);
  frame.measure = [](Type, std::string_view text) { return Size{7.0f * static_cast<float>(text.size()), 13}; };
  TileView wrong = shown();
  wrong.wrong = WrongMap{"C", "1 of 4", {"9.", ".."}, 1, Rect{0.5f, 0.5f, 0.5f, 0.5f}};
  for (const auto& [view, width] :
       {std::pair(shown(), 500.0f), {shown(), 1400.0f}, {wrong, 500.0f}, {wrong, 1400.0f}}) {
    frame.place = {10, 20, width, 180};
    for (const Mark& mark : tile_picture(view, frame).drawing) {
      if (const Box* box = std::get_if<Box>(&mark)) {
        EXPECT_GE(box->place.x, frame.place.x);
        EXPECT_LE(box->place.right(), frame.place.right());
        EXPECT_LE(box->place.bottom(), frame.place.bottom());
      }
    }
  }
}

}  // namespace
}  // namespace rooftile::scene
