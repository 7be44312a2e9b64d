#include "analysis/source/kernels/open_macros.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<SourceMacro> open(const std::string& code, const std::vector<std::string>& names) {
  std::string log;
  for (const std::string& name : names) {
    log += fmt::format("mine.cu(3): error: identifier \"{}\" is undefined\n", name);
  }
  return open_macros(log, code);
}

TEST(OpenMacros, NumbersThatNobodyDefinesAreDials) {
  EXPECT_THAT(
      open("__shared__ float s[block_size_x][block_size_y]; i = blockIdx.x * block_size_x; y * tile_size_x;",
           {"block_size_x", "block_size_y", "block_size_x", "tile_size_x"}),
      ElementsAre(SourceMacro{"block_size_x", 16}, SourceMacro{"block_size_y", 16},
                  SourceMacro{"tile_size_x", 1}));
  EXPECT_THAT(open("i = blockIdx.x * THREADS;", {"THREADS"}), ElementsAre(SourceMacro{"THREADS", 256}));
  EXPECT_THAT(open("#pragma unroll STEPS\n", {"STEPS"}), ElementsAre(SourceMacro{"STEPS", 1}));
  EXPECT_THAT(open("i % DIM_XA; j % DIM_XB;", {"DIM_XA", "DIM_XB"}),
              ElementsAre(SourceMacro{"DIM_XA", 1}, SourceMacro{"DIM_XB", 1}));
  EXPECT_THAT(open("i < N;", {"N"}), ElementsAre(SourceMacro{"N", 1024}));
  EXPECT_THAT(open("i = x / WARPSIZE; n = m / (WARPSIZE * 4);", {"WARPSIZE"}),
              ElementsAre(SourceMacro{"WARPSIZE", 32}));
}

TEST(OpenMacros, AMacroThatAnErrorOfTheSourceAsksForIsADial) {
  EXPECT_THAT(
      open_macros("common.h(9): catastrophic error: #error directive: \"USE_HALF is undefined. Define it.\"\n",
                  "#ifndef USE_HALF\n#endif\n"),
      ElementsAre(SourceMacro{"USE_HALF", 1}));
  EXPECT_THAT(open_macros("a.h(9): catastrophic error: #error directive: needs C++20\n", ""), IsEmpty());
}

TEST(OpenMacros, MistakesAreNoDials) {
  const std::pair<const char*, const char*> rows[] = {{"int idx = 0; x[idx] = indx;", "indx"},
                                                      {"y = f(3);", "f"},
                                                      {"y = a[3];", "a"},
                                                      {"y = thredIdx.x;", "thredIdx"},
                                                      {"total = 3;", "total"},
                                                      {"real x = 3;", "real"},
                                                      {"f(real* x);", "real"},
                                                      {"y = count;", "count"},
                                                      {"y = 1;", "Z"}};
  for (const auto& [code, name] : rows) {
    EXPECT_THAT(open(code, {name}), IsEmpty()) << code;
  }
}

TEST(OpenMacros, WhatOnlyAnIfAsksForIsADial) {
  EXPECT_THAT(
      asked_macros(
          "#if use_padding == 1\n#elif __CUDA_ARCH__ >= 800\n#endif\n#if CUDA_VERSION >= 12000\n#endif\n"
          "#define OWN 1\n#if OWN == 1\n#endif\n"),
      ElementsAre(SourceMacro{"use_padding", 0}));
}

}  // namespace
}  // namespace rooftile
