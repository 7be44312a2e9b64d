// The banks of an access, and how they are drawn.
#include "app/scene/banks/bank_view.hpp"

#include <gmock/gmock.h>

#include <set>

#include "app/scene/actions/actions.hpp"
#include "app/scene/banks/bank_picture.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class BankViewTest : public testing::Test {
 protected:
  BankViewTest() {
    apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"TILE", 32}, ShowPanel{Panel::banks}});
  }
  void pad(double floats) { apply(state, {SetParameter{"PAD", floats}}); }
  const BankView& shown() const { return state.derived.shown.banks; }

  AppState state = live_state();
};

// [32][32] against [32][33], in the frame in which the dial moves.
TEST_F(BankViewTest, PaddingTakesTheWordsOfAColumnApart) {
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

TEST_F(BankViewTest, TheDearestAccessComesFirstAndAnotherCanBeChosen) {
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

TEST_F(BankViewTest, AKernelWithoutSharedMemorySaysSo) {
  apply(state, {SelectKernel{"triad"}});
  EXPECT_THAT(shown().words, IsEmpty());
  EXPECT_THAT(shown().notice, HasSubstr("no shared memory"));
}

TEST_F(BankViewTest, TheLaunchAsAWholeIsHeldAgainstItsCounter) {
  pad(0);
  EXPECT_THAT(shown().sentence, testing::Not(HasSubstr("counted")));
  Point point = counted_point(state, 1, "transpose_tiled", given_of(kernel(state), dialled(state)));
  point.counters->shared_wavefronts = 12345;
  land(state, point);
  EXPECT_THAT(shown().sentence, HasSubstr("12,345 counted"));
}

TEST_F(BankViewTest, EveryWordHasACellWithinThePictureOrIsCountedBelow) {
  ChartFrame frame;
  frame.colours = &palette(Theme::dark);
  frame.measure = [](Type, std::string_view text) { return Size{7.0f * static_cast<float>(text.size()), 13}; };
  for (const double padding : {0.0, 1.0, 2.0}) {
    for (const float height : {90.0f, 200.0f, 900.0f}) {
      pad(padding);
      frame.place = {10, 20, 900, height};
      const BankPicture picture = bank_picture(shown(), frame);
      std::set<std::int64_t> rows;
      for (const BankWord& word : shown().words) {
        rows.insert((word.word - word.bank) / bank_count);
      }
      const float needed = 9 * static_cast<float>(rows.size()) + 32;
      EXPECT_EQ(picture.cells.size() < shown().words.size(), height < needed) << padding << " " << height;
      for (const BankCell& cell : picture.cells) {
        EXPECT_GE(cell.place.x, frame.place.x);
        EXPECT_LE(cell.place.right(), frame.place.right());
        EXPECT_LE(cell.place.bottom(), frame.place.bottom());
        EXPECT_THAT(cell.facts, SizeIs(3));
      }
    }
  }
}

}  // namespace
}  // namespace rooftile::scene
