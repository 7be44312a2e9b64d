// Every verb as a user runs it: its whole output, or its sentence, and its status.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/session_files.hpp"
#include "app/cli/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

class Verbs : public CommandLine {
 protected:
  // A session of sgemm_tiled at these tiles, recorded with the scripted worker.
  std::string recorded(const std::string& name, const std::string& tiles = "8,16") const {
    const std::string session = file(name).string();
    EXPECT_EQ(run_scripted({"sweep", "sgemm_tiled", "TILE=" + tiles, "-o", session}).how, ok);
    return session;
  }
};

TEST_F(Verbs, AMistakeHasASentenceAndAStatusAndPrintsNothing) {
  const std::string session = recorded("s.jsonl"), folder = file("").string();
  const struct {
    Arguments words;
    const char* how;
    const char* sentence;
  } rows[] = {
      {{"gpus", "--unknown"}, misused, "--unknown"},
      {{"gpus", "H200"}, misused, "H200"},
      {{"kernels", "sgemm"}, misused, "There is no kernel \"sgemm\"."},
      {{"kernels", "sgemm_naive", "sgemm_tiled"}, misused, "sgemm_tiled"},
      {{"predict", "--gpu", "H200"}, misused, "KERNEL is required"},
      {{"predict", "sgemm_tiled", "TILE", "--gpu", "H200"}, misused, "\"TILE\" sets no parameter"},
      {{"predict", "sgemm_tiled", "--gpu", "RTX"}, misused, "\"RTX\" can be the RTX "},
      {{"predict", "sgemm_tiled", "--gpu", "A100"},
       misused,
       "\"A100\" can be the A100 40GB SXM or the A100 80GB SXM: name more of it."},
      {{"predict", "sgemm_tiled", "--gpu", "T5"}, misused, "There is no GPU \"T5\"."},
      {{"predict", "sgemm_tiled", "--csv", "--gpu", "T4"}, misused, "--all"},
      {{"predict", "sgemm_tiled", "TILE=7", "--all", "--gpu", "T4"}, misused, "None of 81 combinations"},
      {{"occupancy", "--gpu", "T4"}, misused, "Name a kernel, or say with --block"},
      {{"occupancy", "sgemm_tiled", "--block", "32", "--gpu", "T4"}, misused, "leave out --block"},
      {{"occupancy", "--block", "1025", "--registers", "32", "--shared", "0", "--gpu", "T4"},
       misused,
       "--block: "},
      {{"gpus", "--gpus", "/no/such.toml"}, failed, "cannot read /no/such.toml"},
      {{"measure", "sgemm_tiled", "--bytes", "some"}, misused, "some"},
      {{"measure", "sgemm_tiled", "TILE=0x20"}, misused, "\"0x20\" is no number for TILE."},
      {{"lines"}, misused, "KERNEL is required"},
      {{"lines", "sgemm_tiled", "--caches", "hot"}, misused, "hot"},
      {{"sweep", "sgemm_tiled", "-o", "x.jsonl"}, misused, "parameters is required"},
      {{"sweep", "sgemm_tiled", "TILE=7", "-o", "x.jsonl"},
       misused,
       "None of 1 combinations of sgemm_tiled is legal: TILE = 7 is not offered: 4, 8, 16 or 32."},
      {{"sweep", "sgemm_tiled", "TILE=40..50", "-o", "x.jsonl"},
       misused,
       "TILE offers no value from 40 to 50."},
      {{"sweep", "sgemm_tiled", "TILE=8", "-o", folder + "no/x.jsonl"},
       misused,
       "There is no folder to write "},
      {{"sweep", "sgemm_tiled", "TILE=8", "--launches", "3", "-o", folder + "x.jsonl"}, misused, "--best"},
      {{"best"}, misused, "SESSION is required"},
      {{"best", session, "sgemm_tilde"}, misused, "did you mean sgemm_tiled?"},
      {{"best", session, "copy"}, failed, "The session holds no launch of copy on the Test GPU."},
      {{"best", session, "--header", folder + "x.hpp"}, misused, "A header holds the constants of one kernel"},
      {{"bench", "search", session}, failed, "no problem that was launched at 10 places or more."},
      {{"occupancy", "--block", "32", "--registers", "32", "--shared", "-1", "--gpu", "T4"},
       misused,
       "--shared: "},
      {{"occupancy", "--block", "0", "--registers", "32", "--shared", "0", "--gpu", "T4"},
       misused,
       "--block: "},
      {{"occupancy", "--block", "32", "--registers", "256", "--shared", "0", "--gpu", "T4"},
       misused,
       "--registers: "},
      {{"occupancy", "--block", "32", "--registers", "32", "--shared", "0", "--gpu", "T5"},
       misused,
       "There is no GPU \"T5\"."},
      {{"merge", "-o", "x.jsonl"}, misused, "SESSION is required"},
      {{"merge", session}, misused, "--output is required"},
      {{"merge", "/no/such.jsonl", "-o", "x.jsonl"}, failed, "/no/such.jsonl: cannot be read"},
      {{"merge", session, "-o", "/no/such/folder/x.jsonl"}, failed, "/no/such/folder/x.jsonl"},
      {{"report", session, "--gpu", "T4"}, misused, "There is no GPU \"T4\". Known are: Test GPU."},
      {{"report", session, "--readme", "/no/such.md"}, misused, "--readme: "},
      {{"points"}, misused, "SESSION is required"},
      {{"points", "/no/such.jsonl"}, misused, "/no/such.jsonl"},
      {{"points", session, "--csv", "--json"}, misused, "Choose one of --csv and --json."},
      {{"roofs", session, "--gpu", "T4"}, misused, "There is no GPU \"T4\". Known are: Test GPU."},
      {{"roofs", "/no/such.jsonl"}, misused, "/no/such.jsonl"},
      {{"bench"}, misused, "A subcommand is required"},
      {{"bench", "slowly"}, misused, "A subcommand is required"},
      {{"bench", "load"}, misused, "SESSION is required"},
      {{"bench", "speed", "nothing"}, misused, "nothing not in {FP32 multiply,"},
      {{"bench", "speed", "--tries", "few"}, misused, "few"},
      {{"bench", "latency", "cublas_sgemm", "--moves", "2"},
       misused,
       "The dials of cublas_sgemm have 1 positions, fewer than 2 moves: ask for fewer."},
      {{"bench", "latency", "sgem_tiled"}, misused, "did you mean sgemm_tiled?"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = run(row.words);
    const auto words = ::testing::PrintToString(row.words);
    EXPECT_EQ(outcome.how, row.how) << words << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(row.sentence)) << words;
    EXPECT_THAT(outcome.out, IsEmpty()) << words;
  }
}

TEST_F(Verbs, WithoutADeviceWhatMeasuresFailsAndSaysWhy) {
  const std::string out = file("x.jsonl").string();
  for (const Arguments& words :
       {Arguments{"measure", "sgemm_tiled"}, Arguments{"lines", "sgemm_tiled"},
        Arguments{"sweep", "sgemm_tiled", "TILE=8", "-o", out}, Arguments{"bench", "speed", "copy"},
        Arguments{"bench", "sweep"}, Arguments{"bench", "latency", "--moves", "1"}}) {
    fs::remove(out);
    const Outcome outcome = run_scripted(words, "--no-device");
    EXPECT_EQ(outcome.how, failed) << words.front();
    EXPECT_EQ(
        outcome.err,
        "rooftile-cli: There is no device to measure on.\n  device: There is no GPU. Use a machine with a "
        "GPU.\n")
        << words.front();
    EXPECT_THAT(outcome.out, IsEmpty()) << words.front();
  }
}

TEST_F(Verbs, HelpNamesEveryVerbAndEveryOption) {
  const std::string help = run({"--help"}).out;
  for (const char* verb : {"kernels", "gpus", "predict", "measure", "lines", "roofs", "sweep", "best",
                           "occupancy", "doctor", "points", "report", "merge", "bench"}) {
    EXPECT_THAT(help, HasSubstr(std::string("\n  ") + verb + " ")) << verb;
    const Outcome own = run({verb, "--help"});
    EXPECT_EQ(own.how, ok) << verb;
    EXPECT_THAT(own.out, HasSubstr(verb));
  }
  EXPECT_THAT(help, AllOf(HasSubstr("--json"), HasSubstr("--worker"), HasSubstr("--kernels")));
}

TEST_F(Verbs, OccupancyShowsEachLimitAndTheCliffs) {
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
TEST_F(Verbs, OccupancyFollowsTheCarveout) {
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

// The scripted worker's compiler makes 32 registers of everything.
TEST_F(Verbs, OccupancyOfAKernelSaysWhatEachDialValueWouldHold) {
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

TEST_F(Verbs, PredictAllListsEveryLegalPlaceTheFastestFirst) {
  const Arguments words = {"predict", "sgemm_tiled", "TILE=8,16", "PAD_A=0",
                           "N=1024",  "--gpu",       "a6000",     "--all"};
  const auto with = [&](const char* option) {
    Arguments all = words;
    all.emplace_back(option);
    return run_scripted(all, "--no-device");
  };
  const auto lines = lines_of(with("--csv").out);
  ASSERT_EQ(lines.size(), 1U + 2 * 9);
  EXPECT_EQ(lines[0],
            "TILE,PAD_A,PAD_B,N,M,K,EXTRA,alpha,beta,threads_per_block,registers_per_thread,spill_bytes,"
            "shared_bytes_per_block,blocks_per_sm,occupancy,predicted_s,longest,basis,why_not");
  EXPECT_THAT(lines[1], StartsWith("16,0,"));
  const json places = json::parse(with("--json").out).at("places");
  ASSERT_EQ(places.size(), 18U);
  double before = 0;
  for (const json& place : places) {
    EXPECT_GE(place.at("predicted_s"), before);
    before = place.at("predicted_s");
    EXPECT_EQ(place.at("parameters").at("N"), 1024);
    EXPECT_TRUE(place.at("why_not").is_null());
    EXPECT_GT(place.at("occupancy"), 0);
  }
  EXPECT_THAT(run_scripted(words, "--no-device").out, HasSubstr("18 places"));
}

TEST_F(Verbs, OccupancyOfABlockThatDoesNotFitIsAFailure) {
  const Arguments block = {"occupancy", "--block", "256",   "--registers", "40",
                           "--shared",  "8192",    "--gpu", "H200"};
  Arguments large = block;
  large.insert(large.end(), {"--dynamic", "300000", "--json"});
  const Outcome outcome = run(large);
  EXPECT_EQ(outcome.how, failed);
  const json answer = json::parse(outcome.out).at("theoretical_occupancy");
  EXPECT_EQ(answer.at("ratio"), 0);
  EXPECT_EQ(answer.at("blocks_per_sm"), 0);
  EXPECT_EQ(answer.at("limits").at(2), json({{"limiter", "Shared memory"},
                                             {"binds", true},
                                             {"blocks_per_sm", 0},
                                             {"used_per_block", 308192},
                                             {"allocated_per_block", 309248},
                                             {"capacity_per_sm", 233472}}));
}

TEST_F(Verbs, OccupancySaysWhyABlockDoesNotFit) {
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

TEST_F(Verbs, OccupancyKnowsTheLimitsOfEachChip) {
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

// What teaching material asks, one command each.
TEST_F(Verbs, AnswersWorkedCases) {
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
      {{"predict", "sgemm_naive", "--gpu", "a100 40"}, "The source asks for 0.250 FLOP/B of global memory"},
      {{"predict", "sgemm_tiled", "TILE=16", "--gpu", "a100 40"}, "The source asks for 3.9"},
      {with(a100, "256"), "19.5 KiB of shared memory per block, 78 B per thread"},
      {with(a100, "1024"), "81 KiB of shared memory per block, 81 B per thread"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = run_scripted(row.words, "--no-device");
    EXPECT_EQ(outcome.how, ok) << row.expected << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(row.expected));
  }
}

// Opt-in limits of the programming guide, in KiB.
TEST_F(Verbs, GpusSaysHowMuchSharedMemoryABlockMayHave) {
  const std::map<std::string, int> kib = {{"7.0", 96}, {"7.5", 64}, {"8.0", 163},
                                          {"8.6", 99}, {"8.9", 99}, {"9.0", 227}};
  for (const json& gpu : json::parse(run({"gpus", "--json"}).out).at("gpus")) {
    const auto known = kib.find(gpu.at("compute_capability"));
    if (known != kib.end()) {
      EXPECT_EQ(gpu.at("shared_bytes_per_block"), 1024 * known->second) << gpu.at("name");
    }
  }
}

TEST_F(Verbs, GpusListsWhatDatasheetsQuote) {
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

TEST_F(Verbs, AGpuOfOnesOwnIsKnownToEveryVerb) {
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

TEST_F(Verbs, AGpuOfOnesOwnTakesThePlaceOfABundledOne) {
  std::string entry = own_gpu;
  write("mine.toml", entry.replace(entry.find("Mine 9000"), 9, "T4"));
  const json before = json::parse(run({"gpus", "--json"}).out).at("gpus");
  const json after = json::parse(run({"gpus", "--json", "--gpus", file("mine.toml").string()}).out).at("gpus");
  EXPECT_EQ(after.size(), before.size());
  EXPECT_EQ(after.at(2).at("name"), "T4");
  EXPECT_EQ(after.at(2).at("source"), "my desk");
}

TEST_F(Verbs, AMistakeInAFileOfGpusHasFileAndLine) {
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

TEST_F(Verbs, AMistakeInTheConfigurationFolderIsToldAndHarmsNothingElse) {
  write("rooftile/gpus.toml", "[[gpu]]\nname = 7\n");
  const Outcome outcome = run({"gpus"});
  EXPECT_EQ(outcome.how, ok);
  EXPECT_THAT(outcome.err, HasSubstr("gpus.toml:2: \"name\" in [[gpu]] must be a text"));
  EXPECT_THAT(outcome.out, HasSubstr("T4"));
}

TEST_F(Verbs, KernelsDescribesOne) {
  EXPECT_EQ(run({"kernels", "sgemm_tiled"}).out,
            "sgemm_tiled  Tiled matrix multiply: a square tile in shared memory\n"
            "  TILE   Tile           4 8 16 32                                 default 16\n"
            "  PAD_A  Padding of A   0 1 2 3 4 5 6 7 8                         default 0     floats\n"
            "  PAD_B  Padding of B   0 1 2 3 4 5 6 7 8                         default 0     floats\n"
            "  N      Size           256 512 1024 2048 4096 8192 (1 to 32768)  default 2048\n"
            "  M      Rows of C      256 512 1024 2048 4096 8192 (1 to 32768)  default N\n"
            "  K      Inner size     256 512 1024 2048 4096 8192 (1 to 32768)  default N\n"
            "  EXTRA  Extra columns  0 1 4 32 (0 to 4096)                      default 0\n"
            "  alpha  alpha          1 2 0.5 -1                                default 1\n"
            "  beta   beta           0 1 0.5 -1                                default 0\n");
  const json kernel = json::parse(run({"kernels", "sgemm_tiled", "--json"}).out).at("kernels").at(0);
  EXPECT_EQ(kernel.at("family"), "multiply");
  EXPECT_EQ(kernel.at("constraints").at(0),
            json({{"require", "TILE * TILE <= 1024"}, {"reason", "A block has at most 1,024 threads."}}));
  std::vector<std::string> roles;
  for (const json& parameter : kernel.at("parameters")) {
    roles.push_back(parameter.at("role"));
  }
  EXPECT_THAT(roles, ElementsAre("dial", "dial", "dial", "size", "size", "size", "size", "scalar", "scalar"));
  EXPECT_EQ(kernel.at("parameters").at(3).at("range"), json({1, 32768}));
  EXPECT_FALSE(kernel.at("parameters").at(0).contains("range"));
}

TEST_F(Verbs, AFolderOfKernelsIsOneWordWhereverItStands) {
  fs::create_directories(file("mine"));
  const std::string mine = file("mine").string(), expected = run({"kernels", "sgemm_tiled"}).out;
  for (const Arguments& words : {Arguments{"kernels", "--kernels", mine, "sgemm_tiled"},
                                 Arguments{"kernels", "sgemm_tiled", "--kernels", mine},
                                 Arguments{"--kernels", mine, "--kernels", mine, "kernels", "sgemm_tiled"}}) {
    EXPECT_EQ(run(words).out, expected);
  }
}

TEST_F(Verbs, CombinationsAreALineEachAndAllLegal) {
  const auto lines = lines_of(run({"kernels", "sgemm_tiled", "--combinations"}).out);
  EXPECT_EQ(lines.size(), 4u * 9 * 9);
  for (const std::string& line : lines) {
    const json one = json::parse(line);
    const double tile = one.at("parameters").at("TILE");
    EXPECT_EQ(one.at("kernel"), "sgemm_tiled");
    EXPECT_EQ(one.at("launch").at("block"), json({tile, tile, 1})) << line;
    EXPECT_EQ(one.at("launch").at("cluster"), json({1, 1, 1})) << line;
  }
  EXPECT_EQ(lines_of(run({"kernels", "histogram_cluster", "--combinations"}).out).empty(), false);
  const Outcome softmax = run({"kernels", "row_softmax", "--combinations"});
  EXPECT_EQ(
      lines_of(softmax.out).at(0),
      R"({"kernel":"row_softmax","launch":{"block":[32,1,1],"cluster":[1,1,1]},"parameters":{"BLOCK":32.0,)"
      R"("M":16384.0,"N":4096.0,"STAGED":0.0}})");
}

TEST_F(Verbs, DoctorShowsEachPartWithItsFix) {
  const auto parts = lines_of(run_scripted({"doctor"}, "--no-device").out);
  ASSERT_EQ(parts.size(), 6u);
  EXPECT_THAT(parts.at(0),
              testing::MatchesRegex("data      ready    [0-9]+ kernels and [0-9]+ GPUs are known."));
  EXPECT_EQ(parts.at(2), "compiler  ready    The compiler is ready.");
  EXPECT_EQ(parts.at(3), "                   libnvrtc.so.13");
  EXPECT_EQ(parts.at(4), "device    missing  There is no GPU.");
  EXPECT_EQ(parts.at(5), "                   Use a machine with a GPU.");
  const json all = json::parse(run_scripted({"doctor", "--json"}).out).at("facilities");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all.at(2), json({{"name", "device"},
                             {"state", "ready"},
                             {"sentence", "Test GPU is ready."},
                             {"fix", ""},
                             {"detail", ""}}));
}

TEST_F(Verbs, DoctorTellsWhyAWorkerDidNotStart) {
  const Outcome outcome = run_scripted({"doctor"}, "--crash-at-start");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("worker"), HasSubstr("failed"), HasSubstr("cannot open the device")));
}

TEST_F(Verbs, MeasureWithWarmCachesAsksTheWorkerForThem) {
  const std::string heard = file("heard").string();
  const Outcome outcome = run_scripted({"measure", "sgemm_tiled", "--caches", "warm"}, "--heard " + heard);
  EXPECT_THAT(outcome.out, HasSubstr("Test GPU, warm caches, counted"));
  std::stringstream requests;
  requests << std::ifstream(heard).rdbuf();
  EXPECT_THAT(requests.str(), HasSubstr("\"warm\""));
}

TEST_F(Verbs, MeasureJsonHoldsTheWholePoint) {
  const Outcome outcome = run_scripted({"measure", "sgemm_tiled", "TILE=8", "--json"}, "--wrong TILE=8");
  EXPECT_EQ(outcome.how, failed);
  const json all = json::parse(outcome.out);
  EXPECT_EQ(all.at("point").at("failure"), "The result is wrong: C[0] is 1, expected 2.");
  EXPECT_EQ(all.at("point").at("parameters").at("TILE"), 8);
  EXPECT_FALSE(all.contains("placement"));
}

TEST_F(Verbs, LinesTellsItsCostFirstAndPrintsTheSource) {
  const Outcome outcome = run_scripted({"lines", "sgemm_tiled", "TILE=32", "--caches", "warm"});
  EXPECT_EQ(outcome.how, ok);
  EXPECT_THAT(outcome.err, testing::MatchesRegex("3 launches, one of them instrumented: about [^\n]*\n"));
  const auto lines = lines_of(outcome.out);
  EXPECT_EQ(lines.at(1), "Test GPU, warm caches");
  EXPECT_EQ(
      lines.at(4),
      "   40 %  long_scoreboard       100     32.0        800 / 400           100 / 100     2  tile[y][x] = "
      "in[i];");
  EXPECT_EQ(lines.at(6),
            "  100 %  mio_throttle          200     32.0      1,200 / 800         3,300 / 200        "
            "(all)");
}

TEST_F(Verbs, RoofsOfASessionNeedNoWorker) {
  const std::string session = recorded("s.jsonl");
  const Outcome outcome = run({"roofs", session, "--worker", "/no/such/worker"});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_EQ(outcome.out,
            "Test GPU\n"
            "roof               measured  sustained  spec  datasheet\n"
            "DRAM              4.00 TB/s                –          –\n"
            "shared memory     30.0 TB/s                –          –\n"
            "FP32 FMA       60.0 TFLOP/s                –          –\n"
            "\nridge of FP32 and DRAM: 15.0 FLOP/B\n"
            "\nDRAM\n  measured 4.00 TB/s: made up\n"
            "\nshared memory\n  measured 30.0 TB/s: made up\n"
            "\nFP32 FMA\n  measured 60.0 TFLOP/s: made up\n");
  const json roofs = json::parse(run({"roofs", session, "--json"}).out);
  EXPECT_EQ(roofs.at("memory").at(0).at("bandwidth_bytes_per_s"), 4e12);
  EXPECT_EQ(roofs.at("compute").at(0).at("pipe"), "FP32 FMA");
}

TEST_F(Verbs, ASessionWithoutRoofsSaysSo) {
  SessionLog log;
  log.devices.push_back({platform::load_gpu_table().gpus.front(), ""});
  log.devices.back().gpu.name = "Bare GPU";
  platform::save_session(log, file("bare.jsonl"));
  const Outcome outcome = run({"roofs", file("bare.jsonl").string()});
  EXPECT_EQ(outcome.how, failed);
  EXPECT_EQ(outcome.err, "rooftile-cli: The session holds no roofs of the Bare GPU.\n");
  log.devices.clear();
  platform::save_session(log, file("empty.jsonl"));
  EXPECT_EQ(run({"report", file("empty.jsonl").string(), "-o", file("r").string()}).err,
            "rooftile-cli: The session names no GPU.\n");
}

TEST_F(Verbs, SweepPrintsItsTableAndWhereItWasWritten) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted({"sweep", "sgemm_tiled", "TILE=8,16", "-o", session});
  EXPECT_EQ(outcome.out,
            "variant                 time   performance  of its roof    DRAM  occupancy  bound by\n"
            "sgemm_tiled TILE=8   1.00 ms  1.00 TFLOP/s        2.8 %  110 MB      100 %  latency\n"
            "sgemm_tiled TILE=16  1.00 ms  1.00 TFLOP/s        2.8 %  110 MB      100 %  latency\n\n"
            "2 points written to " +
                session + "\n");
}

TEST_F(Verbs, SweepJsonListsPointsAndWhatWasSkipped) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted(
      {"sweep", "sgemm_naive", "BLOCK_X=256", "BLOCK_Y=4,8", "--caches", "warm", "-o", session, "--json"});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  const json all = json::parse(outcome.out);
  EXPECT_EQ(all.at("file"), session);
  ASSERT_EQ(all.at("points").size(), 1u);
  EXPECT_EQ(all.at("points").at(0).at("point").at("caches"), "warm");
  EXPECT_EQ(all.at("skipped"),
            json::array({{{"reason", "A block has at most 1,024 threads."}, {"combinations", 1}}}));
}

TEST_F(Verbs, SweepWithAWrongResultKeepsItAndFails) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted({"sweep", "sgemm_tiled", "TILE=8,16", "-o", session}, "--wrong TILE=8");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(lines_of(outcome.out).at(1), testing::EndsWith("The result is wrong: C[0] is 1, expected 2."));
  const SessionLog log = platform::load_session(session);
  ASSERT_EQ(log.points.size(), 2u);
  EXPECT_TRUE(log.points[0].failure);
  EXPECT_FALSE(log.points[1].failure);
}

TEST_F(Verbs, PointsListsEveryLaunchWithItsVerdictAndItsAdvice) {
  const std::string session = recorded("s.jsonl", "8,16,32");
  const auto lines = lines_of(run({"points", session}).out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines.at(0), testing::EndsWith("bound by  advice"));
  EXPECT_THAT(lines.at(3), StartsWith("sgemm_tiled TILE=32  1.00 ms  1.00 TFLOP/s"));
  const json all = json::parse(run({"points", session, "--json"}).out).at("points");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all.at(2).at("point").at("parameters").at("TILE"), 32);
  EXPECT_THAT(all.at(2).at("verdict").at("grounds").get<std::string>(), Not(IsEmpty()));
  const auto csv = lines_of(run({"points", session, "--csv"}).out);
  ASSERT_EQ(csv.size(), 4u);
  EXPECT_THAT(csv.at(0), StartsWith("id,kernel,gpu,caches,evidence,time_s,"));
  EXPECT_THAT(csv.at(1), HasSubstr(",sgemm_tiled,Test GPU,cold,counted,0.001,"));
}

TEST_F(Verbs, ASweepForTheBestLaunchesAPartOfThePlacesAndSaysHowToRepeatIt) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted(
      {"sweep", "sgemm_tiled", "TILE=8,16,32", "PAD_A=0..8", "PAD_B=0..8", "--best", "-o", session});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("\n9 of 243 places were launched. The last 8 launches were not faster by more "
                        "than the noise.\nBest 1.00 ms: rooftile-cli measure sgemm_tiled "));
  EXPECT_EQ(platform::load_session(session).points.size(), 9u);
}

TEST_F(Verbs, ASweepForTheBestEndsAtItsLimitAndSurvivesLaunchesThatFail) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted({"sweep", "sgemm_tiled", "TILE=8,16,32", "PAD_A=0..8", "--best",
                                        "--launches", "4", "-o", session, "--json"},
                                       "--wrong TILE=32");
  EXPECT_EQ(outcome.how, failed) << "as every sweep with a launch that failed";
  EXPECT_EQ(json::parse(outcome.out).at("search"),
            json({{"places", 27}, {"launches", 4}, {"end", "It ended at its limit of 4 launches."}}));
}

TEST_F(Verbs, BestNamesTheFastestLaunchOfEachKernelAndWritesItsConstants) {
  const std::string session = recorded("s.jsonl", "8,16"), header = file("tile.hpp").string();
  EXPECT_EQ(run({"best", session}).out, " 1.00 ms  rooftile-cli measure sgemm_tiled TILE=8\n");
  EXPECT_EQ(run({"best", session, "sgemm_tiled", "--header", header}).how, ok);
  std::stringstream written;
  written << std::ifstream(header).rdbuf();
  EXPECT_THAT(written.str(), HasSubstr("\ninline constexpr int TILE = 8;"));
  const json best = json::parse(run({"best", session, "--json"}).out);
  EXPECT_EQ(best.at(0).at("parameters").at("TILE"), 8);
  write("mine.hpp", "#pragma once\n");
  const Outcome refused = run({"best", session, "sgemm_tiled", "--header", file("mine.hpp").string()});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("mine.hpp"));
}

TEST_F(Verbs, BenchSearchHoldsASearchAgainstEveryRecordedSpace) {
  const json rows = json::parse(run({"bench", "search", "--json"}).out);
  ASSERT_GT(rows.size(), 20u);
  for (const json& row : rows) {
    EXPECT_LE(row.at("end_launches"), row.at("places"));
    EXPECT_GE(row.at("tenth_ratio"), 1) << row.at("kernel");
  }
  EXPECT_THAT(run({"bench", "search"}).out, HasSubstr("\nsgemm_register_2d "));
}

TEST_F(Verbs, MergeNumbersThePointsAnewAndKeepsTheOrder) {
  const std::string first = recorded("a.jsonl", "4,8"), second = recorded("b.jsonl", "16");
  const std::string both = file("both.jsonl").string();
  const Outcome outcome = run({"merge", second, first, "-o", both});
  EXPECT_EQ(outcome.how, ok);
  EXPECT_EQ(outcome.out, "3 points of 2 sessions written to " + both + "\n");
  const SessionLog log = platform::load_session(both);
  std::vector<std::pair<std::uint64_t, double>> found;
  for (const Point& point : log.points) {
    found.emplace_back(point.id, point.parameters.at("TILE"));
  }
  EXPECT_THAT(found, ElementsAre(std::pair(1, 16), std::pair(2, 4), std::pair(3, 8)));
  EXPECT_EQ(log.devices.size(), 1u) << "the same GPU twice";
  EXPECT_EQ(log.roofs.size(), 1u);
}

TEST_F(Verbs, ReportNamesItsFileAndJsonHoldsTheBest) {
  const std::string session = recorded("s.jsonl"), folder = file("report").string();
  const Outcome outcome = run({"report", session, "-o", folder});
  EXPECT_EQ(outcome.out,
            "Test GPU   CC 9.0   132 SMs\n"
            "recorded in s.jsonl, 2 points; the best of each kernel:\n\n"
            "variant                time   performance  of its roof    DRAM  occupancy  bound by\n"
            "sgemm_tiled TILE=8  1.00 ms  1.00 TFLOP/s        2.8 %  110 MB      100 %  latency\n\n"
            "The roofline is drawn in " +
                folder + "/roofline.svg\nEvery point of the session is in " + folder + "/points.csv\n");
  const json all = json::parse(run({"report", session, "-o", folder, "--json"}).out);
  EXPECT_EQ(all.at("roofline"), folder + "/roofline.svg");
  EXPECT_EQ(all.at("points_csv"), folder + "/points.csv");
  EXPECT_EQ(all.at("points"), 2);
  ASSERT_EQ(all.at("best").size(), 1u);
}

TEST_F(Verbs, ReportWritesItsTableBetweenTheMarkersOrLeavesThePage) {
  const std::string session = recorded("s.jsonl"), page = file("page.md").string();
  write("page.md", "<!-- measured: begin -->\nold\n<!-- measured: end -->\n");
  EXPECT_EQ(run({"report", session, "-o", file("r").string(), "--readme", page}).how, ok);
  std::stringstream now;
  now << std::ifstream(page).rdbuf();
  EXPECT_THAT(now.str(), AllOf(StartsWith("<!-- measured: begin -->\n| kernel |"),
                               HasSubstr("| `sgemm_tiled` | a square tile in shared memory | N=2048 |"),
                               Not(HasSubstr("old"))));
  write("page.md", "no markers\n");
  const Outcome refused = run({"report", session, "-o", file("r").string(), "--readme", page});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("page.md has no line <!-- measured: begin -->"));
}

TEST_F(Verbs, ReportIntoAFolderThatCannotBeMadeFails) {
  write("taken", "a file");
  const Outcome outcome = run({"report", recorded("s.jsonl"), "-o", (file("taken") / "below").string()});
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("taken"));
}

TEST_F(Verbs, PredictCountsTheWavefrontsOfEachSharedAccess) {
  const Arguments words = {"predict", "sgemm_tiled", "TILE=16", "--gpu", "4090"};
  const std::string text = run_scripted(words).out;
  EXPECT_THAT(text,
              StartsWith("sgemm_tiled  EXTRA=0 K=2048 M=2048 N=2048 PAD_A=0 PAD_B=0 TILE=16 alpha=1 beta=0\n"
                         "RTX 4090, cold caches, predicted\n"));
  EXPECT_THAT(text, testing::EndsWith("\nshared-memory access  wavefronts  ideal  in the launch\n"
                                      "store As[ty][tx]               1      1     16,777,216\n"
                                      "store Bs[ty][tx]               1      1     16,777,216\n"
                                      "load As[ty][k]                 2      2    134,217,728\n"
                                      "load Bs[k][tx]                 1      1    268,435,456\n"));
  Arguments with_json = words;
  with_json.push_back("--json");
  const json all = json::parse(run_scripted(with_json).out);
  EXPECT_EQ(all.at("shared_accesses").at(3), json({{"name", "load Bs[k][tx]"},
                                                   {"wavefronts_per_request", 1},
                                                   {"ideal_wavefronts_per_request", 1},
                                                   {"requests", 268435456.0},
                                                   {"wavefronts", 268435456.0}}));
  EXPECT_EQ(all.at("placement").at("evidence"), "predicted");
  EXPECT_EQ(all.at("point").at("gpu"), "RTX 4090");
  EXPECT_EQ(all.at("theoretical_occupancy").at("ratio"), 1);
}

// The scripted worker compiles to 32 registers and 8,192 B of static shared memory.
TEST_F(Verbs, ALaunchThatDoesNotFitIsPredictedAsASentenceAlone) {
  const struct {
    Arguments words;
    const char* sentence;
  } rows[] = {
      {{"histogram_shared", "BINS=57344", "BLOCK=64", "ITEMS=1", "N=67108864", "--gpu", "T4"},
       "A block asks for 237,568 B of shared memory (BINS=57344); the T4 allows it 65,536 B."},
      {{"gemm_bf16_wgmma", "--gpu", "T4"},
       "gemm_bf16_wgmma uses instructions that only compute capability 9.0 has, not 7.5."},
  };
  for (const auto& row : rows) {
    for (const char* option : {"", "--json"}) {
      Arguments words = row.words;
      words.insert(words.begin(), "predict");
      words.insert(words.end(), option[0] == '\0' ? 0 : 1, option);
      const Outcome outcome = run_scripted(words);
      EXPECT_EQ(outcome.how, failed) << row.sentence;
      EXPECT_EQ(outcome.out, "") << row.sentence;
      EXPECT_THAT(outcome.err, HasSubstr(row.sentence));
    }
  }
}

TEST_F(Verbs, PredictForEveryGpuOfTheTable) {
  const json gpus = json::parse(run({"gpus", "--json"}).out).at("gpus");
  for (const json& gpu : gpus) {
    const std::string name = gpu.at("name");
    const Outcome outcome = run_scripted({"predict", "sgemm_naive", "--gpu", name, "--json"});
    ASSERT_EQ(outcome.how, ok) << name << outcome.err;
    const json placement = json::parse(outcome.out).at("placement");
    EXPECT_GT(placement.at("time_s"), 0) << name;
    EXPECT_LE(placement.at("share_of_compute_roof"), 1 + 1e-9) << name;
  }
}

TEST_F(Verbs, PredictSaysWhatThePredictionRestsOnAndWhatTakesLongest) {
  const Arguments words = {"predict", "sgemm_tiled", "TILE=32", "--gpu", "H200"};
  const std::string text = run_scripted(words).out;
  EXPECT_THAT(text, HasSubstr("  predicted\n"));
  EXPECT_THAT(text, HasSubstr("Predicted by the kernel's formulas and 32 registers compiled for 9.0."));
  EXPECT_THAT(text, HasSubstr("\nadvice "));
  Arguments with_json = words;
  with_json.push_back("--json");
  const json all = json::parse(run_scripted(with_json).out);
  const json prediction = all.at("prediction");
  EXPECT_EQ(all.at("placement").at("time_s"), prediction.at("time_s"));
  EXPECT_EQ(prediction.at("longest"), "L1 and shared memory");
  for (const char* term : {"DRAM", "L2", "warp issue", "latency"}) {
    EXPECT_GT(prediction.at("terms_s").at(term), 0) << term;
  }
}

TEST_F(Verbs, BenchModelHoldsPredictionsAgainstTheRecordingAndWritesItsTable) {
  const std::string page = file("page.md").string();
  write("page.md", "before\n<!-- model: begin -->\nold\n<!-- model: end -->\n");
  const Outcome outcome = run({"bench", "model", "--readme", page});
  ASSERT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("launches of"));
  EXPECT_THAT(outcome.out, HasSubstr("\nNVIDIA H200, other sizes "));
  std::stringstream now;
  now << std::ifstream(page).rdbuf();
  EXPECT_THAT(now.str(), AllOf(StartsWith("before\n<!-- model: begin -->\n| launches of |"),
                               HasSubstr("\n| sgemm_tiled | 682 | "), Not(HasSubstr("old"))));
  const json all = json::parse(run({"bench", "model", "--json"}).out);
  EXPECT_EQ(all.back().at("name"), "all");
  EXPECT_EQ(all.back().at("launches"), 1870);
}

const std::string bundled = ROOFTILE_SOURCE_DIR "/assets/sessions/h100_h200.jsonl";

TEST_F(Verbs, BenchLoadSaysHowFastASessionIsRead) {
  const Outcome outcome = run({"bench", "load", bundled});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("1,870 points, 6.05 MB in "), HasSubstr(" points/s.\nThe window")));
  const json all = json::parse(run({"bench", "load", bundled, "--json"}).out);
  EXPECT_EQ(all.at("points"), 1870);
  EXPECT_DOUBLE_EQ(all.at("points_per_s"), 1870 / all.at("read_s").get<double>());
  EXPECT_LE(all.at("longest_standstill_s"), all.at("shown_s"));
}

TEST_F(Verbs, BenchAdviceHoldsAdviceAgainstTheRecordingAndWritesItsTable) {
  const std::string page = file("page.md").string();
  write("page.md", "before\n<!-- advice: begin -->\nold\n<!-- advice: end -->\n");
  const json all = json::parse(run({"bench", "advice", "--json", "--readme", page}).out);
  EXPECT_EQ(all.back().at("name"), "all");
  EXPECT_EQ(all.back().at("launches"), 1852) << "all but those of libraries";
  std::stringstream now;
  now << std::ifstream(page).rdbuf();
  EXPECT_THAT(now.str(), AllOf(StartsWith("before\n<!-- advice: begin -->\n| launches of |"),
                               HasSubstr("\n| sgemm_tiled | 682 | "), Not(HasSubstr("old"))));
}

TEST_F(Verbs, BenchSweepSaysWhatWasMeasured) {
  const Outcome outcome = run_scripted({"bench", "sweep", "--count", "6", "--size", "512"});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out,
              StartsWith("6 configurations of sgemm_tiled and sgemm_register_2d at N = 512, compiled, "
                         "verified, timed and counted in "));
  const json all = json::parse(run_scripted({"bench", "sweep", "--count", "4", "--json"}).out);
  EXPECT_EQ(all.at("points"), 4);
  EXPECT_DOUBLE_EQ(all.at("running_s"), 4 * (1 + 7 + 0) * 1e-3) << "once to verify, seven to time";
  EXPECT_DOUBLE_EQ(all.at("overhead_s"), (all.at("wall_s").get<double>() - 0.032) / 4);
  const Outcome wrong = run_scripted({"bench", "sweep", "--count", "200"}, "--wrong TILE=8");
  EXPECT_EQ(wrong.how, failed);
  EXPECT_THAT(wrong.err, HasSubstr("was not counted: The result is wrong: C[0] is 1, expected 2."));
}

TEST_F(Verbs, BenchLatencyJumpsTwiceAndWalksOnce) {
  const Outcome outcome = run_scripted({"bench", "latency", "--moves", "2", "--json"});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  const json all = json::parse(outcome.out);
  EXPECT_EQ(all.at("kernel"), "sgemm_tiled");
  EXPECT_EQ(all.at("N"), 1024);
  EXPECT_EQ(all.at("compiled").at("moves"), 4) << "the scripted worker keeps no cubin";
  EXPECT_EQ(all.at("cached").at("moves"), 0);
  EXPECT_EQ(all.at("dragged").at("moves"), 2);
  EXPECT_EQ(all.at("compiled").at("compile_median_s"), 9e-3);
  EXPECT_EQ(all.at("compiled").at("timed_median_s"), 9e-3);
  EXPECT_EQ(all.at("compiled").at("count_median_s"), 20e-3);
}

TEST_F(Verbs, BenchLatencyPrintsARowForEachKindOfMoveOrWhatFailed) {
  const Outcome outcome = run_scripted({"bench", "latency", "--moves", "1", "--size", "512"});
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 6u) << outcome.err;
  EXPECT_EQ(lines.at(1), "From the moved dial to the counted point, sgemm_tiled N = 512; phases are medians.");
  EXPECT_THAT(lines.at(3), StartsWith("compiled            2 "));
  EXPECT_THAT(lines.at(4), StartsWith("compiled ahead      1 "));
  EXPECT_THAT(lines.at(5), StartsWith("cached              0 "));
  const Outcome wrong = run_scripted({"bench", "latency", "--moves", "1"}, "--wrong N=1024");
  EXPECT_EQ(wrong.how, failed);
  EXPECT_THAT(wrong.err, HasSubstr("failed: The result is wrong"));
}

TEST_F(Verbs, BenchSpeedWhereNothingRanComparesWithNothing) {
  const Outcome outcome = run_scripted({"bench", "speed", "histogram", "--tries", "1"}, "--wrong BINS=256");
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("| histogram | BINS=256 | – | – | – | – | – |\n"),
                    HasSubstr("| histogram | BINS=16384 | `histogram_global` "), Not(HasSubstr("DRAM peak"))));
}

}  // namespace
}  // namespace rooftile::cli
