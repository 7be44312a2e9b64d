#include "analysis/toml_edit.hpp"

#include <gmock/gmock.h>

#include "analysis/error.hpp"
#include "analysis/toml_table.hpp"

namespace rooftile {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string file =
    "# Größe and grid are guesses\n"
    "unknown = 7\n"
    "[[buffer]]\n"
    "name = \"in\"  # the größte\n"
    "count = \"N\"  # rows\n"
    "\n"
    "[[buffer]]\n"
    "name = \"out\"\n"
    "count = 1024\n"
    "\n"
    "[launch]\n"
    "\"größe\" = 1\n"
    "grid = [\"ceil_div(N, 8)\",\n"
    "        1]  # blocks\n"
    "block = 256";

std::string with_line(const std::string& old_line, const std::string& new_line) {
  std::string text = file;
  return text.replace(text.find(old_line), old_line.size(), new_line);
}

TEST(TomlEdit, OnlyTheValueChanges) {
  const struct {
    TomlPlace place;
    const char *value, *before, *after;
  } rows[] = {
      {{"buffer", "in", "count"}, "\"M * N\"", "count = \"N\"  # rows", "count = \"M * N\"  # rows"},
      {{"buffer", "out", "count"}, "64", "count = 1024", "count = 64"},
      {{"launch", "", "grid"}, "[4, 2]", "[\"ceil_div(N, 8)\",\n        1]", "[4, 2]"},
      {{"launch", "", "block"}, "[8, 8]", "block = 256", "block = [8, 8]"},
      {{"launch", "", "größe"}, "12", "größe\" = 1", "größe\" = 12"},
  };
  for (const auto& [place, value, before, after] : rows) {
    EXPECT_EQ(with_value(file, place, value), with_line(before, after));
  }
}

TEST(TomlEdit, AKeyThatIsNotThereStandsBelowItsHeader) {
  EXPECT_EQ(with_value(file, {"launch", "", "dynamic_shared_bytes"}, "4096"),
            with_line("[launch]\n", "[launch]\ndynamic_shared_bytes = 4096\n"));
  EXPECT_EQ(with_value(file, {"buffer", "out", "element"}, "\"half\""),
            with_line("name = \"out\"", "element = \"half\"\nname = \"out\""));
  EXPECT_EQ(with_value("[launch]", {"launch", "", "grid"}, "1"), "[launch]\ngrid = 1\n");
}

TEST(TomlEdit, ALineOfWindowsKeepsItsEnd) {
  EXPECT_EQ(with_value("[launch]\r\ngrid = 1\r\nblock = 2\r\n", {"launch", "", "block"}, "32"),
            "[launch]\r\ngrid = 1\r\nblock = 32\r\n");
}

TEST(TomlEdit, WhatCannotBeEditedSaysWhatToDo) {
  const struct {
    std::string text;
    TomlPlace place;
    const char* sentence;
  } rows[] = {
      {"[launch]\ngrid = [1, # rows\n 2]", {"launch", "", "grid"}, "has a comment among its values"},
      {"launch = { grid = 1 }", {"launch", "", "block"}, "[launch] has no line of its own: add \"block\""},
      {file, {"buffer", "sum", "count"}, "There is no [[buffer]] called sum"},
      {file, {"work", "", "flops"}, "There is no [work]"},
      {"[launch", {"launch", "", "grid"}, "not valid TOML"},
  };
  for (const auto& [text, place, sentence] : rows) {
    EXPECT_THAT([&] { with_value(text, place, "1"); }, ThrowsMessage<Error>(HasSubstr(sentence)));
  }
}

TEST(TomlEdit, AValueIsFoundByItsLines) {
  const TomlPlace grid{"launch", "", "grid"};
  EXPECT_FALSE(stands_at(file, grid, 12));
  EXPECT_TRUE(stands_at(file, grid, 13));
  EXPECT_TRUE(stands_at(file, grid, 14));
  EXPECT_FALSE(stands_at(file, grid, 15));
  EXPECT_FALSE(stands_at(file, {"launch", "", "cluster"}, 11));
  EXPECT_FALSE(stands_at("[launch", grid, 1));
}

TEST(TomlEdit, ATextReadsBackAsItWasTyped) {
  for (const char* words : {"N * N", "a \"quoted\" \\ text", "tab\tand\x01", "Größe", ""}) {
    EXPECT_EQ(parse_toml("a = " + toml_text(words), "x")["a"].value<std::string>(), words);
  }
}

}  // namespace
}  // namespace rooftile
