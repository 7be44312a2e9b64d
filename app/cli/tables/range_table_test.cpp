#include "app/cli/tables/range_table.hpp"

#include <gtest/gtest.h>

namespace rooftile::cli {
namespace {

ProgramTotals training() {
  ProgramTotals totals;
  totals.time = {12.5};
  totals.by_range = {{"step", {1}},
                     {"step/loss", {2}},
                     {"step/model/layer.0/addmm", {4}},
                     {"step/model/layer.1/addmm", {1}},
                     {"warm up", {1}}};
  return totals;
}

TEST(RangeTable, IsATreeWithWhatIsInsideEachRange) {
  EXPECT_EQ(range_table(training(), 20, "NVTX ranges").text(),
            "NVTX ranges          time  share\n"
            "step               8.00 s   64 %\n"
            "  model            5.00 s   40 %\n"
            "    layer.0/addmm  4.00 s   32 %\n"
            "    layer.1/addmm  1.00 s    8 %\n"
            "  loss             2.00 s   16 %\n"
            "warm up            1.00 s    8 %\n"
            "(none)             3.50 s   28 %\n");
}

TEST(RangeTable, OfManyRangesThoseWithMostTimeAreShown) {
  EXPECT_EQ(range_table(training(), 3, "NVTX ranges").text(),
            "NVTX ranges          time  share\n"
            "step               8.00 s   64 %\n"
            "  model            5.00 s   40 %\n"
            "    layer.0/addmm  4.00 s   32 %\n"
            "(none)             3.50 s   28 %\n");
}

TEST(RangeTable, IsEmptyUnlessRangesWereAskedFor) {
  EXPECT_TRUE(range_table({}, 20, "callers").empty());
}

}  // namespace
}  // namespace rooftile::cli
