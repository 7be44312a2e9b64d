#include "app/cli/tables/text_table.hpp"

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

TEST(TextTable, AnAlignmentIsThatOfItsColumnAndTheHeadFollowsIt) {
  const struct {
    const char *alignment, *text;
  } rows[] = {
      {"ll", "a     b\nlong  1\nx     22\n"},
      {"rl", "   a  b\nlong  1\n   x  22\n"},
      {"lr", "a      b\nlong   1\nx     22\n"},
      {"rr", "   a   b\nlong   1\n   x  22\n"},
  };
  for (const auto& row : rows) {
    TextTable table({"a", "b"}, row.alignment);
    table.add({"long", "1"});
    table.add({"x", "22"});
    EXPECT_EQ(table.text(), row.text) << row.alignment;
  }
}

TEST(TextTable, LettersOfSeveralBytesTakeOneColumn) {
  TextTable table({"", ""}, "rl");
  table.add({"12 \u00b5s", "a"});
  table.add({"\u2013", "b"});
  EXPECT_EQ(table.text(), "12 \u00b5s  a\n    \u2013  b\n");
}

TEST(TextTable, AShortRowEndsWhereItsCellsEnd) {
  TextTable table({"", "", ""}, "lll");
  table.add({"first", "second", "third"});
  table.add({"alone"});
  EXPECT_EQ(table.text(), "first  second  third\nalone\n");
}

TEST(TextTable, WithAHeadButNoRowsShowsTheHead) {
  const TextTable table({"kernel", "time"}, "lr");
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.text(4), "    kernel  time\n");
}

}  // namespace
}  // namespace rooftile::cli
