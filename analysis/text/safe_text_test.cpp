#include "analysis/text/safe_text.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

struct Sample {
  std::string_view bytes, text;
};

TEST(VisibleText, ShowsWhatWouldSteerATerminal) {
  const Sample rows[] = {
      {"TILE=16, 97.5 %\n\t\u00b5s \u2013 \U0001f4a1", "TILE=16, 97.5 %\n\t\u00b5s \u2013 \U0001f4a1"},
      {"\x1b]0;owned\x07", "\\x1b]0;owned\\x07"},
      {"\r\x08\x7f", "\\x0d\\x08\\x7f"},
      {std::string_view("\0", 1), "\\x00"},
      {"\xc2\x9b"
       "31m",
       "\\xc2\\x9b"
       "31m"},
      {"\xff half \xc3", "\\xff half \\xc3"},
      {"a\u202eb", "a\\xe2\\x80\\xaeb"},
  };
  for (const Sample& row : rows) {
    EXPECT_EQ(visible_text(row.bytes), row.text);
  }
}

TEST(MarkdownCell, IsOneCellOfOneLineWithoutMarkup) {
  const Sample rows[] = {
      {"a square tile, 4 x 4", "a square tile, 4 x 4"},
      {"a | b", "a \\| b"},
      {"a \\| b", "a \\\\\\| b"},
      {"evil\n<script>alert(1)</script>", "evil &lt;script&gt;alert(1)&lt;/script&gt;"},
      {"<!-- measured: end -->", "&lt;!-- measured: end --&gt;"},
      {"![](http://x)", "!\\[](http://x)"},
      {"`code`", "&#96;code&#96;"},
      {"a\r\x1b b", "a   b"},
      {"a\u202eb", "a b"},
  };
  for (const Sample& row : rows) {
    EXPECT_EQ(markdown_cell(row.bytes), row.text);
  }
}

TEST(MarkdownCode, ShowsItsLettersAsTheyAre) {
  const Sample rows[] = {
      {"reduce<float, 256>", "`reduce<float, 256>`"},
      {"a | b\\", "`a \\| b\\`"},
      {"a`b", "`a'b`"},
      {"<!-- measured: end -->", "`< !-- measured: end -->`"},
      {"a\n\u202e\x1b b", "`a    b`"},
  };
  for (const Sample& row : rows) {
    EXPECT_EQ(markdown_code(row.bytes), row.text);
  }
}

TEST(CsvCell, IsOneFieldThatNoSpreadsheetTakesForAFormula) {
  const Sample rows[] = {
      {"sgemm_tiled", "sgemm_tiled"},
      {"pad, then swizzle", "\"pad, then swizzle\""},
      {"the \"best\"", "\"the \"\"best\"\"\""},
      {"two\nlines", "\"two\nlines\""},
      {"=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""},
      {"+1", "'+1"},
      {"-1", "'-1"},
      {"@SUM(A1)", "'@SUM(A1)"},
      {"\t=1", "'\t=1"},
      {"\r=1", "\\x0d=1"},
      {"\x1b[2J", "\\x1b[2J"},
      {"", ""},
  };
  for (const Sample& row : rows) {
    EXPECT_EQ(csv_cell(row.bytes), row.text);
  }
}

TEST(XmlText, EscapesMarkupAndReplacesWhatXmlCannotHold) {
  EXPECT_EQ(xml_text("a <b> & \"c\""), "a &lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(xml_text("\x1b]0;owned\x07"), "\xef\xbf\xbd]0;owned\xef\xbf\xbd");
  EXPECT_EQ(xml_text("\xc2\xb5s \xe2\x80\x93 \xf0\x9f\x94\xa5"), "\xc2\xb5s \xe2\x80\x93 \xf0\x9f\x94\xa5");
  EXPECT_EQ(xml_text("a\u202eb"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(xml_text("\xff\xc3"), "\xef\xbf\xbd\xef\xbf\xbd") << "no letters at all";
  EXPECT_EQ(xml_text("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd") << "half a pair";
}

TEST(XmlText, KeepsEveryLetterThatXmlHoldsAndNoOther) {
  const struct {
    const char *bytes, *text;
  } rows[] = {
      {"a\tb\nc", "a\tb\nc"},
      {"\r", "\xef\xbf\xbd"},
      {"\x7f", "\xef\xbf\xbd"},
      {"\xc2\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xc2\xa0", "\xc2\xa0"},
      {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xef\xbf\xbd", "\xef\xbf\xbd"},
      {"\xef\xbf\xbe", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xf4\x8f\xbf\xbd", "\xf4\x8f\xbf\xbd"},
      {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xf0\x9f\x94", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"&amp;", "&amp;amp;"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(xml_text(row.bytes), row.text) << testing::PrintToString(row.bytes);
  }
}

}  // namespace
}  // namespace rooftile
