// CUPTI's host interface answers for every chip it knows, on any machine.
#include "kernels/worker/count/counter_config.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/text/error.hpp"
#include "kernels/worker/roofs/spec_roofs.hpp"

namespace rooftile::worker {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;
using testing::ThrowsMessage;

using Names = std::vector<std::string>;

const Names pairs = {"smsp__sass_thread_inst_executed_op_fadd2_pred_on.sum",
                     "smsp__sass_thread_inst_executed_op_fmul2_pred_on.sum",
                     "smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum"};
const Names no_cp_async = {pairs[0], pairs[1], pairs[2], "smsp__sass_inst_executed_op_ldgsts.sum"};
// Systems on a chip have no memory of their own.
const Names pairs_and_dram = {"dram__bytes_read.sum",
                              "dram__bytes_write.sum",
                              "dram__cycles_elapsed.avg.per_second",
                              pairs[0],
                              pairs[1],
                              pairs[2]};
const Names renamed_in_gb20x = {"dram__bytes_read.sum", "dram__bytes_write.sum"};

// Asked of CUPTI 13.0. Rows of the metric table are named by their first name.
const struct ChipRow {
  const char* chip;
  int passes;
  Names absent;   // rows of which the chip knows no name
  Names renamed;  // rows that are counted by another name than their first
} chips[] = {
    {"GV100", 4, no_cp_async, {}},
    {"TU102", 3, no_cp_async, {}},
    {"TU104", 3, no_cp_async, {}},
    {"TU106", 3, no_cp_async, {}},
    {"TU116", 3, no_cp_async, {}},
    {"TU117", 3, no_cp_async, {}},
    {"GA100", 3, pairs, {}},
    {"GA102", 3, pairs, {}},
    {"GA103", 3, pairs, {}},
    {"GA104", 3, pairs, {}},
    {"GA106", 3, pairs, {}},
    {"GA107", 3, pairs, {}},
    {"GA10B", 3, pairs_and_dram, {}},
    {"GH100", 3, pairs, {}},
    {"AD102", 3, pairs, {}},
    {"AD103", 3, pairs, {}},
    {"AD104", 3, pairs, {}},
    {"AD106", 3, pairs, {}},
    {"AD107", 3, pairs, {}},
    {"GB100", 3, {}, {}},
    {"GB102", 3, {}, {}},
    {"GB110", 3, {}, {}},
    {"GB10B", 3, pairs_and_dram, {}},
    {"GB202", 4, pairs, renamed_in_gb20x},
    {"GB203", 4, pairs, renamed_in_gb20x},
    {"GB205", 4, pairs, renamed_in_gb20x},
    {"GB206", 4, pairs, renamed_in_gb20x},
    {"GB207", 4, pairs, renamed_in_gb20x},
    {"GB20B", 4, pairs_and_dram, {}},
};

std::vector<MetricRow> rows_of_an_fp32_kernel() {
  std::vector<MetricRow> rows = metric_table();
  std::erase_if(rows, [](const MetricRow& row) { return row.needed && !row.needed({}); });
  return rows;
}

class CounterConfigTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(cupti_) << tried_; }

  // An older or newer CUPTI knows fewer of them.
  std::vector<ChipRow> known_chips() const {
    const Names known = supported_chips(*cupti_);
    std::vector<ChipRow> rows(std::begin(chips), std::end(chips));
    std::erase_if(rows, [&](const ChipRow& row) { return std::ranges::find(known, row.chip) == known.end(); });
    return rows;
  }

  std::string tried_;
  std::optional<Cupti> cupti_ = load_cupti(&tried_);
};

TEST_F(CounterConfigTest, CuptiKnowsTheChipsOfEveryGeneration) {
  EXPECT_THAT(supported_chips(*cupti_),
              IsSupersetOf({"GV100", "TU102", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202"}));
}

TEST_F(CounterConfigTest, EveryMetricIsKnownEverywhereButHere) {
  for (const ChipRow& row : known_chips()) {
    const ProfilerHost host(*cupti_, row.chip);
    Names absent, renamed;
    for (const MetricRow& metric : rows_of_an_fp32_kernel()) {
      const auto first = std::ranges::find_if(metric.names, [&](const auto& name) { return host.knows(name); });
      if (first == metric.names.end()) {
        absent.push_back(metric.names.front());
      } else if (first != metric.names.begin()) {
        renamed.push_back(metric.names.front());
      }
    }
    EXPECT_THAT(absent, ElementsAreArray(row.absent)) << row.chip;
    EXPECT_THAT(renamed, ElementsAreArray(row.renamed)) << row.chip;
  }
}

TEST_F(CounterConfigTest, TheSetConfiguresInSoManyPasses) {
  for (const ChipRow& row : known_chips()) {
    const CounterConfig config(*cupti_, row.chip, {});
    EXPECT_EQ(config.passes(), row.passes) << row.chip;
    EXPECT_EQ(config.metrics().size(), rows_of_an_fp32_kernel().size() - row.absent.size()) << row.chip;
    EXPECT_FALSE(config.image().empty()) << row.chip;
  }
}

// Asked of CUPTI 13.0.
TEST_F(CounterConfigTest, TensorOperationsAreOneMetricMore) {
  const struct {
    const char* chip;
    const char* pipe;
    int passes;
    const char* metric;
  } rows[] = {
      {"GV100", fp16_tensor_pipe, 3, "sm__ops_path_tensor_src_fp16_dst_fp32.sum"},
      {"TU102", fp16_tensor_pipe, 3, "sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum"},
      {"GA100", bf16_tensor_pipe, 4, "sm__ops_path_tensor_src_bf16_dst_fp32.sum"},
      {"GA102", tf32_tensor_pipe, 4, "sm__ops_path_tensor_src_tf32_dst_fp32.sum"},
      {"GH100", tf32_tensor_pipe, 4, "sm__ops_path_tensor_src_tf32_dst_fp32.sum"},
      {"GH100", bf16_tensor_pipe, 4, "sm__ops_path_tensor_src_bf16_dst_fp32.sum"},
      {"GH100", fp16_tensor_pipe, 4, "sm__ops_path_tensor_src_fp16.sum"},
      {"GH100", fp8_tensor_pipe, 3, "sm__ops_path_tensor_src_fp8.sum"},
      {"GH100", fp64_tensor_pipe, 3, "sm__ops_path_tensor_src_fp64.sum"},
      {"GH100", int8_tensor_pipe, 4, "sm__ops_path_tensor_src_int8.sum"},
      {"GB202", bf16_tensor_pipe, 4, "sm__ops_path_tensor_src_bf16_dst_fp32.sum"},
  };
  for (const auto& row : rows) {
    const CounterConfig config(*cupti_, row.chip, {row.pipe});
    EXPECT_EQ(config.passes(), row.passes) << row.chip << " " << row.pipe;
    EXPECT_THAT(config.names(), Contains(testing::StrEq(row.metric))) << row.chip;
    EXPECT_THAT(config.names(), SizeIs(CounterConfig(*cupti_, row.chip, {}).names().size() + 1));
  }
}

TEST_F(CounterConfigTest, ClustersAreOneMetricMore) {
  const struct {
    const char* chip;
    int passes;
  } rows[] = {{"GH100", 4}, {"GB100", 4}, {"GB202", 4}};
  for (const auto& row : rows) {
    const CounterConfig config(*cupti_, row.chip, {.clusters = true});
    EXPECT_EQ(config.passes(), row.passes) << row.chip;
    EXPECT_THAT(config.names(), Contains(testing::StrEq("l1tex__t_bytes_pipe_lsu_mem_dshared.sum")))
        << row.chip;
  }
}

TEST_F(CounterConfigTest, BytesAsNsightComputeDefinesThemAreTwoMetricsMore) {
  const struct {
    const char* chip;
    int passes;
    const char* l1;
  } rows[] = {{"GV100", 5, "l1tex__lsu_writeback_active.sum"},
              {"TU102", 4, "l1tex__lsu_writeback_active_mem_lg.sum"},
              {"AD102", 4, "l1tex__lsu_writeback_active_mem_lg.sum"},
              {"GH100", 4, "l1tex__lsu_writeback_active_mem_lgds.sum"},
              {"GB202", 4, "l1tex__lsu_writeback_active_mem_lgds.sum"}};
  for (const auto& row : rows) {
    const CounterConfig config(*cupti_, row.chip, {.returned_bytes = true});
    EXPECT_EQ(config.passes(), row.passes) << row.chip;
    EXPECT_THAT(config.names(), Contains(testing::StrEq(row.l1))) << row.chip;
    EXPECT_THAT(config.names(), Contains(testing::StrEq("lts__lts2xbar_cycles_active.sum"))) << row.chip;
  }
}

// The host interface answers for chips that nobody here has.
TEST_F(CounterConfigTest, EveryPipeOfEveryChipConfigures) {
  for (const ChipRow& row : known_chips()) {
    const ProfilerHost host(*cupti_, row.chip);
    for (const char* pipe : pipes) {
      SCOPED_TRACE(std::string(row.chip) + " " + pipe);
      const CounterConfig config(*cupti_, row.chip, {pipe});
      const std::set<std::string> distinct(config.names().begin(), config.names().end());
      EXPECT_EQ(distinct.size(), config.names().size()) << "none is asked for twice";
      EXPECT_THAT(distinct, Each(testing::ResultOf([&](const auto& name) { return host.knows(name); }, true)));
      EXPECT_GE(config.passes(), 3);
      EXPECT_LE(config.passes(), row.passes + 2);
    }
  }
}

// Asked of CUPTI 13.0: chips count the operations of those tensor pipes that they have, and of no others.
TEST_F(CounterConfigTest, TensorPipesAreCountedWhereTheyAre) {
  const struct {
    const char* chip;
    Names pipes;
  } rows[] = {
      {"GV100", {fp16_tensor_pipe}},
      {"TU102", {fp16_tensor_pipe, int8_tensor_pipe}},
      {"GA100", {fp64_tensor_pipe, tf32_tensor_pipe, bf16_tensor_pipe, fp16_tensor_pipe, int8_tensor_pipe}},
      {"GH100",
       {fp64_tensor_pipe, tf32_tensor_pipe, bf16_tensor_pipe, fp16_tensor_pipe, fp8_tensor_pipe,
        int8_tensor_pipe}},
      {"AD102",
       {fp64_tensor_pipe, tf32_tensor_pipe, bf16_tensor_pipe, fp16_tensor_pipe, fp8_tensor_pipe,
        int8_tensor_pipe}},
  };
  for (const auto& row : rows) {
    Names found;
    for (const char* pipe : pipes) {
      const CounterConfig config(*cupti_, row.chip, {pipe});
      if (std::ranges::any_of(config.names(),
                              [](std::string_view name) { return name.starts_with("sm__ops_path_tensor"); })) {
        found.emplace_back(pipe);
      }
    }
    EXPECT_THAT(found, testing::UnorderedElementsAreArray(row.pipes)) << row.chip;
  }
}

// Asked of CUPTI 13.0.
TEST_F(CounterConfigTest, EveryNeedOfEveryChipConfigures) {
  const CounterNeeds all_needs[] = {
      {.clusters = true}, {.returned_bytes = true}, {fp16_pipe}, {bf16_tensor_pipe, true, true}};
  for (const ChipRow& row : known_chips()) {
    const std::size_t least = CounterConfig(*cupti_, row.chip, {}).names().size();
    for (const CounterNeeds& needs : all_needs) {
      const CounterConfig config(*cupti_, row.chip, needs);
      EXPECT_GE(config.names().size(), least - 1) << row.chip << " " << needs.pipe;
      EXPECT_LE(config.passes(), row.passes + 2) << row.chip << " " << needs.pipe;
      EXPECT_FALSE(config.image().empty()) << row.chip;
    }
  }
}

TEST_F(CounterConfigTest, BytesReturnedAreCountedOnEveryChip) {
  for (const ChipRow& row : known_chips()) {
    const CounterConfig config(*cupti_, row.chip, {.returned_bytes = true});
    EXPECT_THAT(config.names(), Contains(testing::StartsWith("l1tex__lsu_writeback_active"))) << row.chip;
    EXPECT_THAT(config.names(), Contains(testing::StrEq("lts__lts2xbar_cycles_active.sum"))) << row.chip;
  }
}

// A roof for each pipe of the chip, from the names of its peaks alone: whether it has them, not how high.
Roofs spec_roofs_of(const ProfilerHost& host) {
  Counters clocks;
  clocks.sm_clock = clocks.l2_clock = clocks.dram_clock = Hertz{1e9};
  return spec_roofs(
      [&](const std::string& metric) { return host.knows(metric) ? std::optional(1.0) : std::nullopt; },
      clocks);
}

TEST_F(CounterConfigTest, EveryChipKnowsThePeaksOfItsMemoryAndPipes) {
  for (const ChipRow& row : known_chips()) {
    const Roofs roofs = spec_roofs_of(ProfilerHost(*cupti_, row.chip));
    for (const MemoryLevel level : {MemoryLevel::l2, MemoryLevel::l1, MemoryLevel::shared}) {
      EXPECT_NE(roofs.find(level, Origin::spec), nullptr) << row.chip << " " << title(level);
    }
    for (const char* pipe : {fp64_pipe, fp32_pipe, fp16_pipe, int32_pipe, warp_issue}) {
      EXPECT_NE(roofs.find(pipe, Origin::spec), nullptr) << row.chip << " " << pipe;
    }
    const std::string chip = row.chip;
    const bool without_tensor_cores = chip == "TU116" || chip == "TU117";
    EXPECT_EQ(roofs.find(fp16_tensor_pipe, Origin::spec) == nullptr, without_tensor_cores) << chip;
  }
}

// The metrics that CUPTI was asked to add, one entry per call. A C function carries no state of its own.
std::vector<Names> added;
decltype(Cupti::cuptiProfilerHostConfigAddMetrics) really_add = nullptr;

CUptiResult note_and_add(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
  added.emplace_back(params->ppMetricNames, params->ppMetricNames + params->numMetrics);
  return really_add(params);
}

// Asked for in several calls, patched metrics all return the count of the first, without an error.
TEST_F(CounterConfigTest, AllPatchedMetricsStandInOneCallAfterTheHardwareOnes) {
  really_add = std::exchange(cupti_->cuptiProfilerHostConfigAddMetrics, note_and_add);
  for (const auto& [chip, patched] : {std::pair("GB100", 13u), {"AD102", 10u}}) {
    added.clear();
    const CounterConfig config(*cupti_, chip, {});
    const std::size_t last = added.size() - (config.passes_of_place() ? 3 : 2);
    EXPECT_THAT(added[last], AllOf(Each(Not(HasSubstr("__sass_"))), Contains("lts__t_bytes.sum"))) << chip;
    EXPECT_THAT(added[last + 1], AllOf(Each(HasSubstr("__sass_")), SizeIs(patched))) << chip;
    std::size_t all = 0;
    for (std::size_t call = last; call < added.size(); ++call) {
      all += added[call].size();
    }
    EXPECT_EQ(all, config.metrics().size()) << chip;
  }
}

// Asked of CUPTI 13.0.
TEST_F(CounterConfigTest, WorkAndBytesAreCountedFirstWhereThatTakesNoMorePasses) {
  const struct {
    const char* chip;
    CounterNeeds needs;
    std::optional<int> of_place;
  } rows[] = {
      {"GV100", {}, {}},
      {"TU102", {}, {}},
      {"GA100", {}, {}},
      {"GA102", {}, 2},
      {"AD102", {}, {}},
      {"GH100", {}, 2},
      {"GB100", {}, 2},
      {"GB202", {}, 2},
      {"GH100", {bf16_tensor_pipe}, 2},
      {"GH100", {fp8_tensor_pipe}, {}},
      {"GH100", {.any_pipe = true, .tensor_pipes = {{bf16_tensor_pipe}}}, 3},
  };
  for (const auto& row : rows) {
    const CounterConfig config(*cupti_, row.chip, row.needs);
    EXPECT_EQ(config.passes_of_place(), row.of_place) << row.chip << ' ' << row.needs.pipe;
  }
}

// Stopping a pass that counts in L2 or DRAM takes 7 ms on GH100, starting the next 13.
CUptiResult add_memory_side_only(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
  std::vector<const char*> names;
  std::copy_if(params->ppMetricNames, params->ppMetricNames + params->numMetrics, std::back_inserter(names),
               [](std::string_view name) { return name.starts_with("lts__") || name.starts_with("dram__"); });
  auto fewer = *params;
  fewer.ppMetricNames = names.data();
  fewer.numMetrics = names.size();
  return names.empty() ? CUPTI_SUCCESS : really_add(&fewer);
}

// Asked of CUPTI 13.0.
TEST_F(CounterConfigTest, OfAKernelThatNobodyDescribedEveryPipeIsCountedAndItsTime) {
  const struct {
    const char* chip;
    int without_tensor, passes;
  } rows[] = {{"TU102", 3, 4}, {"GA100", 3, 9}, {"AD102", 3, 9}, {"GH100", 3, 9}, {"GB202", 3, 8}};
  for (const auto& row : rows) {
    const CounterConfig config(*cupti_, row.chip, {.any_pipe = true});
    EXPECT_EQ(config.passes_without_tensor(), row.without_tensor) << row.chip;
    EXPECT_EQ(config.passes(), row.passes) << row.chip;
    EXPECT_THAT(config.names(), Contains(testing::StrEq("gpu__time_duration.sum"))) << row.chip;
    EXPECT_THAT(config.names(), Contains(testing::StrEq("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum")))
        << row.chip;
  }
}

TEST_F(CounterConfigTest, WithoutInstructionsOfTensorCoresTheirPassesAreSpared) {
  for (const char* chip : {"TU102", "GA100", "AD102", "GH100", "GB202"}) {
    const CounterConfig all(*cupti_, chip, {.any_pipe = true});
    const CounterConfig fewer(*cupti_, chip, {.any_pipe = true, .tensor_pipes = std::set<std::string>{}});
    EXPECT_EQ(fewer.passes(), fewer.passes_without_tensor()) << chip;
    EXPECT_LT(fewer.passes(), all.passes()) << chip;
    EXPECT_THAT(fewer.names(), Each(Not(HasSubstr("tensor")))) << chip;
  }
}

TEST_F(CounterConfigTest, L2AndDramAreCountedInOnePass) {
  really_add = std::exchange(cupti_->cuptiProfilerHostConfigAddMetrics, add_memory_side_only);
  for (const std::string chip : {"GA100", "GA102", "AD102", "GH100", "GB100", "GB202"}) {
    EXPECT_EQ(CounterConfig(*cupti_, chip, {}).passes(), 1) << chip;
  }
}

TEST_F(CounterConfigTest, WhatIsNoCounterDataIsRefused) {
  const CounterConfig config(*cupti_, "GH100", {});
  const auto evaluate = [&] { config.evaluate(std::vector<std::uint8_t>(4096)); };
  EXPECT_THAT(evaluate, ThrowsMessage<CuptiError>(HasSubstr("cuptiProfilerHostEvaluateToGpuValues failed")));
}

TEST_F(CounterConfigTest, AnUnknownChipIsAnErrorWithCuptisWordForIt) {
  EXPECT_THAT([&] { CounterConfig(*cupti_, "GX999", {}); },
              ThrowsMessage<CuptiError>(
                  AllOf(HasSubstr("cuptiProfilerHostInitialize failed: CUPTI_ERROR_"), HasSubstr(".cpp:"))));
}

TEST(CuptiLibrary, TheFileAndVersionAreTold) {
  const auto cupti = load_cupti();
  ASSERT_TRUE(cupti);
  EXPECT_THAT(cupti->file, HasSubstr("libcupti.so"));
  EXPECT_GE(std::stoi(cupti->version), 24);  // 12.6; from 13.0 on it is counted as 130000
}

}  // namespace
}  // namespace rooftile::worker
