// The ladder of memory: what was counted, what was computed, and what nobody knows.
#include "app/scene/memory/memory_view.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/memory/memory_picture.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class MemoryViewTest : public testing::Test {
 protected:
  MemoryViewTest() { apply(state, {SelectKernel{"transpose_tiled"}, ShowPanel{Panel::memory}}); }
  const MemoryView& shown() const { return state.derived.shown.memory; }
  const MemoryRung& rung(const char* name) const {
    return *std::ranges::find(shown().rungs, name, &MemoryRung::name);
  }

  AppState state = live_state();
};

TEST_F(MemoryViewTest, TheLevelsStandInTheOrderOfTheWay) {
  EXPECT_THAT(shown().rungs,
              ElementsAre(Field(&MemoryRung::name, "registers"), Field(&MemoryRung::name, "shared memory"),
                          Field(&MemoryRung::name, "L1"), Field(&MemoryRung::name, "L2"),
                          Field(&MemoryRung::name, "DRAM")));
}

TEST_F(MemoryViewTest, ComputedAndCountedBytesSayWhichTheyAre) {
  EXPECT_THAT(rung("DRAM").moved, HasSubstr("computed"));
  EXPECT_THAT(rung("L2").hits, IsEmpty()) << "nobody computes hit rates";
  Point point = counted_point(state, 1, "transpose_tiled", given_of(kernel(state), dialled(state)));
  point.counters->l2_requests = 200;
  point.counters->l2_hits = 50;
  land(state, point);
  EXPECT_THAT(rung("DRAM").moved, HasSubstr("counted"));
  EXPECT_EQ(rung("L2").hits, "hit rate 25 % counted");
}

TEST_F(MemoryViewTest, ALatencySaysWhereItWasMeasuredAndIsLeftOutWhereItWasNot) {
  EXPECT_THAT(rung("DRAM").latency, HasSubstr("cycles of latency, measured on an H200"));
  EXPECT_THAT(rung("shared memory").latency, IsEmpty());
  EXPECT_THAT(rung("registers").latency, IsEmpty());
  apply(state, {SelectGpu{"RTX 4090"}});
  EXPECT_EQ(rung("L2").latency, "273 cycles of latency, quoted");
}

TEST_F(MemoryViewTest, TheLevelThatMovesMostHasTheLongestBar) {
  MemoryView view;
  view.rungs = {{"L1", "", MemoryLevel::l1, 400.0, "", "", ""},
                {"L2", "", MemoryLevel::l2, 100.0, "", "", ""},
                {"DRAM", "", MemoryLevel::dram, {}, "", "", ""}};
  ChartFrame frame;
  frame.colours = &palette(Theme::dark);
  frame.measure = [](Type, std::string_view text) { return Size{7.0f * static_cast<float>(text.size()), 13}; };
  frame.place = {0, 0, 1150, 200};
  std::vector<float> bars;
  for (const Mark& mark : memory_picture(view, frame)) {
    if (const Box* box = std::get_if<Box>(&mark); box && box->fill.alpha == 1) {
      bars.push_back(box->place.width);
    }
  }
  EXPECT_THAT(bars, ElementsAre(1000, 250)) << "DRAM has no bar: nobody knows its bytes";
}

}  // namespace
}  // namespace rooftile::scene
