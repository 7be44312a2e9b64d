#include "analysis/record/metric_table.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using MetricNames = std::vector<std::string>;

std::vector<Metric> metrics_of_a_chip_with(const MetricNames& known, const std::string& pipe = fp32_pipe) {
  return choose_metrics({pipe}, [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  });
}

MetricNames metric_names(const std::vector<Metric>& metrics) {
  MetricNames names;
  for (const Metric& metric : metrics) {
    names.push_back(metric.name);
  }
  return names;
}

std::string executed(const std::string& operation) {
  return "smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum";
}

TEST(MetricTable, TheFirstNameThatTheChipKnowsIsTaken) {
  const std::string old_name = "dram__bytes_read.sum", new_name = "dram__bytes_op_read.sum";
  EXPECT_THAT(metric_names(metrics_of_a_chip_with({old_name})), ElementsAre(old_name));
  EXPECT_THAT(metric_names(metrics_of_a_chip_with({new_name})), ElementsAre(new_name));
  EXPECT_THAT(metric_names(metrics_of_a_chip_with({new_name, old_name})), ElementsAre(old_name));
  EXPECT_THAT(metric_names(metrics_of_a_chip_with({"sm__something_else.sum"})), IsEmpty());
}

TEST(MetricTable, OnlyExecutedInstructionsAreGatheredByPatching) {
  for (const MetricRow& row : metric_table()) {
    for (const std::string& name : row.names) {
      EXPECT_EQ(row.gathering == Gathering::patched, name.find("__sass_") != std::string::npos) << name;
    }
  }
}

TEST(MetricTable, ValuesLandWhereTheyBelong) {
  const auto metrics = metrics_of_a_chip_with({
      "dram__bytes_read.sum",
      "dram__bytes_write.sum",
      "lts__t_bytes.sum",
      "l1tex__t_bytes.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
      "sm__warps_active.avg.pct_of_peak_sustained_active",
      "sm__cycles_elapsed.avg.per_second",
      "dram__cycles_elapsed.avg.per_second",
      "lts__cycles_elapsed.avg.per_second",
      "sm__inst_executed.sum",
      "smsp__issue_active.avg.pct_of_peak_sustained_active",
      "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
      "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
      "l1tex__t_sectors.sum",
      "l1tex__t_sectors_lookup_hit.sum",
      "lts__t_tag_requests.sum",
      "lts__t_tag_requests_hit.sum",
      "smsp__inst_executed_op_global_ld_pred_on_any.sum",
      "smsp__sass_inst_executed_op_global_st.sum",
      "smsp__sass_inst_executed_op_global_atom.sum",
      "smsp__sass_inst_executed_op_global_red.sum",
      "smsp__sass_inst_executed_op_ldgsts.sum",
  });
  const Counters counters = store(metrics, {1,   2,   3,  4,  10, 200, 3000, 5, 62.5, 99,  25,   50,   75,
                                            400, 100, 80, 60, 6,  7,   8,    9, 90,   900, 9000, 90000});
  EXPECT_EQ(counters.dram_read, Bytes{1});
  EXPECT_EQ(counters.dram_write, Bytes{2});
  EXPECT_EQ(counters.l2, Bytes{3});
  EXPECT_EQ(counters.l1, Bytes{4});
  EXPECT_EQ(counters.shared_wavefronts, 3210);  // loads, stores and atomics together
  EXPECT_EQ(counters.shared_conflicts, 5);
  EXPECT_EQ(counters.achieved_occupancy, 0.625);
  EXPECT_EQ(counters.warp_instructions, 99);
  EXPECT_EQ(counters.issue_use, 0.25);
  EXPECT_EQ(counters.fma_pipe_use, 0.5);
  EXPECT_EQ(counters.lsu_pipe_use, 0.75);
  EXPECT_EQ(counters.global_requests, 99999);  // cp.async among them
  EXPECT_EQ(counters.l1_hit_rate(), 0.25);
  EXPECT_EQ(counters.l2_hit_rate(), 0.75);
  EXPECT_EQ(counters.sm_clock, Hertz{6});
  EXPECT_EQ(counters.dram_clock, Hertz{7});
  EXPECT_EQ(counters.l2_clock, Hertz{8});
  EXPECT_EQ(counters.metrics, metric_names(metrics));
  EXPECT_EQ(counters.ffma, std::nullopt);  // not counted is not zero
}

TEST(MetricTable, InstructionsOfTwoOperationsCountTwice) {
  const auto metrics = metrics_of_a_chip_with({executed("fadd"), executed("fmul"), executed("ffma"),
                                               executed("fadd2"), executed("fmul2"), executed("ffma2")});
  const Counters counters = store(metrics, {1, 2, 4, 100, 200, 400});
  EXPECT_EQ(counters.fadd, 201);
  EXPECT_EQ(counters.fmul, 402);
  EXPECT_EQ(counters.ffma, 804);
  EXPECT_EQ(counters.flops(fp32_pipe), Flops{201 + 402 + 2 * 804});
}

TEST(MetricTable, EveryPrecisionHasFieldsOfItsOwn) {
  const auto metrics = metrics_of_a_chip_with({executed("dadd"), executed("dmul"), executed("dfma"),
                                               executed("hadd"), executed("hmul"), executed("hfma")},
                                              fp16_pipe);
  const Counters counters = store(metrics, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(counters.dadd, 1);
  EXPECT_EQ(counters.dmul, 2);
  EXPECT_EQ(counters.dfma, 3);
  EXPECT_EQ(counters.hadd, 4);
  EXPECT_EQ(counters.hmul, 5);
  EXPECT_EQ(counters.hfma, 6);
}

TEST(MetricTable, HalfPrecisionIsGatheredForKernelsThatComputeInItOnly) {
  const MetricNames known = {executed("ffma"), executed("hfma")};
  EXPECT_THAT(metric_names(metrics_of_a_chip_with(known, fp16_pipe)),
              ElementsAre(executed("ffma"), executed("hfma")));
  for (const char* pipe : {fp32_pipe, fp64_pipe, bf16_tensor_pipe}) {
    EXPECT_THAT(metric_names(metrics_of_a_chip_with(known, pipe)), ElementsAre(executed("ffma"))) << pipe;
  }
}

TEST(MetricTable, GlobalLoadsAreCountedOnceWhateverThePipe) {
  const std::string hardware = "smsp__inst_executed_op_global_ld_pred_on_any.sum";
  const std::string patched = "smsp__sass_inst_executed_op_global_ld.sum";
  for (const char* pipe : pipes) {
    const auto metrics = metrics_of_a_chip_with({hardware, patched}, pipe);
    EXPECT_THAT(metric_names(metrics), ElementsAre(is_tensor(pipe) ? patched : hardware));
    EXPECT_EQ(store(metrics, {7}).global_requests, 7);
  }
}

TEST(MetricTable, TensorOperationsAreGatheredForKernelsOfTheirPipeOnly) {
  const std::string bf16 = "sm__ops_path_tensor_src_bf16_dst_fp32.sum";
  const MetricNames known = {"lts__t_bytes.sum", bf16, "sm__ops_path_tensor_src_tf32_dst_fp32.sum"};
  EXPECT_THAT(metric_names(metrics_of_a_chip_with(known)), ElementsAre("lts__t_bytes.sum"));
  const auto metrics = metrics_of_a_chip_with(known, bf16_tensor_pipe);
  EXPECT_THAT(metric_names(metrics), ElementsAre("lts__t_bytes.sum", bf16));
  EXPECT_EQ(store(metrics, {1, 4096}).flops(bf16_tensor_pipe), Flops{4096});
}

TEST(MetricTable, NoNumberIsAnErrorThatNamesTheMetric) {
  const auto metrics = metrics_of_a_chip_with({"lts__t_bytes.sum", "l1tex__t_bytes.sum"});
  EXPECT_THAT(
      [&] {
        store(metrics, {1, std::numeric_limits<double>::quiet_NaN()});
      },
      ThrowsMessage<Error>(HasSubstr("l1tex__t_bytes.sum came back empty")));
}

TEST(MetricTable, NoNumberTakesTheSumItBelongsToAndNothingElse) {
  const std::string wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
  const auto metrics = metrics_of_a_chip_with(
      {"lts__t_bytes.sum", wavefronts + "ld.sum", wavefronts + "st.sum", "l1tex__t_bytes.sum"});
  std::vector<double> values(metrics.size(), 5);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    values[i] = metrics[i].name.ends_with("_op_st.sum") ? std::numeric_limits<double>::quiet_NaN() : 5;
  }
  const Counters counters = store_counted(metrics, values);
  EXPECT_FALSE(counters.shared_wavefronts);
  EXPECT_EQ(counters.l2, Bytes{5});
  EXPECT_EQ(counters.l1, Bytes{5});
  EXPECT_EQ(counters.metrics.size(), metrics.size() - 1);
}

}  // namespace
}  // namespace rooftile
