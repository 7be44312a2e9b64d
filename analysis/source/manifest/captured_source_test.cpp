// A captured launch and the kernel.toml of its source become one.
#include "analysis/source/manifest/captured_source.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/manifest.hpp"
#include "analysis/source/manifest/captured_manifest.hpp"
#include "analysis/source/manifest/new_manifest.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

const char* const transposing = R"(
#ifndef TILE
#define TILE 16
#endif
__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE];
}
void launch(const float* in, float* out, int rows, int columns) {
  dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose<<<grid, block>>>(in, out, rows, columns);
}
)";
// No launch: the text of the kernel alone says that a block is TILE threads.
const char* const adding = R"(
#ifndef TILE
#define TILE 16
#endif
__global__ void transpose(const float* in, float* out, int rows, int columns) {
  int i = blockIdx.x * TILE + threadIdx.x;
}
)";

template <class T>
CapturedParameter scalar(T value) {
  return {{reinterpret_cast<const char*>(&value), sizeof value}, {}};
}

CapturedLaunch captured(Dim3 grid, Dim3 block) {
  CapturedLaunch launch;
  launch.symbol = "_Z9transpose";
  launch.name = "transpose(float const*, float*, int, int)";
  launch.short_name = "transpose";
  launch.cc = {9, 0};
  launch.launch = {grid, block, 0};
  launch.parameters = {
      {std::string(8, '\0'), {{0, 0, 0}}}, {std::string(8, '\0'), {{0, 1, 0}}}, scalar(96), scalar(200)};
  launch.buffers = {{4 * 96 * 200, false}, {4 * 96 * 200, true}};
  return launch;
}

const SourceKernel transpose{"transpose", {"float const*", "float*", "int", "int"}, 2};

Manifest joined(const CapturedLaunch& launch, const std::string& code, const SourceKernel& kernel = transpose) {
  const std::string text =
      with_source(captured_manifest(launch), new_manifest(kernel, "../transpose.cu", code));
  return read_manifest("taken/kernel.toml", [&](const std::filesystem::path& file) {
    return file.filename() == "kernel.toml" ? std::optional(text) : std::optional<std::string>(code);
  });
}

std::array<double, 3> sides(const std::array<Expression, 3>& texts, const Manifest& kernel,
                            const Parameters& given) {
  const Parameters at = complete(kernel, given);
  return {texts[0].evaluate(at), texts[1].evaluate(at), texts[2].evaluate(at)};
}

TEST(CapturedSource, GridAndBlockFollowTheDialsAsTheSourceLaunchesThem) {
  const Manifest kernel = joined(captured({13, 6, 1}, {16, 16, 1}), transposing);
  EXPECT_EQ(kernel.source.filename(), "transpose.cu");
  EXPECT_EQ(kernel.entry, "transpose");
  EXPECT_THAT(sides(kernel.grid, kernel, {}), ElementsAre(13, 6, 1));
  EXPECT_THAT(sides(kernel.block, kernel, {}), ElementsAre(16, 16, 1));
  EXPECT_THAT(sides(kernel.grid, kernel, {{"TILE", 32}}), ElementsAre(7, 3, 1));
  EXPECT_THAT(sides(kernel.block, kernel, {{"TILE", 32}}), ElementsAre(32, 32, 1));
  EXPECT_EQ(kernel.arguments.size(), 4U);
  EXPECT_EQ(kernel.buffers.size(), 2U);
  EXPECT_TRUE(kernel.verify);
}

TEST(CapturedSource, AProgramThatWasCompiledOtherwiseGivesTheDialItsValue) {
  const Manifest kernel = joined(captured({25, 12, 1}, {8, 8, 1}), transposing);
  EXPECT_EQ(complete(kernel, {}).at("TILE"), 8);
  EXPECT_THAT(kernel.parameter("TILE")->values, IsSupersetOf({2, 4, 8, 16, 32}));
  EXPECT_THAT(sides(kernel.grid, kernel, {}), ElementsAre(25, 12, 1));
  EXPECT_THAT(sides(kernel.grid, kernel, {{"TILE", 16}}), ElementsAre(13, 6, 1));
}

TEST(CapturedSource, WithoutALaunchInTheSourceADialDividesTheThreads) {
  const Manifest kernel = joined(captured({10, 1, 1}, {16, 1, 1}), adding);
  EXPECT_THAT(sides(kernel.grid, kernel, {{"TILE", 32}}), ElementsAre(5, 1, 1));
  EXPECT_THAT(sides(kernel.block, kernel, {{"TILE", 32}}), ElementsAre(32, 1, 1));
}

TEST(CapturedSource, ABlockForEachRowStaysOne) {
  std::string code = transposing;
  code.replace(code.find("<<<grid"), 7, "<<<rows");
  const Manifest kernel = joined(captured({13, 1, 1}, {16, 16, 1}), code);
  EXPECT_THAT(sides(kernel.grid, kernel, {{"TILE", 8}}), ElementsAre(13, 1, 1));
  EXPECT_THAT(sides(kernel.block, kernel, {{"TILE", 8}}), ElementsAre(8, 8, 1));
}

// Another tile may add in another order.
TEST(CapturedSource, WhatIsWrittenHasTheElementsThatTheSourceSays) {
  const CapturedLaunch launch = captured({13, 6, 1}, {16, 16, 1});
  const auto element = [&](const std::string& type) {
    SourceKernel kernel = transpose;
    kernel.types[1] = type + "*";
    std::string code = transposing;
    code.replace(code.find("float* out"), 5, type);
    const Manifest made = joined(launch, code, kernel);
    EXPECT_EQ(made.buffers[0].element, "char") << "is read alone";
    const double bytes = made.buffers[1].count.evaluate(complete(made, {})) * made.buffers[1].element_bytes;
    EXPECT_EQ(bytes, 4 * 96 * 200) << type;
    return made.buffers[1].element;
  };
  EXPECT_EQ(element("float"), "float");
  EXPECT_EQ(element("double"), "double");
  EXPECT_EQ(element("int"), "char");
}

TEST(CapturedSource, AMemoryOfSeveralTypesIsComparedBitByBit) {
  CapturedLaunch launch = captured({13, 6, 1}, {16, 16, 1});
  launch.parameters[0].pointers[0].buffer = 1;
  SourceKernel kernel = transpose;
  kernel.types[0] = "int const*";
  std::string code = transposing;
  code.replace(code.find("float* in"), 5, "int");
  EXPECT_EQ(joined(launch, code, kernel).buffers[1].element, "char");
  EXPECT_EQ(joined(launch, transposing).buffers[1].element, "float");
}

TEST(CapturedSource, AMemoryThatAStructPointsToIsComparedBitByBit) {
  CapturedLaunch launch = captured({13, 6, 1}, {16, 16, 1});
  launch.parameters[2] = {std::string(16, '\0'), {{8, 1, 0}}};
  const std::string sourced = new_manifest(transpose, "../transpose.cu", transposing);
  EXPECT_THAT(with_source(captured_manifest(launch), sourced), testing::Not(HasSubstr("element = \"float\"")));
  launch.parameters[2].pointers[0].buffer = 0;
  EXPECT_THAT(with_source(captured_manifest(launch), sourced), HasSubstr("element = \"float\""));
}

TEST(CapturedSource, AGridThatNoDialExplainsStaysAsItWas) {
  const Manifest kernel = joined(captured({3, 5, 1}, {16, 16, 1}), transposing);
  EXPECT_THAT(sides(kernel.grid, kernel, {}), ElementsAre(3, 5, 1));
}

TEST(CapturedSource, WithoutADialTheThreadsOfABlockStayOne) {
  const Manifest kernel = joined(captured({10, 1, 1}, {192, 1, 1}), transposing);
  EXPECT_THAT(sides(kernel.block, kernel, {{"BLOCK", 64}}), ElementsAre(64, 1, 1));
  EXPECT_THAT(sides(kernel.grid, kernel, {{"BLOCK", 64}}), ElementsAre(30, 1, 1));
}

TEST(CapturedSource, AClusterStaysOne) {
  CapturedLaunch launch = captured({14, 6, 1}, {16, 16, 1});
  launch.launch.cluster = {2, 1, 1};
  EXPECT_EQ(joined(launch, transposing).minimum_cc, (ComputeCapability{9, 0}));
}

// A program's module has variables of headers too.
TEST(CapturedSource, VariablesAreThoseOfTheSource) {
  CapturedLaunch launch = captured({13, 6, 1}, {16, 16, 1});
  launch.globals = {"cuda::std::(anonymous namespace)::ignore", "(anonymous namespace)::weights"};
  SourceKernel kernel = transpose;
  kernel.variables = {{"(anonymous namespace)::weights", 64}};
  const std::string code = std::string("namespace { __constant__ float weights[16]; }\n") + transposing;
  const Manifest made = joined(launch, code, kernel);
  ASSERT_EQ(made.globals.size(), 1U);
  EXPECT_EQ(made.globals[0].name, "(anonymous namespace)::weights");
  EXPECT_EQ(made.globals[0].file.filename(), "g1.npy");
}

TEST(CapturedSource, AnotherKernelIsRefused) {
  CapturedLaunch launch = captured({13, 6, 1}, {16, 16, 1});
  launch.parameters.pop_back();
  EXPECT_THAT([&] { joined(launch, transposing); },
              testing::ThrowsMessage<Error>(HasSubstr("takes 4 arguments, and the captured launch gave 3")));
}

}  // namespace
}  // namespace rooftile
