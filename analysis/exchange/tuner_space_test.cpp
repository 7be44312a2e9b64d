#include "analysis/exchange/tuner_space.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/manifest.hpp"
#include "analysis/model/model.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* a_space = R"json({
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block_size_x", "Type": "int", "Values": "[2**i for i in range(4, 7)]", "Default": 32},
      {"Name": "tile", "Type": "int", "Values": "[1, 2]", "Default": [2]},
      {"Name": "width", "Type": "int", "Values": "[15]", "Default": 15}],
    "Conditions": [{"Expression": "tile == 1 or block_size_x > 16", "Parameters": []}]},
  "KernelSpecification": {
    "Language": "CUDA", "KernelName": "f", "KernelFile": "f.cu", "GlobalSizeType": "CUDA",
    "LocalSize": {"X": "block_size_x", "Y": "1", "Z": "1"},
    "GridDivX": ["block_size_x", "tile"], "ProblemSize": [4096, 8], "GridDivY": [], "SharedMemory": 0,
    "Arguments": [
      {"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "FillType": "Constant",
       "Size": "ProblemSize[0] * ProblemSize[1]", "FillValue": 0.0},
      {"Name": "in", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "FillType": "Constant",
       "Size": "ProblemSize[0] + max(width) - 1", "FillValue": 2.5},
      {"Name": "taps", "Type": "float", "MemoryType": "Vector", "MemType": "Constant", "Size": "max(width)"},
      {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 7}]}})json";

Manifest manifest_from(const std::string& json, const std::string& code = "") {
  const std::string text = manifest_of_space(json, code);
  return read_manifest("mine/kernel.toml", [&](const std::filesystem::path& file) {
    return file == "mine/kernel.toml" ? std::optional(text)
           : file == "f.cu"           ? std::optional(code)
                                      : std::nullopt;
  });
}

std::string changed(const std::string& before, const std::string& after) {
  std::string json = a_space;
  return json.replace(json.find(before), before.size(), after);
}

TEST(TunerSpace, BecomesAKernelWithItsDialsConditionsAndLaunch) {
  const Manifest kernel = manifest_from(a_space, "__constant__ float taps[15];");
  EXPECT_EQ(kernel.entry, "f");
  EXPECT_THAT(kernel.parameter("block_size_x")->values, ElementsAre(16, 32, 64));
  EXPECT_EQ(complete(kernel, {}).at("tile"), 2);
  EXPECT_EQ(why_illegal(kernel, complete(kernel, {{"block_size_x", 16}})),
            "The space asks for tile == 1 or block_size_x > 16.");
  const Launch launch = model(kernel, complete(kernel, {}), 132).launch;
  EXPECT_EQ(launch.block.x, 32);
  EXPECT_EQ(launch.grid.x, 64);
  EXPECT_EQ(launch.grid.y, 8);
  ASSERT_EQ(kernel.buffers.size(), 2u);
  EXPECT_EQ(kernel.buffers[0].role, BufferRole::output);
  EXPECT_EQ(kernel.buffers[1].count.evaluate(complete(kernel, {})), 4096 + 15 - 1);
  EXPECT_EQ(kernel.buffers[1].value.evaluate({}), 2.5);
  EXPECT_EQ(kernel.globals.size(), 1u);
  EXPECT_EQ(kernel.arguments.at(2).value.evaluate({}), 7);
}

TEST(TunerSpace, DefaultsThatBreakAConditionAreTurned) {
  const Manifest kernel = manifest_from(changed("\"Default\": 32", "\"Default\": 16"));
  EXPECT_EQ(why_illegal(kernel, complete(kernel, {})), std::nullopt);
}

TEST(TunerSpace, ADialGoesWhereTheSourceHasIt) {
  const Manifest kernel = manifest_from(a_space, "#define block_size_x 32\nint i = tile;");
  EXPECT_EQ(kernel.parameter("block_size_x")->where, ParameterPlace::constant);
  EXPECT_EQ(kernel.parameter("tile")->where, ParameterPlace::macro);
  EXPECT_EQ(kernel.parameter("width")->where, ParameterPlace::launch);
}

TEST(TunerSpace, ASizeIsAMacroWhereTheSourceAsksForIt) {
  EXPECT_EQ(manifest_from(a_space).parameter("problem_size_x")->where, ParameterPlace::argument);
  EXPECT_EQ(manifest_from(a_space, "int n = problem_size_x;").parameter("problem_size_x")->where,
            ParameterPlace::macro);
}

TEST(TunerSpace, WhatCannotBeReadIsNamed) {
  const std::tuple<std::string, std::string, const char*> rows[] = {
      {"\"[1, 2]\"", "\"[a, b]\"", "The values [a, b] of tile are no list of numbers."},
      {"\"int32\"", "\"Matrix\"", "The argument n is of the type Matrix, which no buffer has."},
      {"max(width) - 1", "len(width)", "is no arithmetic that a kernel.toml can hold."},
      {"ConfigurationSpace", "Space", "It is no search space of a tuner"}};
  for (const auto& [before, after, sentence] : rows) {
    const std::string json = changed(before, after);
    EXPECT_THAT([&] { manifest_from(json); }, ThrowsMessage<Error>(HasSubstr(sentence)));
  }
  EXPECT_THAT([] { tuner_space(changed("\"CUDA\", \"KernelName", "\"OpenCL\", \"KernelName")); },
              ThrowsMessage<Error>(HasSubstr("It is of OpenCL")));
}

TEST(TunerSpace, AConditionThatIsNoArithmeticIsAComment) {
  EXPECT_THAT(manifest_of_space(changed("tile == 1 or", "len(tile) or"), ""),
              HasSubstr("# The space also asks for len(tile) or"));
}

}  // namespace
}  // namespace rooftile
