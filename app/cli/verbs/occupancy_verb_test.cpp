// rooftile-cli occupancy: limits, steps, worked cases of teaching material.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using OccupancyVerb = CommandLine;

TEST_F(OccupancyVerb, ASourceThatDoesNotCompileIsToldInTheCompilersWords) {
  write("description",
        R"({"kernels":[{"name":"sum","types":["float*","int"],"dimensions":1,"dynamic_shared":false}]})");
  write("mine.cu", "__global__ void sum(float* out, int n) {}");
  const Outcome outcome = run_scripted({"occupancy", file("mine.cu").string(), "--gpu", "H200"},
                                       "--no-compile n=4194304 --description " + file("description").string());
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("mine.cu(12): error: expected a \";\""));
}

TEST_F(OccupancyVerb, ASourceIsOnlyReadAndAGuessIsCalledOne) {
  write("description",
        R"({"kernels":[{"name":"sum","types":["float*","int"],"dimensions":1,"dynamic_shared":false}]})");
  const std::string script = "--description " + file("description").string();
  const std::string kernel = "__global__ void sum(float* out, int n) {}\n";
  const std::pair<const char*, const char*> rows[] = {
      {"", "launch      a guess"},
      {"int main() { sum<<<8, 64>>>(x, 512); }\n", "launch      as in line 2 of mine.cu"}};
  for (const auto& [host, said] : rows) {
    write("mine.cu", kernel + host);
    const Outcome outcome = run_scripted({"occupancy", file("mine.cu").string(), "--gpu", "H200"}, script);
    EXPECT_EQ(outcome.how, ok) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(said));
    EXPECT_FALSE(std::filesystem::exists(file("mine")));
  }
}

TEST_F(OccupancyVerb, OccupancyShowsEachLimitAndTheCliffs) {
  const Outcome outcome =
      run({"occupancy", "--block", "256", "--registers", "40", "--shared", "8192", "--gpu", "h200"});
  EXPECT_EQ(outcome.how, ok);
  EXPECT_EQ(
      outcome.out,
      "H200 SXM 141GB, blocks of 256 threads\n\n"
      "occupancy   75 %: blocks per SM: 6, warps: 48 of 64\n"
      "room        37 KiB of shared memory per block, 148 B per thread, with so many blocks: 1 KiB of every "
      "block are the "
      "system's\n"
      "cliff       1 more register per thread: 6 -> 5 blocks, occupancy 75 % -> 62.5 %\n"
      "cliff       8 fewer registers per thread: 6 -> 8 blocks, occupancy 75 % -> 100 %\n"
      "cliff       29,697 more bytes of shared memory per block: 6 -> 5 blocks, occupancy 75 % -> 62.5 %\n\n"
      "limited by     to blocks  a block takes  of an SM's\n"
      "Warps                  8            256       2,048\n"
      "Registers              6         10,240      65,536  binds\n"
      "Shared memory         25          9 KiB     228 KiB\n"
      "Block slots           32              1          32\n"
      "Barriers              64              1          64\n\n"
      "blocks of a cluster  clusters at once  SMs that can hold them\n"
      "                  1               792                     132  here\n"
      "                  2               396                     132\n"
      "                  4               186                     124\n"
      "                  8                92                     124\n"
      "                 16                42                     116\n");
}

// 16 KiB of a V100's 96: one block of 12 KiB.
TEST_F(OccupancyVerb, OccupancyFollowsTheCarveout) {
  const Arguments words = {"occupancy", "--block", "128",   "--registers", "32",
                           "--shared",  "12288",   "--gpu", "v100",        "--json"};
  Arguments small = words;
  small.insert(small.end(), {"--carveout", "16"});
  const auto blocks = [&](const Arguments& asked) {
    return json::parse(run(asked).out).at("theoretical_occupancy").at("blocks_per_sm").get<int>();
  };
  EXPECT_EQ(blocks(words), 8);
  EXPECT_EQ(blocks(small), 1);
}

TEST_F(OccupancyVerb, TheCarveoutOfAKernelCountsInEveryFigureAndIsNotGivenTwice) {
  const Arguments words = {"occupancy", "row_softmax", "CARVEOUT=50", "--gpu", "RTX 4090", "--json"};
  const json all = json::parse(run_scripted(words, "--no-device").out);
  const int present = all.at("theoretical_occupancy").at("blocks_per_sm");
  for (const json& place : all.at("dials").at("CARVEOUT")) {
    if (place.at("value") == 50) {
      EXPECT_EQ(place.at("blocks_per_sm"), present);
    } else if (place.at("value") == 100) {
      EXPECT_GT(place.at("blocks_per_sm"), present);
    }
  }
  Arguments twice = words;
  twice.insert(twice.end(), {"--carveout", "100"});
  EXPECT_EQ(run_scripted(twice, "--no-device").how, "ended with status 2");
}

// The scripted worker's compiler makes 32 registers of everything.
TEST_F(OccupancyVerb, OccupancyOfAKernelSaysWhatEachDialValueWouldHold) {
  const Arguments words = {"occupancy", "sgemm_tiled_vector", "TILE=32", "--gpu", "a6000"};
  const Outcome outcome = run_scripted(words, "--no-device");
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("RTX A6000, blocks of "));
  EXPECT_THAT(outcome.out, HasSubstr("nothing spilled"));
  EXPECT_THAT(outcome.out, HasSubstr("dial        Tile "));
  Arguments as_json = words;
  as_json.emplace_back("--json");
  const json answer = json::parse(run_scripted(as_json, "--no-device").out);
  const json tile = answer.at("dials").at("TILE");
  ASSERT_EQ(tile.size(), 3U);
  EXPECT_EQ(tile.at(1).at("value"), 32);
  EXPECT_EQ(tile.at(1).at("blocks_per_sm"), answer.at("theoretical_occupancy").at("blocks_per_sm"));
  EXPECT_EQ(tile.at(1).at("threads"), answer.at("block").at("threads"));
  EXPECT_FALSE(answer.at("cliffs").empty());
}

TEST_F(OccupancyVerb, OccupancyOfABlockThatDoesNotFitIsAFailure) {
  const Arguments block = {"occupancy", "--block", "256",   "--registers", "40",
                           "--shared",  "8192",    "--gpu", "H200"};
  Arguments large = block;
  large.insert(large.end(), {"--dynamic", "300000", "--json"});
  const Outcome outcome = run(large);
  EXPECT_EQ(outcome.how, failed);
  const json answer = json::parse(outcome.out).at("theoretical_occupancy");
  EXPECT_EQ(answer.at("ratio"), 0);
  EXPECT_EQ(answer.at("blocks_per_sm"), 0);
  EXPECT_EQ(answer.at("limits").at(2), json({{"limiter", "shared_memory"},
                                             {"title", "Shared memory"},
                                             {"binds", true},
                                             {"blocks_per_sm", 0},
                                             {"used_per_block", 308192},
                                             {"allocated_per_block", 309248},
                                             {"capacity_per_sm", 233472}}));
}

TEST_F(OccupancyVerb, OccupancySaysWhyABlockDoesNotFit) {
  const struct {
    const char *block, *registers, *fixed, *dynamic, *sentence;
  } rows[] = {
      {"32", "32", "999999999", "0",
       "A block asks for 999,999,999 B of shared memory; the T4 allows it 65,536 B."},
      {"32", "32", "2147483647", "2147483647", "A block asks for 4,294,967,294 B of shared memory; the T4"},
      {"1024", "65", "0", "0", "takes more than the 65,536 registers of an SM of the T4"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = run({"occupancy", "--block", row.block, "--registers", row.registers, "--shared",
                                 row.fixed, "--dynamic", row.dynamic, "--gpu", "T4"});
    EXPECT_EQ(outcome.how, failed) << row.sentence;
    EXPECT_THAT(outcome.out, HasSubstr("occupancy   0 %: blocks per SM: 0")) << row.sentence;
    EXPECT_THAT(outcome.err, HasSubstr(row.sentence));
  }
}

TEST_F(OccupancyVerb, OccupancyKnowsTheLimitsOfEachChip) {
  const struct {
    const char *gpu, *block, *registers;
    double ratio;
  } rows[] = {
      {"T4", "1024", "64", 1},           {"T4", "256", "128", 0.5}, {"V100", "256", "32", 1},
      {"4090", "1024", "32", 2 / 3.0},   {"4090", "512", "32", 1},  {"H100 SXM", "1024", "64", 0.5},
      {"H100 SXM", "128", "255", 0.125},
  };
  for (const auto& row : rows) {
    const Outcome outcome = run({"occupancy", "--block", row.block, "--registers", row.registers, "--shared",
                                 "0", "--gpu", row.gpu, "--json"});
    ASSERT_EQ(outcome.how, ok) << row.gpu << outcome.err;
    EXPECT_EQ(json::parse(outcome.out).at("theoretical_occupancy").at("ratio"), row.ratio)
        << row.gpu << ' ' << row.block << ' ' << row.registers;
  }
}

// Questions of teaching material, one command each.
TEST_F(OccupancyVerb, AnswersWorkedCases) {
  const Arguments a6000 = {"occupancy", "--block", "1024",  "--registers", "36",
                           "--shared",  "8192",    "--gpu", "a6000"};
  const Arguments a100 = {"occupancy", "--registers", "32", "--shared", "0", "--gpu", "a100 40", "--block"};
  const auto with = [](Arguments words, const char* last) {
    words.emplace_back(last);
    return words;
  };
  const struct {
    Arguments words;
    const char* expected;
  } rows[] = {
      {a6000, "occupancy   66.7 %"},
      {{"roofs", "--gpu", "a100 40"}, "ridge of FP32 and DRAM: 12.5 FLOP/B"},
      {with(a100, "256"), "19.5 KiB of shared memory per block, 78 B per thread"},
      {with(a100, "1024"), "81 KiB of shared memory per block, 81 B per thread"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = run_scripted(row.words, "--no-device");
    EXPECT_EQ(outcome.how, ok) << row.expected << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(row.expected));
  }
}

}  // namespace
}  // namespace rooftile::cli
