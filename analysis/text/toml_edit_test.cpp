#include "analysis/text/toml_edit.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"
#include "analysis/text/toml_table.hpp"

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

std::string of_windows(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  return text;
}

TEST(TomlEdit, AFileOfWindowsStaysOne) {
  const TomlPlace grid{"launch", "", "grid"}, added{"launch", "", "carveout"};
  EXPECT_EQ(with_value(of_windows(file), grid, "[4, 2]"), of_windows(with_value(file, grid, "[4, 2]")));
  EXPECT_EQ(with_value(of_windows(file), added, "50"), of_windows(with_value(file, added, "50")));
  EXPECT_EQ(with_entry(of_windows(file), "buffer", "name = \"sum\"\n"),
            of_windows(with_entry(file, "buffer", "name = \"sum\"\n")));
  EXPECT_EQ(without_entry(of_windows(file), "buffer", "out"), of_windows(without_entry(file, "buffer", "out")));
}

TEST(TomlEdit, AFileBehindAByteOrderMarkIsEditedInItsPlace) {
  const std::string mark = "\xef\xbb\xbf", first = "[launch]\ngrid = 1\n", at_once = "launch.grid = 1\n";
  EXPECT_EQ(with_value(mark + first, {"launch", "", "grid"}, "2"), mark + "[launch]\ngrid = 2\n");
  EXPECT_EQ(with_value(mark + at_once, {"launch", "", "grid"}, "2"), mark + "launch.grid = 2\n");
  EXPECT_EQ(with_value(mark + first, {"launch", "", "block"}, "2"), mark + "[launch]\nblock = 2\ngrid = 1\n");
}

TEST(TomlEdit, WhatCannotBeEditedSaysWhatToDo) {
  const struct {
    std::string text;
    TomlPlace place;
    const char* sentence;
  } rows[] = {
      {"[launch]\ngrid = [1, # rows\n 2]", {"launch", "", "grid"}, "has a comment among its values"},
      {"launch = { grid = 1 }",
       {"launch", "", "block"},
       "[launch] has no line of its own: change it in the file"},
      {file, {"buffer", "sum", "count"}, "There is no [[buffer]] called sum"},
      {file, {"work", "", "flops"}, "There is no [work]"},
      {"[launch", {"launch", "", "grid"}, "not valid TOML"},
  };
  for (const auto& [text, place, sentence] : rows) {
    EXPECT_THAT([&] { with_value(text, place, "1"); }, ThrowsMessage<Error>(HasSubstr(sentence)));
  }
}

const TomlPlace arguments{"launch", "", "arguments"};

TEST(TomlEdit, AnItemOfAListIsReplacedAddedAndTakenAway) {
  const std::string before =
      "[launch]\narguments = [{ buffer = \"A\" },  # the left one\n  { int = \"N\" }, 7]  # all\n";
  const struct {
    std::string after, expected;
  } rows[] = {
      {with_item(before, arguments, 0, "{ buffer = \"B\" }"),
       "[launch]\narguments = [{ buffer = \"B\" },  # the left one\n  { int = \"N\" }, 7]  # all\n"},
      {with_item(before, arguments, 3, "8"),
       "[launch]\narguments = [{ buffer = \"A\" },  # the left one\n  { int = \"N\" }, 7, 8]  # all\n"},
      {with_item("[launch]\narguments = [] # none\n", arguments, 0, "8"), "[launch]\narguments = [8] # none\n"},
      {with_item("[launch]\n", arguments, 0, "8"), "[launch]\narguments = [8]\n"},
      {without_item(before, arguments, 2),
       "[launch]\narguments = [{ buffer = \"A\" },  # the left one\n  { int = \"N\" }]  # all\n"},
      {without_item("[launch]\narguments = [1, 2, 3]", arguments, 0), "[launch]\narguments = [2, 3]"},
      {without_item("[launch]\narguments = [1]", arguments, 0), "[launch]\narguments = []"}};
  for (const auto& [after, expected] : rows) {
    EXPECT_EQ(after, expected);
  }
  EXPECT_THAT([&] { without_item(before, arguments, 3); }, ThrowsMessage<Error>(HasSubstr("has no value 4")));
  EXPECT_THAT(
      [&] {
        with_item(file, {"launch", "", "block"}, 0, "1");
      },
      ThrowsMessage<Error>(HasSubstr("is no list")));
}

TEST(TomlEdit, ACommentStaysWithItsNeighbour) {
  const std::string head = "[launch]\narguments = [\n  { buffer = \"A\" },  # left\n";
  const std::string all = head + "  { buffer = \"B\" },  # right\n  # the size\n  { int = \"N\" }  # rows\n]\n";
  EXPECT_EQ(
      without_item(all, arguments, 0),
      "[launch]\narguments = [\n  { buffer = \"B\" },  # right\n  # the size\n  { int = \"N\" }  # rows\n]\n");
  EXPECT_EQ(without_item(all, arguments, 1), head + "  # the size\n  { int = \"N\" }  # rows\n]\n");
  EXPECT_EQ(without_item(all, arguments, 2),
            head + "  { buffer = \"B\" },  # right\n  # the size\n    # rows\n]\n");
  for (std::size_t item = 0; item < 3; ++item) {
    EXPECT_NO_THROW(parse_toml(without_item(all, arguments, item), "x")) << item;
  }
}

TEST(TomlEdit, AnEntryStandsBehindTheLastOfItsSection) {
  EXPECT_EQ(with_entry(file, "buffer", "name = \"sum\"\n"),
            with_line("count = 1024\n", "count = 1024\n\n[[buffer]]\nname = \"sum\"\n"));
  EXPECT_EQ(with_entry(file, "parameter", "name = \"N\"\n", "launch"),
            with_line("[launch]\n", "[[parameter]]\nname = \"N\"\n\n[launch]\n"));
  EXPECT_EQ(with_entry("[launch]", "buffer", "name = \"A\"\n"), "[launch]\n\n[[buffer]]\nname = \"A\"\n");
  EXPECT_EQ(with_entry("", "buffer", "name = \"A\"\n"), "[[buffer]]\nname = \"A\"\n");
}

TEST(TomlEdit, AnEntryGoesWithItsLinesAlone) {
  EXPECT_EQ(without_entry(file, "buffer", "in"),
            with_line("[[buffer]]\nname = \"in\"  # the größte\ncount = \"N\"  # rows\n", ""));
  EXPECT_EQ(without_entry(file, "buffer", "out"),
            with_line("[[buffer]]\nname = \"out\"\ncount = 1024\n\n", ""));
  EXPECT_EQ(without_entry("a = 1\n\n[[buffer]]\nname = \"A\"", "buffer", "A"), "a = 1\n\n");
  EXPECT_EQ(without_entry(with_entry(file, "buffer", "name = \"sum\"\n"), "buffer", "sum"), file)
      << "what is added and taken away leaves nothing";
}

TEST(TomlTable, ManyDotsThatAreNoKeyAreRead) {
  std::string dots;
  for (int i = 0; i < 2'000; ++i) {
    dots += "0.5, ";
  }
  for (const std::string& text :
       {"a = [" + dots + "]", "a = \"" + dots + "\"", "# " + dots, "a = '''\n" + dots + "'''''",
        "a = \"\"\"\n'\\\"" + dots + "\"\"\"\"\n", "a = '\"' # " + dots + "\nb = '\"'"}) {
    EXPECT_NO_THROW(parse_toml(text, "x")) << text.substr(0, 20);
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
