#include "analysis/chip/gpu.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string name_of(const Gpu* gpu) {
  return gpu ? gpu->name : "none";
}

// Sentences on all that is left out, or the error.
std::string complaint_about(const std::string& content) {
  try {
    const GpuTable table = read_gpu_table(content, "table.toml");
    return table.left_out.empty() ? "no complaint" : fmt::format("{}", fmt::join(table.left_out, "\n"));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(GpuTable, DescribesEachGpuCompletely) {
  const std::vector<Gpu> table = platform::load_gpu_table().gpus;
  EXPECT_GE(table.size(), 19U);
  for (const Gpu& gpu : table) {
    SCOPED_TRACE(gpu.name);
    EXPECT_GT(gpu.sm.threads, 0);
    EXPECT_TRUE(gpu.quoted_peaks.contains("FP32"));
    EXPECT_TRUE(gpu.quoted_peaks.contains("FP64"));
    EXPECT_TRUE(gpu.quoted_peaks.contains("FP16"));
    EXPECT_EQ(gpu.quoted_peaks.contains("BF16 tensor"), gpu.cc.major >= 8);
    EXPECT_EQ(gpu.tensor_clock.has_value(), gpu.cc.major == 9);
    EXPECT_EQ(find_gpu(table, gpu.name), &gpu);
    EXPECT_EQ(find_gpu(table, gpu.driver_name), &gpu);
  }
}

// 64 FP32 cores per SM up to the A100 (Orin apart), 128 since GA10x; two FLOPs per clock.
TEST(GpuTable, PublishedFp32PeaksFollowFromSmsAndClock) {
  for (const Gpu& gpu : platform::load_gpu_table().gpus) {
    const double cores = gpu.cc <= ComputeCapability{8, 0} ? 64 : 128;
    const double formula = gpu.sm_count * cores * 2 * gpu.boost_clock.value;
    EXPECT_NEAR(gpu.quoted_peaks.at("FP32").value / formula, 1, 0.008) << gpu.name;
  }
}

TEST(GpuTable, KeepsWhatTheSheetSaysAndWhatToDoubt) {
  const std::vector<Gpu> table = platform::load_gpu_table().gpus;
  const Gpu& h200 = *find_gpu(table, "h200");
  EXPECT_EQ(h200.cc, (ComputeCapability{9, 0}));
  EXPECT_EQ(h200.sm_count, 132);
  EXPECT_EQ(h200.boost_clock, Hertz{1980e6});
  EXPECT_EQ(h200.tensor_clock, Hertz{1830e6});
  EXPECT_EQ(h200.l2_size, Bytes{62914560});
  EXPECT_EQ(h200.quoted_dram, BytesPerSecond{4800e9});
  EXPECT_DOUBLE_EQ(h200.quoted_peaks.at("FP32").value, 66.9e12);
  EXPECT_DOUBLE_EQ(h200.quoted_peaks.at("BF16 tensor").value, 989.4e12);

  // A figure that could not be traced to a document of the maker says so.
  const struct {
    const char* gpu;
    const char* figure;
  } doubtful[] = {{"h200", "DRAM"},         {"orin", "DRAM"},       {"b200", "FP64 tensor"},
                  {"a6000", "TF32 tensor"}, {"l40s", "FP8 tensor"}, {"t4", "FP16 tensor"},
                  {"a6000", "BF16 tensor"}};
  for (const auto& row : doubtful) {
    const Gpu* gpu = find_gpu(table, row.gpu);
    ASSERT_TRUE(gpu) << row.gpu;
    EXPECT_THAT(gpu->notes.at(row.figure), HasSubstr("not read in an NVIDIA document")) << row.gpu;
  }
}

TEST(GpuTable, GeforceHalvesTensorPeaksWithFp32Accumulation) {
  const std::vector<Gpu> table = platform::load_gpu_table().gpus;
  for (const char* name : {"2080", "3090", "4090", "5090"}) {
    const auto& peaks = find_gpu(table, name)->quoted_peaks;
    EXPECT_NEAR(peaks.at("FP16 tensor, FP16 accumulate") / peaks.at("FP16 tensor"), 2, 0.01) << name;
  }
}

TEST(FindGpu, TakesAnyPartThatOnlyOneHas) {
  const std::vector<Gpu> table = platform::load_gpu_table().gpus;
  const struct {
    const char* asked;
    const char* expected;
  } rows[] = {
      {"H200 SXM 141GB", "H200 SXM 141GB"},
      {"h200", "H200 SXM 141GB"},
      {"gh200", "GH200 96GB"},
      {"4090", "RTX 4090"},
      {"rtx 4090", "RTX 4090"},
      {"a10", "A10"},
      {"l4", "L4"},
      {"l40s", "L40S"},
      {"a100 80", "A100 80GB SXM"},
      {"NVIDIA H200", "H200 SXM 141GB"},
      {"NVIDIA GeForce RTX 4090", "RTX 4090"},
      {"6000", "RTX A6000"},
      {"0s", "L40S"},
      {"sxm5", "H100 SXM5 80GB"},
      {"a100", "none"},
      {"h100", "none"},
      {"200", "none"},
      {"rtx", "none"},
      {"mi300", "none"},
      {"", "none"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(name_of(find_gpu(table, row.asked)), row.expected) << row.asked;
  }
}

TEST(WhyAmbiguous, NamesTheCandidates) {
  const std::vector<Gpu> table = platform::load_gpu_table().gpus;
  const struct {
    const char* asked;
    std::optional<std::string> expected;
  } rows[] = {
      {"A100", "\"A100\" can be the A100 40GB SXM or the A100 80GB SXM: name more of it."},
      {"h100", "\"h100\" can be the H100 PCIe 80GB or the H100 SXM5 80GB: name more of it."},
      {"200", "\"200\" can be the H200 SXM 141GB, the GH200 96GB or the B200: name more of it."},
      {"h200", std::nullopt},
      {"mi300", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(why_ambiguous(table, row.asked), row.expected) << row.asked;
  }
}

constexpr const char* good_entry =
    "[[gpu]]\nname = \"X\"\ndriver_name = \"NVIDIA X\"\ncc = \"9.0\"\nsms = 1\nboost_clock_mhz = 1\n"
    "l2_mib = 1\ndram_gb_per_s = 1\nsource = \"here\"\n";

TEST(GpuTable, TheDriverCallsItSoWhereNothingElseIsSaid) {
  const std::string entry =
      std::string(good_entry).replace(std::string(good_entry).find("driver_name"), 25, "");
  EXPECT_EQ(read_gpu_table(entry, "t").gpus.at(0).driver_name, "X");
}

TEST(GpuTable, LeavesOutOnlyTheEntriesWithMistakes) {
  const GpuTable table =
      read_gpu_table("[[gpu]]\nname = 7\n" + std::string(good_entry) + "[[gpu]]\nname = \"Y\"\nsms = 0\n", "t");
  ASSERT_EQ(table.gpus.size(), 1);
  EXPECT_EQ(table.gpus[0].name, "X");
  EXPECT_THAT(table.left_out, testing::Contains(HasSubstr("t:2: \"name\" in [[gpu]] must be a text")));
  EXPECT_THAT(table.left_out, testing::Contains("t:14: \"sms\" in [[gpu]] must be a number from 1 to 10000"));
}

TEST(GpuTable, AKeyOfVeryManyPartsIsRefused) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) {
    key += ".a";
  }
  for (const std::string& line : {key + " = 1", "[" + key + "]"}) {
    EXPECT_THAT(
        [&] { read_gpu_table("# one\n" + line, "gpus.toml"); },
        testing::ThrowsMessage<Error>("gpus.toml:2: a key has more than 8 parts; no key needs so many"));
  }
  EXPECT_NE(complaint_about("[" + key.substr(0, 14) + "a]\n"), "no complaint") << "which is read";
}

// Each of the inline tables is allowed, as is the key of each.
TEST(GpuTable, KeysOfManyPartsWithinEachOtherAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 1'400; ++i) {
    key += ".a";
  }
  std::string text = "x = ";
  for (int i = 0; i < 60; ++i) {
    text += "[\n{" + key + " = ";
  }
  EXPECT_THAT([&] { read_gpu_table(text, "gpus.toml"); }, testing::ThrowsMessage<Error>(HasSubstr("8 parts")));
}

TEST(GpuTable, ComplaintsNameLineAndExpectation) {
  const std::string good = good_entry;
  EXPECT_EQ(complaint_about(good), "no complaint");
  const struct {
    std::string content;
    const char* line;
    const char* expectation;
  } rows[] = {
      {"x = ", "table.toml:1:", ""},
      {"gpu = 3\n", "table.toml:1:", "array of tables"},
      {"\n[[gpu]]\nname = \"X\"\n", "table.toml:2:", "\"cc\" is missing"},
      {"[[gpu]]\nname = 7\n", "table.toml:2:", "\"name\" in [[gpu]] must be a text"},
      {"[[gpu]]\nname = \"X\"\nclock = 1\n", "table.toml:3:", "unknown key \"clock\""},
      {"[[gpu]]\nname = \"X\"\ndriver_name = \"X\"\ncc = \"99.0\"\n",
       "table.toml:4:", "\"99.0\" is no compute capability"},
      {good + "tensor_clock_mhz = -5\n",
       "table.toml:10:", "\"tensor_clock_mhz\" in [[gpu]] must be a number from 1 to 100000"},
      {good + "[gpu.peak_tflop_per_s]\nFP32 = \"fast\"\n",
       "table.toml:11:", "\"FP32\" in [peak_tflop_per_s] must be"},
      {good + "[gpu.cycles]\nl2_lod = 300\n", "table.toml:11:", "unknown key \"l2_lod\""},
      {good + "[gpu.cycles]\nl2_load = 0\n", "table.toml:11:", "\"l2_load\" in [cycles] must be a number"},
      {good + "[gpu.notes]\nDRAM = 3\n", "table.toml:11:", "\"DRAM\" in [notes] must be a text"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(complaint_about(row.content), AllOf(HasSubstr(row.line), HasSubstr(row.expectation)));
  }
}

}  // namespace
}  // namespace rooftile
