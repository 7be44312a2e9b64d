// rooftile-cli measure, lines and roofs, with the scripted worker.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/session_files.hpp"
#include "app/cli/test_program.hpp"

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

TEST_F(MeasureVerb, MeasureJsonHoldsTheWholePoint) {
  const Outcome outcome = run_scripted({"measure", "sgemm_tiled", "TILE=8", "--json"}, "--wrong TILE=8");
  EXPECT_EQ(outcome.how, failed);
  const json all = json::parse(outcome.out);
  EXPECT_EQ(all.at("point").at("failure"), "The result is wrong: C[0] is 1, expected 2.");
  EXPECT_EQ(all.at("point").at("parameters").at("TILE"), 8);
  EXPECT_FALSE(all.contains("placement"));
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
            "\nFP32 FMA\n  measured 60.0 TFLOP/s: made up\n");
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
