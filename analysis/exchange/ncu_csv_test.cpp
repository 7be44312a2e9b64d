#include "analysis/exchange/ncu_csv.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct NcuColumn {
  const char *name, *unit, *value;
};

// A table as ncu prints it: words of the program first, everything in quotes.
std::string ncu_table(const std::vector<NcuColumn>& metrics, int launches = 1) {
  std::vector<NcuColumn> columns = {{"ID", "", "0"},
                                    {"Process ID", "", "77"},
                                    {"Kernel Name", "", "void gemm<16>(const float *, \"\"x\"\")"},
                                    {"Block Size", "", "(256, 1, 1)"},
                                    {"Grid Size", "", "(64, 8, 1)"},
                                    {"CC", "", "9.0"}};
  columns.insert(columns.end(), metrics.begin(), metrics.end());
  std::string names, units, values;
  for (const NcuColumn& column : columns) {
    const char* comma = names.empty() ? "" : ",";
    names += comma + ("\"" + std::string(column.name) + "\"");
    units += comma + ("\"" + std::string(column.unit) + "\"");
    values += comma + ("\"" + std::string(column.value) + "\"");
  }
  std::string table = "result: ok\n==PROF== Connected to process 77\n" + names + "\n" + units + "\n";
  for (int i = 0; i < launches; ++i) {
    table += values + "\n";
  }
  return table + "==PROF== Disconnected from process 77\n";
}

Point only_point(const std::vector<NcuColumn>& metrics, int launches = 1) {
  const NcuLaunches read = read_ncu_csv(ncu_table(metrics, launches), "report.csv");
  EXPECT_THAT(read.left_out, IsEmpty());
  EXPECT_EQ(read.points.size(), 1u);
  return read.points.empty() ? Point{} : read.points.front();
}

TEST(NcuCsv, ARowIsALaunchWithItsShapeAndWhatWasCompiled) {
  const Point point = only_point({{"gpu__time_duration.sum", "usecond", "1,250.50"},
                                  {"device__attribute_display_name", "", "NVIDIA H200"},
                                  {"launch__registers_per_thread", "register/thread", "40"},
                                  {"launch__shared_mem_per_block_static", "Kbyte/block", "4.096"},
                                  {"launch__shared_mem_per_block_dynamic", "byte/block", "512"},
                                  {"launch__cluster_dim_x", "", "2"},
                                  {"profiler__replayer_passes", "pass", "17"}},
                                 3);
  EXPECT_EQ(point.kernel, "void gemm<16>(const float *, \"x\")");
  EXPECT_EQ(point.gpu, "NVIDIA H200");
  EXPECT_EQ(point.launch.grid, (Dim3{64, 8, 1}));
  EXPECT_EQ(point.launch.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(point.launch.cluster, (Dim3{2, 1, 1}));
  EXPECT_EQ(point.launch.dynamic_shared_bytes, 512);
  EXPECT_EQ(point.compiled->registers, 40);
  EXPECT_EQ(point.compiled->static_shared_bytes, 4096);
  EXPECT_DOUBLE_EQ(point.timing->median.value, 1.2505e-3);
  EXPECT_EQ(point.program->launches, 3);
  EXPECT_EQ(point.counters->passes, 17);
  EXPECT_TRUE(point.final);
}

TEST(NcuCsv, ANumberIsTakenInTheUnitOfItsColumn) {
  const struct {
    const char *unit, *value;
    double seconds;
  } times[] = {{"ns", "2000", 2e-6},  {"nsecond", "2,000", 2e-6}, {"us", "2", 2e-6},
               {"ms", "0.002", 2e-6}, {"second", "1.5", 1.5},     {"s", "1.5", 1.5},
               {"US", "2", 2e-6},     {"Msecond", "0.002", 2e-6}, {"minute", "0.5", 30},
               {"hour", "0.01", 36}};
  for (const auto& row : times) {
    EXPECT_DOUBLE_EQ(only_point({{"gpu__time_duration.sum", row.unit, row.value}}).timing->median.value,
                     row.seconds)
        << row.unit;
  }
  const struct {
    const char *unit, *value;
  } clocks[] = {{"Ghz", "1.98"},
                {"hz", "1,980,000,000"},
                {"cycle/nsecond", "1.98"},
                {"Mhz", "1980"},
                {"cycle/usecond", "1980"}};
  for (const auto& row : clocks) {
    const Point point = only_point(
        {{"gpu__time_duration.sum", "ns", "1"}, {"sm__cycles_elapsed.avg.per_second", row.unit, row.value}});
    EXPECT_DOUBLE_EQ(point.counters->sm_clock->value, 1.98e9) << row.unit;
  }
}

TEST(NcuCsv, PrefixesOfTheSecondKindAreBinary) {
  const struct {
    const char* unit;
    double bytes;
  } rows[] = {{"Kbyte", 1e3}, {"KiB", 1024}, {"Kibyte", 1024}, {"MiB", 1048576}, {"Mbyte", 1e6}, {"byte", 1}};
  for (const auto& row : rows) {
    const Point point =
        only_point({{"gpu__time_duration.sum", "us", "1"}, {"dram__bytes_read.sum", row.unit, "2"}});
    EXPECT_DOUBLE_EQ(point.counters->dram_read->value, 2 * row.bytes) << row.unit;
  }
}

TEST(NcuCsv, ATimeInAnUnknownUnitIsNoTime) {
  const NcuLaunches read = read_ncu_csv(ncu_table({{"gpu__time_duration.sum", "fortnight", "1"}}), "r.csv");
  EXPECT_THAT(read.points, IsEmpty());
  EXPECT_THAT(read.left_out, ElementsAre(HasSubstr("fortnight")));
}

// "1.234" among them is a thousand, or one and a quarter: nobody knows.
TEST(NcuCsv, ATableWithADecimalCommaIsRefused) {
  for (const char* figure : {"1.234,5", "1,25", "0,5", "12.345.678,9", "1,2345"}) {
    EXPECT_THAT(
        [&] {
          read_ncu_csv(ncu_table({{"gpu__time_duration.sum", "us", figure}}), "r.csv");
        },
        testing::ThrowsMessage<Error>(
            testing::AllOf(HasSubstr("r.csv:5: "), HasSubstr(figure), HasSubstr("LC_ALL=C"))));
  }
  EXPECT_DOUBLE_EQ(only_point({{"gpu__time_duration.sum", "ns", "1,234,567.5"}}).timing->median.value,
                   1.2345675e-3);
}

TEST(NcuCsv, TheClockIsReadByEachOfItsNames) {
  for (const char* unit : {"sm", "smsp", "gpc"}) {
    const std::string name = unit + std::string("__cycles_elapsed.avg.per_second");
    const Point point = only_point({{"gpu__time_duration.sum", "us", "1"}, {name.c_str(), "Ghz", "1.12"}});
    ASSERT_TRUE(point.counters->sm_clock) << unit;
    EXPECT_DOUBLE_EQ(point.counters->sm_clock->value, 1.12e9) << unit;
  }
}

// `--set full` collects sums; some by other names than CUPTI's own.
TEST(NcuCsv, SumsFillTheCounters) {
  const Point point = only_point({{"gpu__time_duration.sum", "us", "10"},
                                  {"dram__bytes_read.sum", "Mbyte", "3"},
                                  {"dram__bytes_write.sum", "Kbyte", "5"},
                                  {"lts__t_sectors.sum", "sector", "1,000"},
                                  {"l1tex__t_sectors.sum", "sector", "2,000"},
                                  {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "97.5"},
                                  {"smsp__inst_executed.sum", "inst", "640"},
                                  {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", "", "8000000000"},
                                  {"smsp__issue_active.avg.pct_of_peak_sustained_active", "%", "n/a"}});
  EXPECT_EQ(point.counters->bytes(MemoryLevel::dram), Bytes{3'005'000});
  EXPECT_EQ(point.counters->l2, Bytes{32'000});
  EXPECT_EQ(point.counters->l1, Bytes{64'000});
  EXPECT_DOUBLE_EQ(*point.counters->achieved_occupancy, 0.975);
  EXPECT_EQ(point.counters->warp_instructions, 640);
  EXPECT_FALSE(point.counters->issue_use);
  EXPECT_EQ(point.modelled.pipe, bf16_tensor_pipe);
  EXPECT_EQ(point.counted_flops(), Flops{8e9});
}

// `--set roofline` collects rates alone.
TEST(NcuCsv, RatesTimesTheDurationDoToo) {
  const std::string executed = "smsp__sass_thread_inst_executed_op_";
  const Point point =
      only_point({{"gpu__time_duration.sum", "us", "100"},
                  {"dram__bytes.sum.per_second", "Gbyte/second", "400"},
                  {"lts__lts2xbar_cycles_active.sum.per_second", "cycle/nsecond", "20"},
                  {"smsp__cycles_elapsed.avg.per_second", "Ghz", "1.5"},
                  {(executed + "fadd_pred_on.sum.per_cycle_elapsed").c_str(), "inst/cycle", "10"},
                  {(executed + "fmul_pred_on.sum.per_cycle_elapsed").c_str(), "inst/cycle", "0"},
                  {("derived__" + executed + "ffma_pred_on_x2").c_str(), "inst", "400"}});
  EXPECT_DOUBLE_EQ(point.counters->bytes(MemoryLevel::dram)->value, 40e6);
  EXPECT_FALSE(point.counters->dram_read) << "the two directions are not told apart";
  EXPECT_DOUBLE_EQ(point.counters->bytes(MemoryLevel::l2, ByteDefinition::returned)->value, 32 * 20e9 * 1e-4);
  EXPECT_DOUBLE_EQ(*point.counters->fadd, 10 * 1.5e9 * 1e-4);
  EXPECT_DOUBLE_EQ(point.counted_flops()->value, (10 + 400) * 1.5e9 * 1e-4);
}

TEST(NcuCsv, ARowThatCannotBeUsedIsToldWithItsLineAndTheOthersStay) {
  std::string table = ncu_table({{"gpu__time_duration.sum", "us", "100"}}, 2);
  table += "\"1\",\"77\",\"copy\",\"(32, 1, 1)\",\"(8, 1, 1)\",\"9.0\",\"n/a\"\n";
  table += "\"2\",\"77\",\"copy\",\"(32, 1, 1)\",\"(8, 1, 1)\",\"9.0\",\"1e30\"\n\"3\"\n";
  const NcuLaunches read = read_ncu_csv(table, "report.csv");
  EXPECT_EQ(read.points.size(), 1u);
  EXPECT_THAT(read.left_out,
              ElementsAre("report.csv:8: the launch has no gpu__time_duration.sum",
                          HasSubstr("report.csv:9: point.program.total_s must be a number from 0"),
                          "report.csv:10: the launch has no Kernel Name"));
}

TEST(NcuCsv, WhatIsNoSuchTableIsRefusedWithWhatToDo) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read_ncu_csv(text, "report.csv");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("hello\n"), HasSubstr("report.csv: holds no table of Nsight Compute"));
  EXPECT_THAT(
      refusal("hello\n\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"),
      HasSubstr("report.csv:2: has a row per metric; write a row per launch with ncu --csv --page raw"));
  EXPECT_THAT(refusal(""), HasSubstr("holds no table"));
}

}  // namespace
}  // namespace rooftile
