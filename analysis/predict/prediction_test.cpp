#include "analysis/predict/prediction.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"

namespace rooftile {
namespace {

Gpu h200() {
  return *find_gpu(platform::load_gpu_table().gpus, "H200");
}

Roofs h200_roofs(double faster = 1) {
  const auto memory = [&](MemoryLevel level, double bandwidth) {
    return MemoryRoof{level, {faster * bandwidth}, Origin::measured, ""};
  };
  return {"NVIDIA H200",
          {memory(MemoryLevel::dram, 4.5e12), memory(MemoryLevel::l2, 9.5e12), memory(MemoryLevel::l1, 33e12),
           memory(MemoryLevel::shared, 33e12)},
          {{fp32_pipe, {faster * 65e12}, Origin::measured, ""},
           {warp_issue, {faster * 1.04e12}, Origin::spec, ""}}};
}

Compiled registers(int count) {
  return {.cc = {9, 0}, .registers = count, .static_shared_bytes = 1024};
}

Model modelled(const Manifest& kernel, const Parameters& given) {
  return model(kernel, complete(kernel, given), 132);
}

const std::vector<Manifest>& kernels() {
  static const std::vector<Manifest> all = platform::load_catalogue_with({}).kernels;
  return all;
}

Seconds predicted(const std::string& kernel, const Parameters& given, int registers_per_thread = 32) {
  return predict(modelled(find_kernel(kernels(), kernel), given), registers(registers_per_thread), h200(),
                 h200_roofs(), Caches::cold)
      ->time;
}

TEST(Prediction, IsNeverFasterThanItsRoofsOrAnyOfItsTerms) {
  for (const Manifest& kernel : kernels()) {
    const auto prediction = predict(modelled(kernel, {}), registers(32), h200(), h200_roofs(), Caches::cold);
    ASSERT_EQ(prediction.has_value(), kernel.states_work) << kernel.name;
    if (!prediction) {
      continue;  // by its code alone
    }
    EXPECT_GT(prediction->time, prediction->least) << kernel.name;
    EXPECT_GT(prediction->time, prediction->terms[prediction->terms.longest()]) << kernel.name;
  }
}

// The ids that app/cli/commands.md lists.
TEST(Prediction, EveryTermHasANameForProgramsThatStays) {
  std::vector<std::string> ids;
  std::ranges::transform(all_terms, std::back_inserter(ids),
                         [](Term term) { return key(term, "TF32 tensor"); });
  EXPECT_THAT(ids, testing::ElementsAre("dram", "l2", "distributed_shared_memory", "l1_and_shared_memory",
                                        "tf32_tensor", "warp_issue", "partly_written_lines", "atomics_in_l2",
                                        "atomics_on_other_blocks", "latency", "block_starts"));
}

TEST(Prediction, HigherRoofsAreNeverSlower) {
  for (const Manifest& kernel : kernels()) {
    const Model model = modelled(kernel, {});
    const auto slow = predict(model, registers(32), h200(), h200_roofs(), Caches::cold);
    const auto fast = predict(model, registers(32), h200(), h200_roofs(1.5), Caches::cold);
    EXPECT_LT(fast->time, slow->time) << kernel.name;
    EXPECT_LT(fast->least, slow->least) << kernel.name;
  }
}

TEST(Prediction, FewerBlocksAtOnceHideLessLatency) {
  const Parameters small = {{"TILE", 16}, {"N", 1024}};
  EXPECT_LT(predicted("sgemm_tiled", small, 32), predicted("sgemm_tiled", small, 96));
  EXPECT_LT(predicted("sgemm_tiled", small, 96), predicted("sgemm_tiled", small, 255));
}

TEST(Prediction, AStreamTakesTheTimeOfItsBytesAndOfTheLaunch) {
  const double bytes = 12.0 * (1 << 28);
  EXPECT_NEAR(predicted("triad", {{"N", 1 << 28}}).value, bytes / 4.5e12, 0.1 * bytes / 4.5e12);
}

TEST(Prediction, WarmCachesSpareDramWhatL2Holds) {
  const Manifest& copy = find_kernel(kernels(), "copy");
  for (const auto& [size, held] : {std::pair{1024, true}, {2048, true}, {4096, false}}) {
    const auto at = [&](Caches caches) {
      return *predict(modelled(copy, {{"N", size}}), registers(32), h200(), h200_roofs(), caches);
    };
    const Prediction cold = at(Caches::cold), warm = at(Caches::warm);
    EXPECT_TRUE(cold.terms.counts(Term::dram));
    EXPECT_NE(warm.terms.counts(Term::dram), held) << size;
    EXPECT_EQ(warm.time < cold.time, held) << size;
    EXPECT_EQ(warm.least < cold.least, held) << size;
  }
}

TEST(Prediction, ALaunchOfNextToNothingTakesAboutTheLaunchOverhead) {
  const Seconds least = predicted("copy", {{"N", 1}, {"M", 1}});
  EXPECT_GT(least, Seconds{2e-6});
  EXPECT_LT(least, Seconds{4e-6});
}

TEST(Prediction, BlocksStartWhileOthersWork) {
  const auto with_starts = [](double seconds) {
    TermTimes times;
    times[Term::dram] = {3e-6};
    times[Term::latency] = {4e-6};
    times[Term::block_starts] = {seconds};
    return together(times);
  };
  EXPECT_EQ(with_starts(3e-6), with_starts(0));
  EXPECT_EQ(with_starts(8e-6), alone({8e-6}));
}

TEST(Prediction, ArithmeticTakesIssueSlotsUnlessTensorCoresDoIt) {
  const auto at = [](const char* pipe, double arithmetic, double issue) {
    TermTimes times{.pipe = pipe};
    times[Term::arithmetic] = {arithmetic};
    times[Term::warp_issue] = {issue};
    return together(times);
  };
  EXPECT_NEAR(at(fp32_pipe, 3e-6, 4e-6).value, alone({4e-6}).value, 1e-15);
  EXPECT_NEAR(at(fp32_pipe, 4e-6, 4e-6).value, alone({4e-6}).value, 1e-15);
  EXPECT_NEAR(at(fp32_pipe, 5e-6, 4e-6).value, alone({5e-6}).value, 1e-15);
  EXPECT_GT(at(bf16_tensor_pipe, 3e-6, 4e-6), alone({4e-6}));
}

// Blocks that take turns make up for it.
TEST(Prediction, WaitsForTheBusiestWarpOfOneTurn) {
  const auto latency = [](std::int64_t blocks, double busiest) {
    Model model;
    model.launch = {{static_cast<int>(blocks)}, {128}};
    model.instructions = WarpInstructions{0, 1e4 * static_cast<double>(blocks)};
    model.busiest_warp = busiest;
    return predict(model, registers(32), h200(), h200_roofs(), Caches::cold)->terms[Term::latency];
  };
  EXPECT_NEAR(latency(100, 3) / latency(100, 1), 3, 1e-9);
  EXPECT_NEAR(latency(100'000, 3) / latency(100'000, 1), 1, 1e-9);
}

// The SM whose block does most ends last.
TEST(Prediction, OneBlockOfEachSmIsAsSlowAsTheOneThatDoesMost) {
  Model model = modelled(find_kernel(kernels(), "sgemm_tiled"), {{"N", 256}});
  model.launch.grid = {132};
  EXPECT_EQ(imbalance(model, h200()), 1);
  model.block_imbalance = 1.2;
  EXPECT_EQ(imbalance(model, h200()), 1.2);
  model.launch.grid = {264};
  EXPECT_EQ(imbalance(model, h200()), 1) << "blocks that follow each other make up for it";
}

// Microbenchmark on an H200: lanes that add to random words, G per second. An operation of L2 is a lane that
// meets others of its warp on no word of its sector, which is nearly all of them from 2,048 words on.
TEST(Prediction, AtomicsOnMoreWordsMeetMoreSlicesOfL2) {
  const struct {
    double words, measured;
  } rows[] = {{2048, 19.2}, {16384, 67.1}, {131072, 90.8}, {1048576, 99.6}};
  for (const auto& row : rows) {
    Model model;
    model.launch = {{1000}, {1024}};
    model.flops = Flops{1};
    constexpr double lanes = 1e9;
    model.atomics = {{.name = "add", .lanes = lanes, .operations = lanes, .words = row.words}};
    const auto prediction = predict(model, registers(32), h200(), h200_roofs(), Caches::cold);
    EXPECT_NEAR(lanes / prediction->terms[Term::atomics_in_l2].value * 1e-9 / row.measured, 1, 0.2)
        << row.words;
  }
}

TEST(Prediction, IsEmptyWhereNoBlockFits) {
  const Manifest& kernel = find_kernel(kernels(), "sgemm_tiled");
  EXPECT_FALSE(predict(modelled(kernel, {{"TILE", 32}}), registers(255), h200(), h200_roofs(), Caches::cold));
}

TEST(Prediction, SaysWhatItRestsOn) {
  const auto basis = [](const char* kernel, const std::optional<Compiled>& compiled) {
    return predict(modelled(find_kernel(kernels(), kernel), {}), compiled, h200(), h200_roofs(), Caches::cold)
        ->basis;
  };
  EXPECT_EQ(basis("sgemm_tiled", registers(44)),
            "what its kernel.toml states alone and 44 registers compiled for 9.0");
  EXPECT_EQ(basis("sgemm_tiled", {}), "what its kernel.toml states alone, as if registers limited nothing");
  EXPECT_EQ(basis("cublas_sgemm", {}), "work and bytes alone: what the library launches is not known");
}

}  // namespace
}  // namespace rooftile
