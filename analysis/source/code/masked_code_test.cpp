#include "analysis/source/code/masked_code.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;

TEST(MaskedCode, LeavesNamesAndBrackets) {
  const struct {
    const char *code, *left;
  } rows[] = {
      {"a; // }\nb;", "a;     \nb;"},
      {"a /* { \n */ b", "a      \n    b"},
      {"f(\"}\\\"{\", '{');", "f(\"    \", ' ');"},
      {"n = 1'000'000; {", "n = 1'000'000; {"},
      {"R\"x(}\")x\" {", "R\"      \" {"},
      {"#define F(x) { \\\n  x\nint y;", "                \n   \nint y;"},
      {"#define F(x) { \\\r\n  x\r\nint y;", "                 \n    \nint y;"},
      {"#if 0\ndon't {\n#endif\na", "     \n       \n      \na"},
      {"#if A\nf(1) {\n#else\nf(2) {\n#endif\n}", "     \nf(1) {\n     \nf(2)  \n      \n}"},
      {"#if A\nf() {}\n#else\ng() {}\n#endif\n", "     \nf() {}\n     \ng() {}\n      \n"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(masked(row.code).text, row.left) << row.code;
  }
}

TEST(MaskedCode, ADirectiveIsOneLineWithoutComments) {
  const MaskedCode code = masked("  #define TILE /* of\nit */ 16 // wide\n#inc\\\nlude <a/b.h>\n%:endif\n");
  ASSERT_EQ(code.directives.size(), 3U);
  EXPECT_EQ(code.directives[1].text, "#include <a/b.h>");
  EXPECT_THAT(identifiers(code.directives[0].text), ElementsAre("define", "TILE", "16"));
  EXPECT_EQ(code.directives[0].begin, 2U);
}

TEST(MaskedCode, BracketsCloseEachTheirOwn) {
  EXPECT_EQ(closing("(a(b)[)])c", 0), 6U);
  EXPECT_EQ(closing("{ {", 0), 3U);
}

}  // namespace
}  // namespace rooftile
