#include "analysis/exchange/python_text.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(PythonText, ArithmeticBecomesAnExpression) {
  const std::pair<const char*, const char*> rows[] = {
      {"a * b <= 1024", "(a * b) <= 1024"},
      {"pad == 0 or x % 32 != 0", "(pad == 0) || mod(x, 32) != 0"},
      {"32 <= x * y <= 1024", "(32 <= (x * y)) && ((x * y) <= 1024)"},
      {"not (a == 1 and b == 2)", "((a == 1) && (b == 2)) == 0"},
      {"(n // x) // 2", "floor_div(floor_div(n, x), 2)"},
      {"(a + 1) * (b + 1) < 12*1024", "((a + 1) * (b + 1)) < 12288"},
      {"2**3 * x", "8 * x"},
      {"[a for a in b]", "none"},
      {"len(x)", "none"}};
  for (const auto& [python, expression] : rows) {
    EXPECT_EQ(expression_of_python(python).value_or("none"), expression) << python;
  }
}

TEST(PythonText, BracketsBeyondCountAreNoArithmetic) {
  EXPECT_FALSE(expression_of_python(std::string(1'000'000, '(') + "1" + std::string(1'000'000, ')')));
}

TEST(PythonText, ListsOfNumbersAreRead) {
  EXPECT_THAT(numbers_of_python("[1, 2.5, -3]"), Optional(ElementsAre(1, 2.5, -3)));
  EXPECT_THAT(numbers_of_python("[1, 2] + list(range(32, 64+1, 32))"), Optional(ElementsAre(1, 2, 32, 64)));
  EXPECT_THAT(numbers_of_python("[2**i for i in range(0, 4)]"), Optional(ElementsAre(1, 2, 4, 8)));
  EXPECT_THAT(numbers_of_python("range(3)"), Optional(ElementsAre(0, 1, 2)));
  for (const char* none : {"[\"a\"]", "squares", "range(0, 1000000)", "range(1, 9, 0)"}) {
    EXPECT_FALSE(numbers_of_python(none)) << none;
  }
}

}  // namespace
}  // namespace rooftile
