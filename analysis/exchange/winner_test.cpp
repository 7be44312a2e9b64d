#include "analysis/exchange/winner.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/roofline/example_point.hpp"

namespace rooftile {
namespace {

using testing::HasSubstr;
using testing::Not;

const Manifest& tiled() {
  static const auto kernels = platform::load_catalogue_with({}).kernels;
  return find_kernel(kernels, "sgemm_tiled");
}

Point launch(const Manifest& kernel, const Parameters& given) {
  Point point = example::timed_gemm();
  point.parameters = complete(kernel, given);
  return point;
}

TEST(ConstantsHeader, ANumberThatTheSourceFixesIsNoMacro) {
  Manifest kernel = tiled();
  kernel.parameters.front().where = ParameterPlace::constant;
  const Point point = launch(kernel, {});
  const std::string name = kernel.parameters.front().name;
  EXPECT_THAT(constants_header(kernel, point), HasSubstr("a constant of sgemm_tiled.cu\n"));
  EXPECT_THAT(constants_header(kernel, point), Not(HasSubstr("#define " + name + " ")));
  EXPECT_THAT(define_options(kernel, point), Not(HasSubstr(name + "=")));
}

TEST(MeasureLine, NamesWhatIsNotAtItsDefault) {
  EXPECT_EQ(measure_line(tiled(), launch(tiled(), {})), "rooftile-cli measure sgemm_tiled");
  Point point = launch(tiled(), {{"TILE", 32}, {"PAD_A", 1}, {"alpha", 0.5}});
  EXPECT_EQ(measure_line(tiled(), point), "rooftile-cli measure sgemm_tiled PAD_A=1 TILE=32 alpha=0.5");
  point.caches = Caches::warm;
  EXPECT_THAT(measure_line(tiled(), point), testing::EndsWith(" --caches warm"));
}

TEST(ConstantsHeader, HoldsTheDialsInTheOrderOfTheManifestAndNoSizes) {
  EXPECT_EQ(constants_header(tiled(), launch(tiled(), {{"TILE", 32}, {"PAD_B", 1}})),
            "// Constants found by rooftile: Tiled matrix multiply\n"
            "// 1.84 ms on NVIDIA H200, cold caches\n"
            "// rooftile-cli measure sgemm_tiled PAD_B=1 TILE=32\n"
            "#pragma once\n\n"
            "#define TILE 32  // Tile\n"
            "#define PAD_A 0  // Padding of A\n"
            "#define PAD_B 1  // Padding of B\n");
}

TEST(ConstantsHeader, DialsThatAreNoMacrosAreComments) {
  Manifest kernel = tiled();
  kernel.entry = "multiply<float, TILE>";
  kernel.parameters[0].where = ParameterPlace::template_argument;
  ASSERT_EQ(kernel.parameters[0].name, "TILE");
  const Point point = launch(kernel, {{"TILE", 32}});
  EXPECT_THAT(constants_header(kernel, point),
              HasSubstr("// multiply<float, 32>\n#pragma once\n\n// TILE = 32\n"));
  EXPECT_EQ(define_options(kernel, point), "-DPAD_A=0 -DPAD_B=0");
}

TEST(DefineOptions, NameEveryMacro) {
  EXPECT_EQ(define_options(tiled(), launch(tiled(), {{"TILE", 32}})), "-DTILE=32 -DPAD_A=0 -DPAD_B=0");
}

TEST(ConstantsHeader, WhatAStrangerWroteStaysACommentAndAName) {
  Manifest kernel = tiled();
  kernel.name = "3 evil; rm -rf";
  kernel.title = "two\nlines \\";
  Point point = launch(kernel, {{"TILE", 8}});
  point.gpu = "\nint x;";
  const std::string header = constants_header(kernel, point);
  EXPECT_THAT(header, HasSubstr(": two lines /\n//"));
  EXPECT_THAT(header, Not(HasSubstr("\nint x;")));
  EXPECT_THAT(measure_line(kernel, point), HasSubstr("measure '3 evil; rm -rf' TILE=8"));
}

TEST(WinnerJson, HoldsEveryParameterAndTheLineThatRepeatsIt) {
  const std::string json = winner_json(tiled(), launch(tiled(), {{"TILE", 32}}));
  EXPECT_TRUE(is_winner_json(json));
  const auto winner = nlohmann::json::parse(json);
  EXPECT_EQ(winner.at("kernel"), "sgemm_tiled");
  EXPECT_EQ(winner.at("parameters").at("TILE"), 32);
  EXPECT_EQ(winner.at("parameters").at("N"), 2048);
  EXPECT_EQ(winner.at("time_s"), 1.843e-3);
  EXPECT_EQ(winner.at("measure"), "rooftile-cli measure sgemm_tiled TILE=32");
  EXPECT_FALSE(is_winner_json("{}"));
}

TEST(ConstantsHeader, IsRecognisedByItsFirstLine) {
  EXPECT_TRUE(is_constants_header(constants_header(tiled(), launch(tiled(), {}))));
  EXPECT_FALSE(is_constants_header("#pragma once\n"));
}

}  // namespace
}  // namespace rooftile
