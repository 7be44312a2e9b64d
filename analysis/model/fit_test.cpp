#include "analysis/model/fit.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/combinations.hpp"
#include "analysis/model/model.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Optional;
using testing::ThrowsMessage;

const std::vector<std::string> dial_names = {"BLOCK", "N", "TILE"};

Expression formula(const std::string& text) {
  return {text, dial_names};
}
std::array<Expression, 3> sides(const char* x, const char* y = "1", const char* z = "1") {
  return {formula(x), formula(y), formula(z)};
}

Manifest kernel() {
  Manifest manifest;
  manifest.name = "mine";
  for (const std::string& name : dial_names) {
    Parameter parameter;
    parameter.name = name;
    parameter.role = name == "N" ? ParameterRole::size : ParameterRole::dial;
    parameter.where = name == "N" ? ParameterPlace::argument : ParameterPlace::macro;
    manifest.parameters.push_back(parameter);
  }
  manifest.grid = sides("N / BLOCK");
  manifest.block = sides("BLOCK");
  manifest.cluster = sides("1");
  return manifest;
}

const Parameters usual = {{"BLOCK", 128}, {"N", 1024}, {"TILE", 16}};

Gpu named(const std::string& name) {
  static const std::vector<Gpu> table = platform::load_gpu_table().gpus;
  return *find_gpu(table, name);
}

std::string why_no_model(const Manifest& manifest, Parameters given) {
  given.insert(usual.begin(), usual.end());
  try {
    model(manifest, given, 132);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Fit, WhatEveryGpuLaunchesHasAModel) {
  EXPECT_EQ(why_no_model(kernel(), {}), "");
}

struct NoModel {
  const char* what;
  void (*change)(Manifest&);
  Parameters given;
  const char* expected;
};

void expect_no_model(const std::vector<NoModel>& rows) {
  for (const NoModel& row : rows) {
    Manifest manifest = kernel();
    row.change(manifest);
    EXPECT_EQ(why_no_model(manifest, row.given), row.expected) << row.what;
  }
}

TEST(Fit, ALaunchThatNoGpuTakesIsNamedWithTheValuesBehindIt) {
  expect_no_model({
      {"threads",
       [](Manifest& m) { m.block = sides("BLOCK", "TILE"); },
       {{"BLOCK", 128}},
       "A block has 2,048 threads (BLOCK=128 TILE=16); a GPU launches at most 1,024."},
      {"threads that are no integer",
       [](Manifest& m) { m.block = sides("2147483647", "2147483647", "2147483647"); },
       {},
       "A block has 9,903,520,300,447,984,143,910,830,080 threads; a GPU launches at most 1,024."},
      {"no threads",
       [](Manifest& m) { m.block = sides("BLOCK - 128"); },
       {},
       "mine: block: \"BLOCK - 128\" is 0 (BLOCK=128); expected a whole number from 1 to 2,147,483,647"},
      {"depth",
       [](Manifest& m) { m.block = sides("1", "1", "BLOCK"); },
       {},
       "A block has 128 threads along z (BLOCK=128); a GPU launches at most 64."},
      {"no blocks",
       [](Manifest& m) { m.grid = sides("N - 1024"); },
       {},
       "mine: grid: \"N - 1024\" is 0 (N=1024); expected a whole number from 1 to 2,147,483,647"},
      {"half a block",
       [](Manifest&) {},
       {{"N", 64}},
       "mine: grid: \"N / BLOCK\" is 0.5 (BLOCK=128 N=64); expected a whole number from 1 to 2,147,483,647"},
      {"grid along x",
       [](Manifest& m) { m.grid = sides("N * N * N"); },
       {{"N", 2048}},
       "mine: grid: \"N * N * N\" is 8589934592 (N=2048); expected a whole number from 1 to 2,147,483,647"},
      {"grid along y",
       [](Manifest& m) { m.grid = sides("1", "N * 64"); },
       {},
       "The grid has 65,536 blocks along y (N=1024); a GPU launches at most 65,535 there."},
      {"grid along z",
       [](Manifest& m) { m.grid = sides("1", "1", "N * 64"); },
       {},
       "The grid has 65,536 blocks along z (N=1024); a GPU launches at most 65,535 there."},
      {"cluster",
       [](Manifest& m) { m.cluster = sides("TILE * 2"); },
       {},
       "A cluster has 32 blocks (TILE=16); a GPU launches at most 16."},
      {"half a cluster",
       [](Manifest& m) { m.cluster = sides("TILE"); },
       {},
       "A grid of 8 x 1 x 1 blocks (BLOCK=128 N=1024) is no multiple of its clusters of 16 x 1 x 1 (TILE=16): "
       "round it up."},
  });
}

TEST(Fit, AnArgumentThatNoGpuTakesIsNamedWithTheValuesBehindIt) {
  expect_no_model({
      {"an int",
       [](Manifest& m) {
         m.arguments = {{"", "int", formula("N * N * N * 2")}};
       },
       {},
       "The argument \"N * N * N * 2\" is 2,147,483,648 (N=1024), which no int holds: make it a long_long, "
       "here "
       "and in the kernel."},
      {"a buffer of less than nothing",
       [](Manifest& m) {
         m.buffers = {{"in", "float", 4, formula("N / (TILE - 32)"), {}, {}}};
       },
       {},
       "The buffer in has -64 elements (N=1024 TILE=16): \"N / (TILE - 32)\" must give 1 or more, and fit into "
       "memory."},
      {"a buffer of nothing",
       [](Manifest& m) {
         m.buffers = {{"in", "float", 4, formula("0"), {}, {}}};
       },
       {},
       "The buffer in has 0 elements: \"0\" must give 1 or more, and fit into memory."},
  });
}

TEST(Fit, ACountThatIsNoNumberFailsAsASentence) {
  Manifest manifest = kernel();
  manifest.buffers = {{"in", "float", 4, formula("N / (TILE - 16)"), {}, {}}};
  EXPECT_THAT(why_no_model(manifest, {}), HasSubstr("N / (TILE - 16)"));
}

TEST(Fit, TheLargestThatFitsIsNotRefused) {
  Manifest manifest = kernel();
  manifest.arguments = {{"", "int", formula("N * N * N * 2 - 1")}, {"", "long_long", formula("N * N * N * 2")}};
  manifest.block = sides("16", "1", "64");
  manifest.grid = sides("2147483647", "65535", "65535");
  EXPECT_EQ(why_no_model(manifest, {}), "");
}

TEST(Fit, ABlockThatNoSmHoldsIsNamedByItsLimit) {
  const struct {
    BlockResources block;
    const char* gpu;
    const char* expected;
  } rows[] = {
      {{1024, 65, 0, 0},
       "T4",
       "A block of 1,024 threads with 65 registers per thread takes more than the 65,536 registers of an SM of "
       "the T4: choose smaller blocks, or fewer registers with __launch_bounds__."},
      {{64, 16, 0, 229376}, "T4", "A block asks for 229,376 B of shared memory; the T4 allows it 65,536 B."},
      {{64, 16, 2147483647, 2147483647},
       "H200",
       "A block asks for 4,294,967,294 B of shared memory; the H200 SXM 141GB allows it 232,448 B."},
      {{0, 16, 0, 0}, "T4", "A block has 0 threads; the T4 launches from 1 to 1,024."},
      {{64, 16, 0, 0, 65}, "H200", "No block fits on an SM of the H200 SXM 141GB, limited by Barriers."},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(why_unfit(row.block, named(row.gpu)), row.expected);
  }
  EXPECT_EQ(why_unfit({1024, 64, 0, 65536}, named("T4")), std::nullopt);
}

TEST(Fit, AnSmThatNobodyDescribedHoldsNothing) {
  Gpu unknown;
  unknown.name = "X1";
  unknown.cc = {13, 4};
  EXPECT_EQ(why_unfit({64, 16, 0, 0}, unknown),
            "The limits of an SM of the X1, compute capability 13.4, are not known.");
}

struct Compilation {
  Launch launch;
  Compiled compiled;
};

Compilation launched(Launch launch, int registers, int static_shared_bytes) {
  Compilation result{launch, {}};
  result.compiled.registers = registers;
  result.compiled.static_shared_bytes = static_shared_bytes;
  return result;
}

std::optional<std::string> why(const Manifest& manifest, const Compilation& made, const Gpu& gpu) {
  return why_unfit(manifest, usual, made.launch, made.compiled, gpu);
}

TEST(Fit, ALaunchIsRefusedWithTheDialsThatTheSourceIsCompiledWith) {
  Manifest manifest = kernel();
  const Launch large{{1, 1, 1}, {1024, 1, 1}, 0};
  EXPECT_THAT(why(manifest, launched(large, 128, 0), named("H200")),
              Optional(HasSubstr("128 registers per thread (BLOCK=128 TILE=16) takes")));
  EXPECT_THAT(why(manifest, launched(large, 32, 66000), named("T4")),
              Optional(HasSubstr("66,000 B of shared memory (BLOCK=128 TILE=16); the T4")));
  manifest.dynamic_shared_bytes = formula("N * TILE * 4");
  EXPECT_THAT(why(manifest, launched({{1, 1, 1}, {64, 1, 1}, 65536}, 32, 1024), named("T4")),
              Optional(HasSubstr("66,560 B of shared memory (N=1024 TILE=16); the T4")));
  EXPECT_EQ(why(manifest, launched({{1, 1, 1}, {64, 1, 1}, 65536}, 32, 0), named("T4")), std::nullopt);
}

TEST(Fit, WhatTheArchitectureLacksIsNamed) {
  Manifest manifest = kernel();
  const Compilation clustered = launched({{8, 1, 1}, {64, 1, 1}, 0, {8, 1, 1}}, 32, 0);
  EXPECT_EQ(why(manifest, clustered, named("H200")), std::nullopt);
  EXPECT_EQ(why(manifest, clustered, named("T4")),
            "The kernel launches clusters; the T4, compute capability 7.5, has none.");
  manifest.minimum_cc = ComputeCapability{9, 0};
  EXPECT_THAT(why(manifest, clustered, named("T4")), Optional(HasSubstr("needs compute capability 9.0")));
}

// Legal dials never name a launch that no GPU takes: constraints say so first.
TEST(Fit, EveryBundledKernelIsLaunchedWithEachOfItsDials) {
  for (const Manifest& manifest : platform::load_catalogue_with({}).kernels) {
    for (const Parameter& parameter : manifest.parameters) {
      for (const double value : parameter.values) {
        const Parameters parameters = complete(manifest, {{parameter.name, value}});
        if (!why_illegal(manifest, parameters)) {
          EXPECT_NO_THROW(model(manifest, parameters, 132)) << manifest.name << " " << text(parameters);
        }
      }
    }
  }
}

}  // namespace
}  // namespace rooftile
