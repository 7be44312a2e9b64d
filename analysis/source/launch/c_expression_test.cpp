#include "analysis/source/launch/c_expression.hpp"

#include <gmock/gmock.h>

#include "analysis/source/launch/parse_c_expression.hpp"

namespace rooftile {
namespace {

TEST(CExpression, IsWrittenForAKernelToml) {
  const struct {
    const char *c, *toml;
  } rows[] = {
      {"n", "n"},
      {"(n + 255) / 256", "ceil_div(n, 256)"},
      {"(n + threads - 1) / threads", "ceil_div(n, threads)"},
      {"(n - 1 + b) / b", "ceil_div(n, b)"},
      {"(n + (b - 1)) / b", "ceil_div(n, b)"},
      {"n / 32", "floor_div(n, 32)"},
      {"n / 32 + 1", "floor_div(n, 32) + 1"},
      {"n / 2.0f", "n / 2"},
      {"ceil(n / 256.0)", "ceil_div(n, 256)"},
      {"(int)ceil((float)n / b)", "ceil_div(n, b)"},
      {"static_cast<int>(std::ceil(double(n) / b))", "ceil_div(n, b)"},
      {"CEIL_DIV(n, 32)", "ceil_div(n, 32)"},
      {"std::min(n, 1024u)", "min(n, 1024)"},
      {"1 << 20", "1048576"},
      {"n >> 1", "floor_div(n, 2^1)"},
      {"n % 2 == 0 ? n : n + 1", "mod(n, 2) == 0 ? n : (n + 1)"},
      {"3 * sizeof(float) * n", "12 * n"},
      {"(a + b) * c - d", "((a + b) * c) - d"},
      {"grid.x * 0x10", "grid.x * 16"},
      {"size_t(n) * n", "n * n"},
      {"-n", "-n"},
  };
  for (const auto& row : rows) {
    const auto read = parse_c_expression(row.c);
    ASSERT_TRUE(read) << row.c;
    EXPECT_EQ(manifest_text(*read), row.toml) << row.c;
  }
}

TEST(CExpression, WhatIsNoArithmeticIsNotRead) {
  for (const char* text :
       {"a[3]", "atoi(argv[1])", "x = 3", "", "\"a\"", "f()", "a +", "sizeof(T) * n", "&a"}) {
    EXPECT_FALSE(parse_c_expression(text)) << text;
  }
}

TEST(CExpression, MeaningsStandForPartsFromTheWholeInwards) {
  const auto read = parse_c_expression("(w * h + t - 1) / t");
  const CExpression meant = with_meanings(*read, [](const CExpression& part) {
    return part.text == "w*h" ? std::optional(name_expression("n"))
           : part.text == "t" ? std::optional(number_expression(128))
                              : std::nullopt;
  });
  EXPECT_EQ(manifest_text(meant), "ceil_div(n, 128)");
}

TEST(CExpression, BytesBecomeElements) {
  const std::pair<const char*, const char*> rows[] = {{"n * sizeof(float)", "n"},
                                                      {"sizeof(float) * n * m", "n * m"},
                                                      {"n * m * sizeof(float)", "n * m"},
                                                      {"4096", "ceil_div(4096, 4)"},
                                                      {"bytes", "ceil_div(bytes, 4)"}};
  for (const auto& [bytes, elements] : rows) {
    const std::string text = manifest_text(elements_of(*parse_c_expression(bytes), 4));
    EXPECT_EQ(text, std::string(elements) == "ceil_div(4096, 4)" ? "1024" : elements) << bytes;
  }
}

}  // namespace
}  // namespace rooftile
