#include "analysis/text/expression.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Parameters values = {{"N", 100}, {"TILE", 16}, {"PAD", 3}, {"alpha", 0.5}};
const std::vector<std::string> names = {"N", "PAD", "TILE", "alpha"};

TEST(Expression, ComputesWhatManifestsWrite) {
  const struct {
    const char* text;
    double expected;
  } rows[] = {
      {"42", 42},
      {"1e-6 + 3e-8", 1e-6 + 3e-8},
      {"2 * N + TILE", 216},
      {"-(N - TILE) / 4", -21},
      {"2 ^ 10", 1024},
      {"ceil_div(N, TILE)", 7},
      {"ceil_div(96, TILE)", 6},
      {"floor_div(N, TILE)", 6},
      {"floor_div(-1, TILE)", -1},
      {"mod(N, TILE)", 4},
      {"mod(-1, TILE)", 15},
      {"min(N, TILE, 20)", 16},
      {"max(1, 8 / TILE)", 1},
      {"abs(-alpha)", 0.5},
      {"TILE * TILE <= 1024", 1},
      {"PAD == 0 ? 4 : 1", 1},
      {"mod(PAD, 4) == 0 ? 4 : mod(PAD, 2) == 0 ? 2 : 1", 1},
      {"N >= 100 && TILE != 8 || PAD > 9", 1},
  };
  for (const auto& row : rows) {
    EXPECT_DOUBLE_EQ(Expression(row.text, names).evaluate(values), row.expected) << row.text;
  }
}

TEST(Expression, IsZeroByDefault) {
  EXPECT_EQ(Expression().evaluate({}), 0);
  EXPECT_EQ(Expression().text(), "0");
  EXPECT_THAT(Expression().names(), IsEmpty());
}

TEST(Expression, TellsTheValuesItUses) {
  EXPECT_THAT(Expression("TILE + N * N", names).names(), ElementsAre("N", "TILE"));
  EXPECT_THAT(Expression("16", names).names(), IsEmpty());
}

TEST(Expression, CopiesAreIndependentOfTheOriginal) {
  Expression copy;
  {
    const Expression original("N + 1", names);
    copy = original;
  }
  EXPECT_EQ(copy.evaluate(values), 101);
}

TEST(Expression, RefusesWhatItCannotRead) {
  const struct {
    const char* text;
    const char* message;
  } rows[] = {
      {"2 * TYLE",
       R"("2 * TYLE" cannot be read at column 5: "TYLE" is unknown here; known are N, PAD, TILE, alpha)"},
      {"2 *", R"("2 *" cannot be read at column 4: it ends too early)"},
      {"", "it ends too early"},
      {"(N + 1", "at column 7: a parenthesis is not closed"},
      {"N + 1)", R"(at column 6: unexpected ")"},
      {"N N", "at column 3"},
      {"TILE = 4", "at column 6: a single = compares nothing, write =="},
      {"N, TILE", "at column 2: expected one result"},
      {"\"text\"", "cannot be read"},
      {"ceil_div(N)", "cannot be read"},
      {"_pi", "is unknown here"},
      {"ceil(N)", "\"ceil\" is unknown here; known are the functions abs, "},
      {"N $ 2", "at column 3"},
  };
  for (const auto& row : rows) {
    try {
      Expression(row.text, names);
      ADD_FAILURE() << row.text << " was accepted";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(row.message)) << row.text;
    }
  }
}

TEST(Expression, RefusesOneThatNobodyWrites) {
  EXPECT_THAT(
      [] { Expression(std::string(2'001, '1'), {}); },
      testing::ThrowsMessage<Error>("an expression of 2001 characters is longer than the 2000 that are read"));
}

TEST(Expression, ALetStandsForItsExpression) {
  const Substitutes lets = {{"stride", "N + PAD"}, {"steps", "ceil_div(N, TILE)"}};
  const Expression area("2 * stride * steps", names, lets);
  EXPECT_EQ(area.text(), "2 * stride * steps");
  EXPECT_EQ(area.full_text(), "2 * (N + PAD) * (ceil_div(N, TILE))");
  EXPECT_EQ(area.evaluate(values), 2 * 103 * 7);
  EXPECT_THAT(area.names(), ElementsAre("N", "PAD", "TILE"));
  EXPECT_FALSE(area == Expression("2 * stride * steps", names, {{"stride", "N"}, {"steps", "1"}}));
}

TEST(Expression, RefusesALetThatNamesWhatIsUnknownHere) {
  const auto message = [](const char* text, const Substitutes& lets) -> std::string {
    try {
      Expression(text, {"N"}, lets);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      message("strid", {{"stride", "N"}}),
      R"(the expression "strid" cannot be read at column 1: "strid" is unknown here; known are N, stride)");
  EXPECT_EQ(
      message("2 * steps", {{"steps", "N * warps"}}),
      "the expression \"2 * (N * warps)\" cannot be read at column 10: \"warps\" is unknown here; known are N");
  EXPECT_THAT(message("a + a + a", {{"a", std::string(5'000, '1')}}), HasSubstr("longer than the 2000"));
}

TEST(Expression, RefusesToEvaluateWithoutAFiniteResult) {
  EXPECT_THROW(Expression("N / PAD", names).evaluate({{"N", 1}, {"PAD", 0}}), Error);
  EXPECT_THROW(Expression("N / PAD", names).evaluate({{"N", 1}}), Error);
}

}  // namespace
}  // namespace rooftile
