// rooftile-cli gpus, and GPUs of one's own.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using GpusVerb = CommandLine;

// Opt-in limits of the programming guide, in KiB.
TEST_F(GpusVerb, GpusSaysHowMuchSharedMemoryABlockMayHave) {
  const std::map<std::string, int> kib = {{"7.0", 96}, {"7.5", 64}, {"8.0", 163},
                                          {"8.6", 99}, {"8.9", 99}, {"9.0", 227}};
  const json document = json::parse(run({"gpus", "--json"}).out);
  for (const json& gpu : document.at("gpus")) {
    const auto known = kib.find(gpu.at("compute_capability"));
    if (known != kib.end()) {
      EXPECT_EQ(gpu.at("shared_bytes_per_block"), 1024 * known->second) << gpu.at("name");
    }
  }
}

TEST_F(GpusVerb, GpusListsWhatDatasheetsQuote) {
  const auto lines = lines_of(run({"gpus"}).out);
  EXPECT_EQ(
      lines.at(0),
      "GPU                     CC  SMs      boost       L2       DRAM          FP32  shared memory per SM  "
      "per block");
  EXPECT_EQ(lines.at(3),
            "T4                     7.5   40  1,590 MHz  4.19 MB   320 GB/s  8.10 TFLOP/s                64 "
            "KiB     64 KiB");
  const json gpus = json::parse(run({"gpus", "--json"}).out).at("gpus");
  EXPECT_EQ(gpus.size() + 1, lines.size());
  for (const json& gpu : gpus) {
    EXPECT_GT(gpu.at("sms"), 0) << gpu.at("name");
    EXPECT_GT(gpu.at("l2_bytes"), 1e6) << gpu.at("name");
    EXPECT_GT(gpu.at("boost_clock_hz"), 1e9) << gpu.at("name");
    EXPECT_GT(gpu.at("peaks_flops_per_s").at("FP32"), 1e12) << gpu.at("name");
    EXPECT_THAT(gpu.at("source").get<std::string>(), Not(IsEmpty())) << gpu.at("name");
  }
}

// Four thirds of an H200's SMs at half its clock.
constexpr const char* own_gpu =
    "[[gpu]]\nname = \"Mine 9000\"\ncc = \"9.0\"\nsms = 176\nboost_clock_mhz = 990\nl2_mib = 60\n"
    "dram_gb_per_s = 4800\nsource = \"my desk\"\n[gpu.peak_tflop_per_s]\n\"FP32\" = 44.6\n";

TEST_F(GpusVerb, AGpuOfOnesOwnIsKnownToEveryVerb) {
  write("mine.toml", own_gpu);
  const std::string mine = file("mine.toml").string();
  const struct {
    Arguments words;
    const char* expected;
  } rows[] = {
      {{"gpus"}, "Mine 9000              9.0  176    990 MHz"},
      {{"occupancy", "--block", "256", "--registers", "40", "--shared", "0", "--gpu", "mine"},
       "Mine 9000, blocks of 256 threads"},
      {{"roofs", "--gpu", "9000"}, "44.6 TFLOP/s"},
      {{"predict", "sgemm_tiled", "--gpu", "9000"}, "Mine 9000"},
  };
  for (Arguments words :
       {Arguments{"--gpus", mine}, Arguments{}}) {  // by its file, and from the configuration folder
    for (const auto& row : rows) {
      Arguments all = row.words;
      all.insert(all.end(), words.begin(), words.end());
      const Outcome outcome = run_scripted(all, "--no-device");
      EXPECT_EQ(outcome.how, ok) << row.expected << outcome.err;
      EXPECT_THAT(outcome.out, HasSubstr(row.expected));
    }
    write("rooftile/gpus.toml", own_gpu);
  }
}

TEST_F(GpusVerb, AGpuOfOnesOwnTakesThePlaceOfABundledOne) {
  std::string entry = own_gpu;
  write("mine.toml", entry.replace(entry.find("Mine 9000"), 9, "T4"));
  const json before = json::parse(run({"gpus", "--json"}).out).at("gpus");
  const json after = json::parse(run({"gpus", "--json", "--gpus", file("mine.toml").string()}).out).at("gpus");
  EXPECT_EQ(after.size(), before.size());
  EXPECT_EQ(after.at(2).at("name"), "T4");
  EXPECT_EQ(after.at(2).at("source"), "my desk");
}

TEST_F(GpusVerb, AMistakeInAFileOfGpusHasFileAndLine) {
  const std::string good = own_gpu;
  const auto with = [&](const std::string& field, const std::string& instead) {
    return std::string(good).replace(good.find(field), field.size(), instead);
  };
  const struct {
    std::string text;
    const char* sentence;
  } rows[] = {
      {with("sms = 176\n", ""), "mine.toml:1: \"sms\" is missing"},
      {with("sms = 176", "sms = 0"), "mine.toml:4: \"sms\" in [[gpu]] must be a number from 1 to 10000"},
      {with("dram_gb_per_s = 4800", "dram_gb_per_s = -1"),
       "mine.toml:7: \"dram_gb_per_s\" in [[gpu]] must be a number"},
      {with("cc = \"9.0\"", "cc = \"1.0\""), "mine.toml:3: \"1.0\" is no compute capability"},
      {with("sms = ", "cores = "), "mine.toml:4: unknown key \"cores\""},
      {"", "mine.toml: no [[gpu]] is described here"},
      {"[[gpu]", "mine.toml:1"},
  };
  for (const auto& row : rows) {
    write("mine.toml", row.text);
    const Outcome outcome = run({"gpus", "--gpus", file("mine.toml").string()});
    EXPECT_EQ(outcome.how, failed) << row.sentence;
    EXPECT_THAT(outcome.err, HasSubstr(row.sentence));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(GpusVerb, AMistakeInTheConfigurationFolderIsToldAndHarmsNothingElse) {
  write("rooftile/gpus.toml", "[[gpu]]\nname = 7\n");
  const Outcome outcome = run({"gpus"});
  EXPECT_EQ(outcome.how, ok);
  EXPECT_THAT(outcome.err, HasSubstr("gpus.toml:2: \"name\" in [[gpu]] must be a text"));
  EXPECT_THAT(outcome.out, HasSubstr("T4"));
}

}  // namespace
}  // namespace rooftile::cli
