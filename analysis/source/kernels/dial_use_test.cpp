#include "analysis/source/kernels/dial_use.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

TEST(DialUse, AMacroThatChangesNothingIsToldWithItsReason) {
  const struct {
    const char *code, *why;
  } rows[] = {
      {"int a[TILE];", ""},
      {"#ifndef TILE\n#define TILE 16\n#endif\nint a[TILE];", ""},
      {"#if !defined(TILE)\n#define TILE 16\n#endif\nint a[TILE];", ""},
      {"#if TILE == 2\n#endif", ""},
      {"#ifndef tuner\n#define TILE 16\n#endif\nint a[TILE];", ""},
      {"#define WIDTH (2 * TILE)\nint a[WIDTH];", ""},
      {"// a tile\n#define TILE 16\nint a[TILE];",
       "TILE changes nothing: mine.cu defines it itself in line 2. Say where = \"constant\" of it in "
       "kernel.toml."},
      {"#define TILE (2 * 8)\nint a[TILE];",
       "TILE changes nothing: mine.cu defines it itself in line 1. Write #ifndef TILE before that line and "
       "#endif behind it."},
      {"// TILE\nint a[TILES];",
       "TILE changes nothing: mine.cu never mentions it. The nearest name there is TILES."},
      {"int a[4];", "TILE changes nothing: mine.cu never mentions it."},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(why_no_dial({row.code}, "mine.cu", {"TILE"}).value_or(""), row.why) << row.code;
  }
  EXPECT_FALSE(why_no_dial({"#include \"a.h\"", "int a[TILE];"}, "mine.cu", {"TILE"}));
  EXPECT_EQ(why_no_dial({"int a[TILE];"}, "mine.cu", {"TILE", "PADDING", "ROUNDS"}),
            "PADDING changes nothing: mine.cu never mentions it.");
}

TEST(DialUse, AMacroThatIsDefinedIsToldOfWhereItIsNearlyANameOfTheText) {
  EXPECT_EQ(why_misspelt_macro({"int a[TILE];"}, "mine.cu", "TIEL"),
            "TIEL changes nothing: mine.cu never mentions it. The nearest name there is TILE.");
  for (const char* other : {"TILE", "NDEBUG", "_TILE", "WITH_HALF"}) {
    EXPECT_FALSE(why_misspelt_macro({"#if DEBUG\nint a[TILE];\n#endif"}, "mine.cu", other)) << other;
  }
}

}  // namespace
}  // namespace rooftile
