#include "app/cli/text_table.hpp"

#include <gtest/gtest.h>

namespace rooftile::cli {
namespace {

TEST(TextTable, AlignsColumnsAndEndsLinesWithoutSpaces) {
  TextTable table({"variant", "time", "bound by"}, "lrl");
  table.add({"tile 8", "3.37 ms", "latency"});
  table.add({"tile 32", "246 µs", ""});
  EXPECT_EQ(table.text(),
            "variant     time  bound by\n"
            "tile 8   3.37 ms  latency\n"
            "tile 32   246 µs\n");
}

TEST(TextTable, WithoutTitlesHasNoHead) {
  TextTable table({"", ""}, "ll");
  EXPECT_TRUE(table.empty());
  table.add({"a", "b"});
  EXPECT_EQ(table.text(2), "  a  b\n");
}

}  // namespace
}  // namespace rooftile::cli
