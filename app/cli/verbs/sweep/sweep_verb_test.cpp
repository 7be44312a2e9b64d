// rooftile-cli sweep, points, best, merge and report: sessions written and read.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class SweepVerb : public CommandLine {
 protected:
  // The options of all verbs stand before: a program's own words follow profile.
  Outcome run_scripted_first(Arguments words) const {
    words.insert(words.begin(), {"--worker", SCRIPTED_WORKER});
    return run(words);
  }
};

TEST_F(SweepVerb, SweepPrintsItsTableAndWhereItWasWritten) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted({"sweep", "sgemm_tiled", "TILE=8,16", "-o", session});
  EXPECT_EQ(outcome.out,
            "variant                 time   performance  of its roof    intensity    DRAM  achieved occupancy  "
            "bound by\n"
            "sgemm_tiled TILE=8   1.00 ms  1.00 TFLOP/s        2.8 %  9.09 FLOP/B  110 MB                   "
            "\u2013  latency\n"
            "sgemm_tiled TILE=16  1.00 ms  1.00 TFLOP/s        2.8 %  9.09 FLOP/B  110 MB                   "
            "\u2013  latency\n\n"
            "2 points written to " +
                session + "\n");
}

TEST_F(SweepVerb, SweepJsonListsPointsAndWhatWasSkipped) {
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

TEST_F(SweepVerb, ShardsMeasureEveryCombinationOnceAndMergeJoinsThem) {
  std::multiset<int> tiles;
  Arguments parts = {"merge", "-o", file("all.jsonl").string()};
  for (const std::string shard : {"1/3", "2/3", "3/3"}) {
    parts.push_back(file("part_" + shard.substr(0, 1) + ".jsonl").string());
    const Outcome outcome = run_scripted(
        {"sweep", "sgemm_tiled", "TILE=4,8,16,32", "-o", parts.back(), "--shard", shard, "--json"});
    EXPECT_EQ(outcome.how, ok) << outcome.err;
    const json found = json::parse(outcome.out);
    for (const json& launch : found.at("points")) {
      tiles.insert(launch.at("point").at("parameters").at("TILE").get<int>());
    }
  }
  EXPECT_THAT(tiles, ElementsAre(4, 8, 16, 32));
  run(parts);
  EXPECT_EQ(platform::load_session(file("all.jsonl")).points.size(), 4u);
}

// The launches that each GPU of the machine measured, by its number; each TILE was measured once for a name.
std::map<int, int> launches_by_device(const SessionLog& log) {
  std::map<int, int> launches;
  std::set<std::pair<std::string, double>> measured;
  for (const Point& point : log.points) {
    ++launches[point.device.value_or(-1)];
    EXPECT_TRUE(measured.emplace(point.gpu, point.parameters.at("TILE")).second) << "measured twice";
    EXPECT_NE(log.gpu(point.gpu), nullptr);
    EXPECT_NE(log.roofs_of(point.gpu), nullptr);
  }
  return launches;
}

TEST_F(SweepVerb, GpusOfOneNameShareASweepAndAnotherMeasuresAllOfIt) {
  const struct {
    const char *machine, *devices;
    std::vector<int> launches;  // of each GPU that is named, or -1 where they share
  } rows[] = {{"'Test GPU,Test GPU'", "all", {-1, -1}},
              {"'Test GPU,Other,Test GPU'", "0,1", {4, 4}},
              {"'Test GPU,Other,Test GPU'", "all", {-1, 4, -1}},
              {"'Test GPU,Other'", "1", {0, 4}}};
  int number = 0;
  for (const auto& row : rows) {
    const auto session = file(fmt::format("s{}.jsonl", number++));
    const Outcome outcome =
        run({"--worker", std::string(SCRIPTED_WORKER) + " --pause 20 --machine " + row.machine, "sweep",
             "sgemm_tiled", "TILE=4,8,16,32", "-o", session.string(), "--devices", row.devices});
    EXPECT_EQ(outcome.how, ok) << outcome.err;
    EXPECT_EQ(outcome.out.find("sgemm_tiled TILE=4 on GPU 1") != std::string::npos,
              row.launches[1] == 4 && row.devices != std::string("1"))
        << outcome.out;
    std::map<int, int> launches = launches_by_device(platform::load_session(session));
    int shared = 0;
    for (std::size_t i = 0; i < row.launches.size(); ++i) {
      const int own = launches[static_cast<int>(i)];
      shared += row.launches[i] == -1 ? own : 0;
      EXPECT_TRUE(row.launches[i] == -1 || own == row.launches[i]) << row.machine << " " << i;
    }
    EXPECT_TRUE(shared == 4 || std::ranges::find(row.launches, -1) == row.launches.end()) << row.machine;
  }
}

TEST_F(SweepVerb, ALostGpuLeavesItsPartToTheOthers) {
  const auto session = file("s.jsonl");
  const Outcome outcome =
      run({"--worker", std::string(SCRIPTED_WORKER) + " --machine 'Test GPU,Test GPU' --lost 1", "sweep",
           "sgemm_tiled", "TILE=4,8,16,32", "-o", session.string(), "--devices", "all"});
  const SessionLog log = platform::load_session(session);
  EXPECT_EQ(log.points.size(), 4u) << outcome.err;
}

TEST_F(SweepVerb, GpusThatAreNotThereAreRefused) {
  for (const char* devices : {"2", "0,0", "x", "0;1", "", "1,"}) {
    const Outcome outcome =
        run({"--worker", std::string(SCRIPTED_WORKER) + " --machine 'Test GPU,Test GPU'", "sweep",
             "sgemm_tiled", "TILE=4", "-o", file("s.jsonl").string(), std::string("--devices=") + devices});
    EXPECT_NE(outcome.how, ok) << devices;
    std::filesystem::remove(file("s.jsonl"));
  }
}

TEST_F(SweepVerb, AShardThatCannotBeIsRefused) {
  for (const char* shard : {"0/3", "4/3", "1", "a/b", "1/3x", "-1/3"}) {
    const Outcome outcome = run_scripted(
        {"sweep", "sgemm_tiled", "TILE=8", "-o", file("s").string(), std::string("--shard=") + shard});
    EXPECT_EQ(outcome.how, misused) << shard;
    EXPECT_THAT(outcome.err, HasSubstr("as 1/8 or 8/8")) << shard;
  }
}

TEST_F(SweepVerb, SweepWithAWrongResultKeepsItAndFails) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted({"sweep", "sgemm_tiled", "TILE=8,16", "-o", session}, "--wrong TILE=8");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(lines_of(outcome.out).at(1), testing::EndsWith("The result is wrong: C[0] is 1, expected 2."));
  const SessionLog log = platform::load_session(session);
  ASSERT_EQ(log.points.size(), 2u);
  EXPECT_TRUE(log.points[0].failure);
  EXPECT_FALSE(log.points[1].failure);
}

TEST_F(SweepVerb, PointsListsEveryLaunchWithItsVerdictAndItsAdvice) {
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

TEST_F(SweepVerb, ASweepForTheBestLaunchesAPartOfThePlacesAndSaysHowToRepeatIt) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted(
      {"sweep", "sgemm_tiled", "TILE=8,16,32", "PAD_A=0..8", "PAD_B=0..8", "--best", "-o", session});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("\n17 of 243 places were launched. The last 16 launches were not faster by more "
                        "than the noise.\nBest 1.00 ms: rooftile-cli measure sgemm_tiled "));
  EXPECT_EQ(platform::load_session(session).points.size(), 17u);
}

TEST_F(SweepVerb, ASweepForTheBestMovesTheDialsThatAreNotNamed) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome =
      run_scripted({"sweep", "sgemm_tiled", "N=512", "PAD_B=1", "--best", "--launches", "5", "-o", session});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\n5 of "));
  std::set<Parameters> places;
  for (const Point& point : platform::load_session(session).points) {
    EXPECT_EQ(point.parameters.at("N"), 512);
    EXPECT_EQ(point.parameters.at("PAD_B"), 1);
    places.insert(point.parameters);
  }
  EXPECT_EQ(places.size(), 5u);
  EXPECT_THAT(run_scripted({"sweep", "sgemm_tiled", "-o", file("t.jsonl").string()}).err,
              HasSubstr("with --best the dials move by themselves"));
}

TEST_F(SweepVerb, ASweepForTheBestEndsAtItsLimitAndSurvivesLaunchesThatFail) {
  const std::string session = file("s.jsonl").string();
  const Outcome outcome = run_scripted({"sweep", "sgemm_tiled", "TILE=8,16,32", "PAD_A=0..8", "--best",
                                        "--launches", "4", "-o", session, "--json"},
                                       "--wrong TILE=32");
  EXPECT_EQ(outcome.how, failed) << "as every sweep with a launch that failed";
  EXPECT_EQ(json::parse(outcome.out).at("search"),
            json({{"places", 27}, {"launches", 4}, {"end", "It ended at its limit of 4 launches."}}));
}

TEST_F(SweepVerb, BestNamesTheFastestLaunchOfEachKernelAndWritesItsConstants) {
  const std::string session = recorded("s.jsonl", "8,16"), header = file("tile.hpp").string();
  EXPECT_EQ(run({"best", session}).out, " 1.00 ms  rooftile-cli measure sgemm_tiled TILE=8\n");
  EXPECT_EQ(run({"best", session, "sgemm_tiled", "--header", header}).how, ok);
  std::stringstream written;
  written << std::ifstream(header).rdbuf();
  EXPECT_THAT(written.str(), HasSubstr("\n#define TILE 8"));
  const json best = json::parse(run({"best", session, "--json"}).out).at("best");
  EXPECT_EQ(best.at(0).at("parameters").at("TILE"), 8);
  write("mine.hpp", "#pragma once\n");
  const Outcome refused = run({"best", session, "sgemm_tiled", "--header", file("mine.hpp").string()});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("mine.hpp"));
}

TEST_F(SweepVerb, BestSaysWhatToWriteIntoASourceThatFixesItsNumbers) {
  write("own/mine.cu", "#define TILE 8\nconst int N = 64;\n__global__ void f(float* x) { x[TILE] = N; }\n");
  write("own/mine/kernel.toml",
        "source = \"../mine.cu\"\nentry = \"f\"\n"
        "[[parameter]]\nname = \"TILE\"\nwhere = \"constant\"\nvalues = [8, 16]\ndefault = 8\n"
        "[[parameter]]\nname = \"N\"\nrole = \"size\"\nwhere = \"constant\"\nvalues = [64]\ndefault = 64\n"
        "[[buffer]]\nname = \"x\"\ncount = \"N\"\nrole = \"in_out\"\n"
        "[launch]\narguments = [{ buffer = \"x\" }]\ngrid = [\"1\"]\nblock = [\"TILE\"]\n");
  const std::string own = file("own").string(), session = file("s.jsonl").string();
  EXPECT_EQ(run_scripted({"--kernels", own, "sweep", "mine", "TILE=16", "-o", session}).how, ok);
  const Outcome best =
      run({"--kernels", own, "--kernels", own + "/../own", "best", session, "mine", "--defines"});
  EXPECT_EQ(best.err, "rooftile-cli: No dial of mine is a macro: write TILE = 16 into mine.cu.\n")
      << "a folder that is named twice is read once";
}

TEST_F(SweepVerb, MergeNumbersThePointsAnewAndKeepsTheOrder) {
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

TEST_F(SweepVerb, ALogThatIsAPipeIsToldOfAtOnce) {
  ASSERT_EQ(mkfifo(file("s.jsonl.log").c_str(), 0600), 0);
  const Outcome outcome = run_scripted({"sweep", "sgemm_tiled", "TILE=8,16", "-o", file("s.jsonl").string()});
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("s.jsonl.log: it is a pipe"));
}

TEST_F(SweepVerb, ASessionThatIsBeingWrittenIsLeftToItsWriter) {
  const std::string other = recorded("other.jsonl"), running = file("running.jsonl").string();
  write("cache.json", R"({"device_name": "NVIDIA H200", "kernel_name": "k", "tune_params_keys": ["TILE"],
                          "cache": {"8": {"TILE": 8, "time": 1.5}}})");
  platform::Journal journal(running);
  for (const bool has_records : {false, true}) {
    for (const Arguments& words : {Arguments{"merge", other, "-o", running},
                                   Arguments{"import", file("cache.json").string(), "-o", running},
                                   Arguments{"profile", "-o", running, "--", "true"},
                                   Arguments{"sweep", "sgemm_tiled", "TILE=8", "-o", running}}) {
      const Outcome refused = run_scripted_first(words);
      EXPECT_NE(refused.how, ok) << words.front();
      EXPECT_THAT(refused.err, testing::AnyOf(HasSubstr("is being written by another rooftile"),
                                              HasSubstr("exists already")))
          << words.front();
    }
    EXPECT_EQ(text_of("running.jsonl").empty(), !has_records);
    journal.append(Header{});
  }
  EXPECT_EQ(lines_of(text_of("running.jsonl")).size(), 2u);
}

TEST_F(SweepVerb, ReportNamesItsFileAndJsonHoldsTheBest) {
  const std::string session = recorded("s.jsonl"), folder = file("report").string();
  const Outcome outcome = run({"report", session, "-o", folder});
  EXPECT_EQ(outcome.out,
            "Test GPU   CC 9.0   132 SMs\n"
            "recorded in s.jsonl, 2 points; the best of each kernel:\n\n"
            "variant                time   performance  of its roof    intensity    DRAM  achieved occupancy  "
            "bound by\n"
            "sgemm_tiled TILE=8  1.00 ms  1.00 TFLOP/s        2.8 %  9.09 FLOP/B  110 MB                   "
            "\u2013  latency\n\n"
            "The roofline is drawn in " +
                folder + "/roofline.svg\nEvery point of the session is in " + folder + "/points.csv\n");
  const json all = json::parse(run({"report", session, "-o", folder, "--json"}).out);
  EXPECT_EQ(all.at("roofline"), folder + "/roofline.svg");
  EXPECT_EQ(all.at("points_csv"), folder + "/points.csv");
  EXPECT_EQ(all.at("points"), 2);
  ASSERT_EQ(all.at("best").size(), 1u);
}

TEST_F(SweepVerb, ReportWritesItsTableBetweenTheMarkersOrLeavesThePage) {
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

TEST_F(SweepVerb, ReportIntoAFolderThatCannotBeMadeFails) {
  write("taken", "a file");
  const Outcome outcome = run({"report", recorded("s.jsonl"), "-o", (file("taken") / "below").string()});
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("cannot create " + (file("taken") / "below").string()));
}

}  // namespace
}  // namespace rooftile::cli
