// The banks and the sectors of an access, and how they are drawn.
#include "app/scene/access/access_view.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "analysis/manifest/neighbours.hpp"
#include "analysis/ptx/work/test_kernel.hpp"
#include "app/scene/access/access_picture.hpp"
#include "app/scene/access/launch_steps.hpp"
#include "app/scene/access/picture_page.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class AccessViewTest : public testing::Test {
 protected:
  AccessViewTest() {
    apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"TILE", 32}, ShowPanel{Panel::banks}});
  }
  void pad(double floats) { apply(state, {SetParameter{"PAD", floats}}); }
  const AccessView& shown() const { return state.derived.shown.banks; }

  AppState state = live_state();
};

// [32][32] against [32][33], in the frame in which the dial moves.
TEST_F(AccessViewTest, PaddingTakesTheWordsOfAColumnApart) {
  pad(0);
  EXPECT_EQ(shown().wavefronts, 32) << shown().access;
  EXPECT_THAT(shown().sentence, HasSubstr("32 wavefronts where 1 would do"));
  const auto banks = [&] {
    std::set<int> all;
    for (const BankWord& word : shown().words) {
      all.insert(word.bank);
    }
    return all;
  };
  EXPECT_THAT(banks(), SizeIs(1)) << "every lane meets every other";
  const std::string access = shown().access;
  pad(1);
  EXPECT_EQ(shown().access, access) << "though another one is dearer now";
  EXPECT_EQ(shown().wavefronts, 1);
  EXPECT_THAT(banks(), SizeIs(32));
  EXPECT_THAT(shown().sentence, HasSubstr("1 wavefront, which is the least"));
}

TEST_F(AccessViewTest, TheDearestAccessComesFirstAndAnotherCanBeChosen) {
  pad(0);
  const std::string dearest = shown().access;
  EXPECT_EQ(shown().accesses.front(), dearest);
  ASSERT_GT(shown().accesses.size(), 1u);
  apply(state, {SelectAccess{shown().accesses.back()}});
  EXPECT_EQ(shown().access, shown().accesses.back());
  EXPECT_EQ(shown().wavefronts, 1);
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_THAT(shown().accesses, Contains(shown().access)) << "the other kernel has no such access";
}

TEST_F(AccessViewTest, AKernelWithoutSharedMemorySaysSo) {
  apply(state, {SelectKernel{"copy"}});
  know_code(state, "copy", dialled(state), [](Model& model) { model.accesses.clear(); });
  EXPECT_THAT(shown().words, IsEmpty());
  EXPECT_THAT(shown().notice, HasSubstr("no shared memory"));
}

TEST_F(AccessViewTest, TheLaunchAsAWholeIsHeldAgainstItsCounter) {
  pad(0);
  EXPECT_THAT(shown().sentence, testing::Not(HasSubstr("counted")));
  Point point = counted_point(state, 1, "transpose_tiled", given_of(kernel(state), dialled(state)));
  point.counters->shared_wavefronts = 12345;
  land(state, point);
  EXPECT_THAT(shown().sentence, HasSubstr("12,345 counted"));
}

TEST_F(AccessViewTest, EveryWordHasACellWithinThePictureOrIsCountedBelow) {
  ChartFrame frame;
  frame.colours = &palette(Theme::dark);
  frame.measure = [](Type, std::string_view text) { return Size{7.0f * static_cast<float>(text.size()), 13}; };
  for (const double padding : {0.0, 1.0, 2.0}) {
    for (const float height : {90.0f, 200.0f, 900.0f}) {
      pad(padding);
      frame.place = {10, 20, 900, height};
      const AccessPicture picture = access_picture(shown(), frame);
      std::set<std::int64_t> rows;
      for (const BankWord& word : shown().words) {
        rows.insert((word.word - word.bank) / bank_count);
      }
      const float needed = 4 * static_cast<float>(rows.size()) + 32;
      const auto words = static_cast<std::size_t>(
          std::ranges::count_if(picture.cells, [](const AccessCell& cell) { return !cell.facts.empty(); }));
      EXPECT_EQ(words < shown().words.size(), height < needed) << padding << " " << height;
      EXPECT_EQ(picture.cells.size() % bank_count, 0) << "each cell of a row can be clicked on";
      for (const AccessCell& cell : picture.cells) {
        EXPECT_GE(cell.place.x, frame.place.x);
        EXPECT_LE(cell.place.right(), frame.place.right());
        EXPECT_LE(cell.place.bottom(), frame.place.bottom());
        EXPECT_THAT(cell.facts, AnyOf(SizeIs(0), SizeIs(3)));
      }
    }
  }
}

// The steps of the compiled code: a warp reads the columns of a tile with rows of so many floats, one a step.
class StepsTest : public AccessViewTest {
 protected:
  void read_steps(int stride, int steps) {
    const std::string walk = fmt::format(R"(
	.shared .align 4 .b8 tile[33000];
	mov.u32 	%r10, 0;
	mov.u32 	%r12, tile;
	mul.lo.s32 	%r15, %r5, {};
	add.s32 	%r16, %r12, %r15;
$again:
	ld.shared.f32 	%f2, [%r16];
	add.s32 	%r16, %r16, 4;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	ret;)",
                                         4 * stride);
    auto trace =
        ptx::block_trace(ptx::parse_ptx(ptx::kernel_text(walk)), ptx::launch_with({1}, {64}, 4096, steps));
    trace.accesses[0].name = "load tile[tx][ty]";
    use_code(state, {"transpose_tiled", "", state.choice.gpu, dialled(state)},
             TraceAnswer{std::make_shared<const ptx::BlockTrace>(std::move(trace)), ""});
    refresh(state);
    apply(state, {SelectAccess{"load tile[tx][ty]"}});
  }
};

TEST_F(StepsTest, TheChosenWarpAndStepAreShown) {
  pad(0);
  read_steps(32, 5);
  EXPECT_EQ(shown().warps, 2);
  EXPECT_EQ(shown().steps, 5u);
  EXPECT_EQ(shown().wavefronts, 32);
  EXPECT_EQ(shown().words.front().bank, 0);
  apply(state, {SelectStep{3}, SelectWarp{1}});
  EXPECT_EQ(shown().words.front().bank, 3) << "one column further with each step";
  EXPECT_EQ(shown().words.front().word, 32 * 32 + 3);
  EXPECT_THAT(shown().step_sentence, HasSubstr("Warp 1 (of 2), step 4 of 5: 32 wavefronts, 1 would do"));
  pad(1);
  EXPECT_EQ(shown().wavefronts, 1) << "by the manifest, in the same frame";
  read_steps(33, 5);
  EXPECT_EQ(shown().wavefronts, 1);
  EXPECT_EQ(shown().step, 3u) << "it stays";
}

TEST_F(StepsTest, AStepBeyondTheLastIsTheLast) {
  read_steps(33, 5);
  apply(state, {SelectStep{99}, SelectWarp{99}});
  EXPECT_EQ(shown().step, 4u);
  EXPECT_EQ(shown().warp, 1);
}

TEST_F(StepsTest, PlayingGoesThroughAllStepsAndEnds) {
  read_steps(33, 5);
  apply(state, {PlaySteps{}});
  std::set<std::size_t> seen{shown().step};
  for (double now = 0; now < 10; now += 0.1) {
    pass_time(state, now);
    play_steps(state);
    seen.insert(shown().step);
  }
  EXPECT_THAT(seen, SizeIs(5));
  EXPECT_FALSE(state.view.steps.playing);
  apply(state, {PlaySteps{}});
  EXPECT_EQ(shown().step, 0u) << "from the first step again";
  apply(state, {PlaySteps{}});
  EXPECT_FALSE(state.view.steps.playing) << "it stops";
}

TEST_F(StepsTest, AsAPageOfItsOwnThePictureHasTheSameWords) {
  read_steps(33, 5);
  const std::string page = picture_page(state);
  EXPECT_THAT(page, testing::StartsWith("<svg "));
  EXPECT_THAT(page, HasSubstr("load tile[tx][ty]"));
  EXPECT_THAT(page, HasSubstr("step 1 of 5"));
  apply(state, {ShowPanel{Panel::points}});
  EXPECT_FALSE(has_picture_page(state));
}

TEST_F(StepsTest, TheDialledPlaceIsReadFirstThenWhereAPaddingDialLeads) {
  state.known.session.compiles = true;
  const auto first = next_to_read(state);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->wanted, CodeWanted::steps);
  EXPECT_EQ(first->place.values, dialled(state));
  read_steps(33, 5);
  const auto second = next_to_read(state);
  ASSERT_TRUE(second);
  EXPECT_EQ(steps_between(kernel(state), dialled(state), second->place.values), 1);
  apply(state, {ShowPanel{Panel::points}});
  EXPECT_FALSE(next_to_read(state)) << "nobody looks at a picture";
}

class SectorViewTest : public testing::Test {
 protected:
  // A load whose lane n reads its bytes at address(n).
  void show(const char* kernel, int width_bytes, const std::function<int(int)>& address) {
    apply(state, {SelectKernel{kernel}, ShowPanel{Panel::sectors}});
    know_code(state, kernel, dialled(state), [&](Model& model) {
      GlobalAccessModel& load = model.global_accesses[0];
      load = {.name = "load", .width_bytes = width_bytes, .addresses = {}, .requests = 1000};
      for (int lane = 0; lane < warp_size; ++lane) {
        load.addresses[static_cast<std::size_t>(lane)] = address(lane);
      }
      const Coalescing met = coalescing(load.addresses, width_bytes, false);
      load.sectors = 1000.0 * met.sectors;
      load.lines = 1000.0 * met.lines;
    });
  }
  const AccessView& shown() const { return state.derived.shown.sectors; }
  std::ptrdiff_t moved_along() const {
    return std::ranges::count_if(shown().words, [](const BankWord& word) { return word.lanes.empty(); });
  }

  AppState state = live_state();
};

// A warp of 4 x 8 threads reads one word of 8 rows of A, one above the other.
TEST_F(SectorViewTest, AWordOfEachRowMovesItsWholeSector) {
  show("sgemm_naive", 4, [](int lane) { return lane / 4 * 8192; });
  EXPECT_THAT(shown().words, SizeIs(64)) << "8 sectors of 8 words";
  EXPECT_EQ(moved_along(), 56);
  EXPECT_THAT(shown().sentence, HasSubstr("each of 8 sectors where 1 would do"));
  show("sgemm_naive", 4, [](int lane) { return 4 * lane; });
  EXPECT_THAT(shown().words, SizeIs(32));
  EXPECT_EQ(moved_along(), 0);
  EXPECT_THAT(shown().sentence, HasSubstr("each of 4 sectors, which is the least"));
}

TEST_F(SectorViewTest, TheLaunchAsAWholeIsHeldAgainstItsCounter) {
  show("copy", 16, [](int lane) { return 16 * lane; });
  Point point = counted_point(state, 1, "copy", given_of(kernel(state), dialled(state)));
  point.counters->l1 = Bytes{200 * 16 * 32.0};
  point.counters->global_requests = 200;
  land(state, point);
  EXPECT_THAT(shown().sentence, HasSubstr("16 sectors each by the model, 16 counted"));
}

TEST_F(SectorViewTest, AKernelOfALibrarySaysThatNothingIsKnown) {
  apply(state, {SelectKernel{"cublas_sgemm"}, ShowPanel{Panel::sectors}});
  EXPECT_THAT(shown().words, IsEmpty());
  EXPECT_THAT(shown().notice, HasSubstr("global memory"));
}

}  // namespace
}  // namespace rooftile::scene
