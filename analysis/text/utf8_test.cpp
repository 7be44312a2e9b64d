#include "analysis/text/utf8.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace rooftile {
namespace {

TEST(Utf8Text, IsReadFromWhatOtherProgramsWrite) {
  const struct {
    std::string_view bytes, text;
  } rows[] = {
      {"ID,\u00b5s", "ID,\u00b5s"},
      {"\xef\xbb\xbfID", "ID"},
      {{"\xff\xfeI\0D\0\xb5\0\xac\x20\x3d\xd8\xa1\xdc", 14}, "ID\u00b5\u20ac\U0001f4a1"},
      {{"\xfe\xff\0I\0D", 6}, "ID"},
      {{"\xff\xfeI\0D", 5}, "I"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(utf8_text(std::string(row.bytes)), row.text);
  }
}

}  // namespace
}  // namespace rooftile
