// The banks and the sectors of an access, and how they are drawn.
#include "app/scene/access/access_view.hpp"

#include <gmock/gmock.h>

#include <set>

#include "app/scene/access/access_picture.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

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
  apply(state, {SelectKernel{"triad"}});
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
      const float needed = 9 * static_cast<float>(rows.size()) + 32;
      EXPECT_EQ(picture.cells.size() < shown().words.size(), height < needed) << padding << " " << height;
      for (const AccessCell& cell : picture.cells) {
        EXPECT_GE(cell.place.x, frame.place.x);
        EXPECT_LE(cell.place.right(), frame.place.right());
        EXPECT_LE(cell.place.bottom(), frame.place.bottom());
        EXPECT_THAT(cell.facts, SizeIs(3));
      }
    }
  }
}

class SectorViewTest : public testing::Test {
 protected:
  void show(const char* kernel, const char* dial, double value, const char* access) {
    apply(state,
          {SelectKernel{kernel}, SetParameter{dial, value}, ShowPanel{Panel::sectors}, SelectAccess{access}});
  }
  const AccessView& shown() const { return state.derived.shown.sectors; }
  std::ptrdiff_t moved_along() const {
    return std::ranges::count_if(shown().words, [](const BankWord& word) { return word.lanes.empty(); });
  }

  AppState state = live_state();
};

// A warp of 4 x 8 threads reads one word of 8 rows of A, one above the other.
TEST_F(SectorViewTest, AWordOfEachRowMovesItsWholeSector) {
  show("sgemm_naive", "BLOCK_X", 4, "load A[row][k]");
  EXPECT_THAT(shown().words, SizeIs(64)) << "8 sectors of 8 words";
  EXPECT_EQ(moved_along(), 56);
  EXPECT_THAT(shown().sentence, HasSubstr("each of 8 sectors where 1 would do"));
  show("sgemm_naive", "BLOCK_X", 32, "load B[k][col]");
  EXPECT_THAT(shown().words, SizeIs(32));
  EXPECT_EQ(moved_along(), 0);
  EXPECT_THAT(shown().sentence, HasSubstr("each of 4 sectors, which is the least"));
}

TEST_F(SectorViewTest, TheLaunchAsAWholeIsHeldAgainstItsCounter) {
  show("copy", "VECTOR", 4, "load in");
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
