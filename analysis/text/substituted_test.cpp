#include "analysis/text/substituted.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

TEST(Substituted, WholeNamesAndNoFunctions) {
  const Substitutes substitutes = {{"N", "32"}, {"min", "7"}, {"e9", "x"}};
  const struct {
    const char *text, *expected;
  } rows[] = {
      {"", ""},
      {"N", "32"},
      {"2 * N+N", "2 * 32+32"},
      {"N_ + aN + Nb + N1 + 1N", "N_ + aN + Nb + N1 + 1N"},
      {"min(N, min) + min (N)", "min(32, 7) + min (32)"},
      {"1e9 + 2.5e9", "1e9 + 2.5e9"},
      {"<float, N>", "<float, 32>"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(substituted(row.text, substitutes), row.expected) << row.text;
  }
}

TEST(Substituted, NamesAreWhatMayBeReplaced) {
  EXPECT_THAT(names_in("min(N, M1) + 2e3*_a + 1N - N"), testing::ElementsAre("M1", "N", "_a"));
  EXPECT_THAT(names_in("2 * (3)"), testing::IsEmpty());
}

TEST(Substituted, EndsOnceItIsTooLong) {
  const std::string uses = "a+a+a+a+a+a+a+a";
  EXPECT_EQ(substituted(uses, {{"a", "1234567890"}}, 15), "1234567890+1234567890");
}

}  // namespace
}  // namespace rooftile
