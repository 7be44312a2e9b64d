// rooftile-cli measure, lines and roofs, with the scripted worker.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using MeasureVerb = CommandLine;

TEST_F(MeasureVerb, MeasureWithWarmCachesAsksTheWorkerForThem) {
  const std::string heard = file("heard").string();
  const Outcome outcome = run_scripted({"measure", "sgemm_tiled", "--caches", "warm"}, "--heard " + heard);
  EXPECT_THAT(outcome.out, HasSubstr("Test GPU, warm caches, counted"));
  std::stringstream requests;
  requests << std::ifstream(heard).rdbuf();
  EXPECT_THAT(requests.str(), HasSubstr("\"warm\""));
}

TEST_F(MeasureVerb, TheCommandOfTheWorkerMayBeQuoted) {
  fs::create_symlink(SCRIPTED_WORKER, file("a worker"));
  const std::string quoted = "'" + file("a worker").string() + "' --heard \"" + file("heard").string() + "\"";
  EXPECT_EQ(run({"measure", "sgemm_tiled", "TILE=8", "--worker", quoted}).how, ok);
  EXPECT_TRUE(fs::exists(file("heard")));
  EXPECT_THAT(run({"measure", "sgemm_tiled", "--worker", "'" SCRIPTED_WORKER}).err,
              HasSubstr("a quote that is not closed"));
}

TEST_F(MeasureVerb, OfSeveralThatMeasureAtOnceEachKeepsItsLaunch) {
  const Outcome last =
      run_in_shell("for i in 1 2 3 4 5; do \"$0\" \"$@\" & done; ",
                   {"measure", "sgemm_tiled", "TILE=8", "--worker", SCRIPTED_WORKER}, "; wait");
  EXPECT_EQ(last.how, ok) << last.err;
  std::size_t kept = 0;
  for (const auto& journal : fs::recursive_directory_iterator(file("rooftile"))) {
    if (journal.path().extension() == ".jsonl") {
      kept += platform::load_session(journal.path()).points.size();
    }
  }
  EXPECT_EQ(kept, 6u);
}

TEST_F(MeasureVerb, MeasureJsonHoldsTheWholePoint) {
  const Outcome outcome = run_scripted({"measure", "sgemm_tiled", "TILE=8", "--json"}, "--wrong TILE=8");
  EXPECT_EQ(outcome.how, failed);
  const json all = json::parse(outcome.out);
  EXPECT_EQ(all.at("point").at("failure"), "The result is wrong: C[0] is 1, expected 2.");
  EXPECT_EQ(all.at("error").at("id"), "failure");
  EXPECT_THAT(all.at("error").at("sentence").get<std::string>(), HasSubstr("C[0] is 1, expected 2."));
  EXPECT_EQ(all.at("point").at("parameters").at("TILE"), 8);
  EXPECT_FALSE(all.contains("placement"));
}

// In the place of ssh: what follows the host is one line for the shell of another machine, in a folder of its
// own.
constexpr const char* stand_in_for_ssh = R"(#!/bin/sh
[ "$1" = gpu-box ] || { echo "ssh: Could not resolve hostname $1" >&2; exit 255; }
shift
cd /
exec sh -c "$*"
)";

class OnAnotherMachine : public CommandLine {
 protected:
  OnAnotherMachine() {
    write("bin/ssh", stand_in_for_ssh);
    fs::permissions(file("bin/ssh"), fs::perms::owner_all);
    write("own/mine.cu", "__global__ void sum(const float* in, float* out, int n) {}");
    write(
        "description",
        R"({"kernels":[{"name":"sum","types":["float const*","float*","int"],"dimensions":1,"dynamic_shared":false}]})");
  }
  Outcome run_here(const Arguments& words) const {
    return run_in_shell("cd '" + file("").string() + "' && PATH=\"$PWD/bin:$PATH\" ", words);
  }
  const std::string worker_ = "ssh gpu-box " SCRIPTED_WORKER;
};

TEST_F(OnAnotherMachine, AWorkerIsStartedThroughSsh) {
  const Outcome there = run_here({"measure", "sgemm_tiled", "TILE=8", "--worker", worker_});
  EXPECT_EQ(there.how, ok) << there.err;
  EXPECT_EQ(there.out, run_scripted({"measure", "sgemm_tiled", "TILE=8"}).out);
}

TEST_F(OnAnotherMachine, KernelsOfOnesOwnAreFoundAtTheSamePlace) {
  const std::string describing = worker_ + " --description " + file("description").string();
  for (const Arguments& worker : {Arguments{"--worker=" + describing}, {"--worker", describing}}) {
    Arguments words = {"measure", "own/mine.cu", "n=1024"};
    words.insert(words.end(), worker.begin(), worker.end());
    const Outcome measured = run_here(words);
    EXPECT_EQ(measured.how, ok) << measured.err;
    EXPECT_THAT(measured.out, HasSubstr("mine  n=1024"));
    fs::remove_all(file("own/mine"));
  }
}

TEST_F(OnAnotherMachine, AMachineThatCannotBeReachedIsToldInTheWordsOfSsh) {
  const Outcome outcome = run_here({"measure", "sgemm_tiled", "--worker", "ssh nowhere rooftile-worker"});
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("ssh: Could not resolve hostname nowhere"));
}

TEST_F(MeasureVerb, LinesTellsItsCostFirstAndPrintsTheSource) {
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

TEST_F(MeasureVerb, RoofsOfASessionNeedNoWorker) {
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
            "\nFP32 FMA\n  measured 60.0 TFLOP/s: made up\n"
            "\ncycles\n"
            "  load that hits L1 43, measured on an H200\n"
            "  load that hits L2 287, measured on an H200\n"
            "  load from DRAM 665, measured on an H200\n"
            "  start of a block 1.2, measured on an H200\n"
            "  barrier of a cluster 364, measured on an H200\n"
            "  atomic in L2, a lane 2.48, measured on an H200\n"
            "  atomic in L2 on one word, a lane 1.45, measured on an H200\n"
            "  atomic on another block, a lane 3.16, measured on an H200\n"
            "  atomic on one word of another block, a lane 1.5, measured on an H200\n");
  const json roofs = json::parse(run({"roofs", session, "--json"}).out);
  EXPECT_EQ(roofs.at("memory").at(0).at("bandwidth_bytes_per_s"), 4e12);
  EXPECT_EQ(roofs.at("compute").at(0).at("pipe"), "FP32 FMA");
}

TEST_F(MeasureVerb, ASessionWithoutRoofsSaysSo) {
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

}  // namespace
}  // namespace rooftile::cli
