// rooftile-cli predict: one place, every place, every GPU.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/platform/platform.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using PredictVerb = CommandLine;

TEST_F(PredictVerb, PredictAllListsEveryLegalPlaceTheFastestFirst) {
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

// A kernel that was never compiled, with a worker that never answers. All that held the command's output has
// ended when it is read whole.
TEST_F(PredictVerb, CtrlCEndsWhatIsBeingCompiledAndItsWorker) {
  run_in_shell("cd '" + file("").string() + "' && ", {"new", "mine", "--from", "sgemm_tiled"});
  const std::vector<Arguments> commands = {{"predict", "mine", "TILE=8,16", "--all"},
                                           {"occupancy", "mine", "TILE=8"}};
  for (Arguments words : commands) {
    words.insert(words.end(), {"--gpu", "a6000", "--kernels", file("").string(), "--worker",
                               SCRIPTED_WORKER " --no-device --hang-compile TILE=8"});
    EXPECT_EQ(run_in_shell("exec timeout --preserve-status -s INT 2 ", words).how, "ended with status 130")
        << words[0];
  }
}

TEST_F(PredictVerb, DrawsTheLaunchOnTheRoofline) {
  run_scripted({"predict", "sgemm_tiled", "TILE=16", "--gpu", "4090", "-o", file("here.svg").string()},
               "--no-device");
  const std::string picture = text_of("here.svg");
  EXPECT_THAT(picture, StartsWith("<svg"));
  EXPECT_THAT(picture, HasSubstr("RTX 4090"));
  EXPECT_THAT(picture, HasSubstr("predicted"));
}

// The compiler needs no GPU; a build without CUDA has none.
TEST_F(PredictVerb, PredictCountsTheWavefrontsOfEachSharedAccess) {
  if (!std::filesystem::exists(platform::executable_directory() / "rooftile-worker")) {
    GTEST_SKIP() << "no worker was built";
  }
  const Arguments words = {"predict", "transpose_tiled", "TILE=32", "PAD=0", "N=2048", "--gpu", "4090"};
  const std::string text = run(words).out;
  EXPECT_THAT(text, StartsWith("transpose_tiled  BYTES=4 M=2048 N=2048 PAD=0 ROWS=4 TILE=32\n"
                               "RTX 4090, cold caches, predicted\n"));
  EXPECT_THAT(text, HasSubstr("\nshared-memory access "));
  Arguments with_json = words;
  with_json.push_back("--json");
  const json all = json::parse(run(with_json).out);
  const json& column = all.at("shared_accesses").at(1);
  EXPECT_THAT(column.at("name"), StartsWith("load, line 41: "));
  EXPECT_EQ(column.at("wavefronts_per_request"), 32);
  EXPECT_EQ(column.at("ideal_wavefronts_per_request"), 1);
  EXPECT_EQ(column.at("requests"), 131072.0);
  EXPECT_EQ(column.at("wavefronts"), 32 * 131072.0);
  EXPECT_EQ(all.at("placement").at("evidence"), "predicted");
  EXPECT_EQ(all.at("point").at("gpu"), "RTX 4090");
}

// The scripted worker's code adds each float of the first buffer to itself, without asking where it ends.
TEST_F(PredictVerb, AKernelThatStatesNoWorkIsPredictedFromItsCompiledCode) {
  const std::string manifest = R"toml(
[[buffer]]
name = "in"
count = 1000
role = "input"

[[buffer]]
name = "out"
count = 1000
role = "output"
)toml";
  const std::string launch = R"toml(
[launch]
arguments = [{ buffer = "in" }, { buffer = "out" }]
grid = 4
block = 256
)toml";
  write("own/mine/mine.cu", "first\n  out[i] = in[i] + in[i];\n");
  const auto answer = [&](const std::string& work) {
    write("own/mine/kernel.toml", manifest + launch + work);
    return json::parse(
        run_scripted({"predict", "mine", "--gpu", "4090", "--kernels", file("own").string(), "--json"}).out);
  };
  const json derived = answer("");
  EXPECT_EQ(derived.at("point").at("modelled").at("flops"), 1024);
  EXPECT_EQ(derived.at("point").at("modelled").at("l1_bytes"), 2 * 4096);
  EXPECT_THAT(derived.at("prediction").at("basis"), StartsWith("the compiled code (3 of 4 blocks run)"));
  EXPECT_THAT(derived.at("findings").dump(), HasSubstr("bytes from the start of in, which has 4000"));
  EXPECT_EQ(derived.at("buffers").at(0), json({{"name", "in"},
                                               {"bytes", 4000.0},
                                               {"touched_bytes", 4096.0},
                                               {"read_bytes", 4096.0},
                                               {"written_bytes", 0.0}}));
  EXPECT_EQ(derived.at("barriers"), 0);
  EXPECT_THAT(derived.at("global_accesses").dump(), HasSubstr("\"sectors_per_request\":4}"));
  const std::string text =
      run_scripted({"predict", "mine", "--gpu", "4090", "--kernels", file("own").string()}).out;
  EXPECT_THAT(text,
              HasSubstr("\nBarriers are reached by no warp, branches at which their lanes part by no warp.\n"));
  EXPECT_THAT(text, HasSubstr("\nbuffer     size  touched  read at L1  written at L1\n"
                              "in      4.00 kB  4.10 kB     4.10 kB\n"
                              "out     4.00 kB  4.10 kB                    4.10 kB\n"));
  const json claimed = answer("[work]\nflops = 2000\nelements = 1000\n");
  EXPECT_EQ(claimed.at("point").at("modelled").at("flops"), 1024) << "a prediction rests on what the code does";
  EXPECT_THAT(claimed.at("findings").dump(), HasSubstr("states 2.00 kFLOP; the compiled code executes 1.02"));
}

// The scripted worker compiles to 32 registers and 8,192 B of static shared memory.
TEST_F(PredictVerb, ALaunchThatDoesNotFitIsPredictedAsASentenceAlone) {
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
      EXPECT_EQ(outcome.out.empty(), option[0] == '\0') << row.sentence;
      EXPECT_THAT(outcome.err, HasSubstr(row.sentence));
    }
  }
}

TEST_F(PredictVerb, ACompilerThatNeverEndsIsEnded) {
  const Outcome outcome = run_scripted(
      {"predict", "sgemm_tiled", "TILE=8", "--gpu", "H200", "--launch-limit", "1"}, "--hang-compile TILE=8");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("was ended while compiling sgemm_tiled "));
}

TEST_F(PredictVerb, PredictForEveryGpuOfTheTable) {
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

TEST_F(PredictVerb, PredictSaysWhatThePredictionRestsOnAndWhatTakesLongest) {
  const Arguments words = {"predict", "sgemm_tiled", "TILE=32", "--gpu", "H200"};
  const std::string text = run_scripted(words).out;
  EXPECT_THAT(text, HasSubstr("  predicted\n"));
  EXPECT_THAT(text,
              testing::ContainsRegex("Predicted by the compiled code .* and 32 registers compiled for 9.0"));
  EXPECT_THAT(text, HasSubstr("\nadvice "));
  Arguments with_json = words;
  with_json.push_back("--json");
  const json all = json::parse(run_scripted(with_json).out);
  const json prediction = all.at("prediction");
  EXPECT_EQ(all.at("placement").at("time_s"), prediction.at("time_s"));
  EXPECT_EQ(prediction.at("longest"), "latency");
  EXPECT_EQ(prediction.at("longest_text"), "latency");
  std::vector<std::string> terms;
  for (const json& term : prediction.at("terms")) {
    terms.push_back(term.at("term"));
    EXPECT_EQ(text.find("\n" + term.at("text").get<std::string>() + "  ") == std::string::npos, false) << term;
    EXPECT_GT(term.at("time_s"), 0) << term;
  }
  EXPECT_THAT(terms, ElementsAre("l2", "l1_and_shared_memory", "warp_issue", "latency", "block_starts"));
}

}  // namespace
}  // namespace rooftile::cli
