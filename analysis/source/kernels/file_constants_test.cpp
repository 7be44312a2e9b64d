#include "analysis/source/kernels/file_constants.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::HasSubstr;

// "TILE=16 in 3, N=1024 in 4"
std::string constants_of(const std::string& code) {
  std::string all;
  for (const FileConstant& each : file_constants(code)) {
    all += fmt::format("{}{}={} in {}", all.empty() ? "" : ", ", each.name, each.value, each.line);
  }
  return all;
}

TEST(FileConstants, AreNumbersThatAreDefinedOnceOutsideOfFunctions) {
  const struct {
    const char *code, *constants;
  } rows[] = {
      {"constexpr int TILE = 16;", "TILE=16 in 1"},
      {"\n#define TILE 16\n#define N (1024)  // rows\n", "TILE=16 in 2, N=1024 in 3"},
      {"static const unsigned int A = 1u, B{2};", "A=1 in 1, B=2 in 1"},
      {"namespace ours {\ninline constexpr std::size_t rows = 64;\n}", "rows=64 in 2"},
      {"int const_of = 3; int n = 4;", ""},
      {"void f() {\n  const int tile = 16;\n}", ""},
      {"struct S {\n  static constexpr int tile = 16;\n};", ""},
      {"constexpr int area = 16 * 16; constexpr int none = 0; const float x = 3;", ""},
      {"#ifdef BIG\n#define TILE 32\n#else\n#define TILE 16\n#endif\n", ""},
      {"#ifndef TILE\n#define TILE 16\n#endif\n", ""},
      {"#if !defined(TILE)\n#define TILE 16\n#endif\n", ""},
      {"#define STEPS 4\n#if STEPS > 2\n#endif\n", "STEPS=4 in 1"},
      {"#ifndef kernel_tuner\n#define TILE 16\n#endif\n#define N 4\n", "N=4 in 4"},
      {"#ifndef MINE_H\n#define MINE_H\n#define TILE 16\n#endif\n", "TILE=16 in 3"},
      {"#define TILE 16\n#undef TILE\n", ""},
      {"#define SCALE 1.5\n#define MIN(a, b) 3\n#define NAME \"16\"\n", ""},
      {"// #define TILE 16\n/* constexpr int N = 4; */", ""},
      {"#define BIG 99999999999999999999\n", ""},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(constants_of(row.code), row.constants) << row.code;
  }
}

TEST(FileConstants, OtherNumbersTakeTheirPlaceAndLinesStay) {
  const std::string code = "#define N 8  // N 8\nconstexpr int TILE{16};\nfloat a[TILE];\n";
  EXPECT_EQ(with_constants(code, "a.cu", {{"TILE", 128}, {"N", 4096}}),
            "#define N 4096  // N 8\nconstexpr int TILE{128};\nfloat a[TILE];\n");
  EXPECT_EQ(with_constants(code, "a.cu", {}), code);
}

TEST(FileConstants, OneThatIsNotThereIsToldOf) {
  try {
    with_constants("#define M 8\n", "a.cu", {{"N", 4096}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("N is no constant of a.cu"));
  }
}

}  // namespace
}  // namespace rooftile
