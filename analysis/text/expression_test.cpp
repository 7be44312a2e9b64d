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

TEST(Expression, CountsTheSectorsOfRows) {
  const struct {
    const char* text;
    double expected;
  } rows[] = {
      {"sectors(128, 128, 32)", 4},           // rows start at sectors
      {"sectors(128, 128, 4)", 4 + 7.0 / 8},  // seven of eight starts touch one more
      {"sectors(128, 128, 16)", 4.5},
      {"sectors(128, 128, 4100)", 4 + 7.0 / 8},
      {"sectors(256, 128, 16)", 9},  // each request its own
      {"sectors(16, 16, 32)", 1},    // half a sector is one
      {"sectors(16, 16, 4)", 1 + 3.0 / 8},
      {"sectors(4, 4, 4)", 1},  // a float lies in one, wherever it starts
      {"sectors(52, 52, 4)", 2.5},
      {"sectors(160, 128, 32)", 5},  // the last request is shorter
      {"sectors(132, 128, 4)", 4 + 7.0 / 8 + 1},
      {"vector_sectors(64, 64, 16, 16)", 2.5},     // four lanes of 16 bytes
      {"vector_sectors(64, 64, 4, 16)", 4 * 2.5},  // four turns of four floats, 52 bytes from first to last
      {"vector_sectors(64, 64, 8, 16)", 4 * 2.5},
      {"vector_sectors(32, 32, 4, 8)", 2 * 1.75},
      {"vector_sectors(1e9, 1e12, 3, 1e11)", 2.5e8 * 35 / 32},   // takes no longer than the others
      {"vector_sectors(84, 64, 4, 16)", 4 * 2.5 + 1.5 + 3 * 1},  // a last lane and a quarter
  };
  for (const auto& row : rows) {
    EXPECT_DOUBLE_EQ(Expression(row.text, names).evaluate(values), row.expected) << row.text;
  }
}

// The cost of the n-th floats of all lanes, one n after the other.
double turn_by_turn(int bytes, int width, int alignment) {
  double sum = 0;
  for (int first = 0; first < std::min(width, bytes); first += 4) {
    const int lanes = (bytes - first + width - 1) / width;
    const int touched = (width * (lanes - 1) + 4 + alignment - 1) / alignment * alignment;
    sum += (touched + 32.0 - alignment) / 32;
  }
  return sum;
}

TEST(Expression, AVectorThatIsNotAlignedCostsTheSumOfItsTurns) {
  for (const int width : {8, 16}) {
    for (const int stride : {4, 12, 20, 36}) {
      for (int bytes = 4; bytes <= 132; bytes += 4) {
        const std::string text = fmt::format("vector_sectors({}, {}, {}, {})", bytes, bytes, stride, width);
        if (stride % width != 0) {
          EXPECT_DOUBLE_EQ(Expression(text, {}).evaluate({}), turn_by_turn(bytes, width, 4)) << text;
        }
      }
    }
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
  EXPECT_THROW(Expression("vector_sectors(64, 64, N / PAD, 16)", names).evaluate({{"N", 1}, {"PAD", 0}}),
               Error);
}

}  // namespace
}  // namespace rooftile
