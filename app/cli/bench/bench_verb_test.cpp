// rooftile-cli bench: each of its tables.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/model/model.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class BenchVerb : public CommandLine {
 protected:
  // The recorded launches of two kernels: to compile the places of all takes minutes.
  std::string session_of_two() {
    std::ifstream recorded(ROOFTILE_SOURCE_DIR "/assets/sessions/h100_h200.jsonl");
    std::string kept;
    for (std::string line; std::getline(recorded, line);) {
      const auto names = [&](const char* kernel) { return line.find(kernel) != std::string::npos; };
      const bool is_point = names("\"record\":\"point\"") || names("\"record\": \"point\"");
      kept += !is_point || names("\"copy\"") || names("\"sgemm_uncoalesced\"") ? line + "\n" : "";
    }
    write("two.jsonl", kept);
    return file("two.jsonl").string();
  }

  // The compiler needs no GPU; a build without CUDA has none.
  static bool has_worker() {
    return std::filesystem::exists(platform::executable_directory() / "rooftile-worker");
  }
};

TEST_F(BenchVerb, BenchSearchHoldsASearchAgainstEveryRecordedSpace) {
  if (!has_worker()) {
    GTEST_SKIP() << "no worker was built";
  }
  const json rows = json::parse(run({"bench", "search", session_of_two(), "--json"}).out).at("rows");
  ASSERT_EQ(rows.size(), 3u);
  for (const json& row : rows) {
    EXPECT_LE(row.at("end_launches"), row.at("places"));
    EXPECT_GE(row.at("tenth_ratio"), 1) << row.at("kernel");
  }
  EXPECT_THAT(run({"bench", "search", session_of_two()}).out, HasSubstr("\ncopy "));
}

TEST_F(BenchVerb, BenchModelHoldsPredictionsAgainstTheRecordingAndWritesItsTable) {
  if (!has_worker()) {
    GTEST_SKIP() << "no worker was built";
  }
  const std::string page = file("page.md").string();
  write("page.md", "before\n<!-- model: begin -->\nold\n<!-- model: end -->\n");
  const Outcome outcome = run({"bench", "model", session_of_two(), "--readme", page});
  ASSERT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("launches of"));
  EXPECT_THAT(outcome.out, HasSubstr("\nNVIDIA H200, other sizes "));
  std::stringstream now;
  now << std::ifstream(page).rdbuf();
  EXPECT_THAT(now.str(), AllOf(StartsWith("before\n<!-- model: begin -->\n| launches of |"),
                               HasSubstr("\n| copy | 30 | "), Not(HasSubstr("old"))));
  const json all = json::parse(run({"bench", "model", session_of_two(), "--json"}).out).at("rows");
  EXPECT_EQ(all.back().at("name"), "all");
  EXPECT_EQ(all.back().at("launches"), 66);
}

TEST_F(BenchVerb, BenchPtxComparesDerivedWorkWithTheCounters) {
  if (!has_worker()) {
    GTEST_SKIP() << "no worker was built";
  }
  for (const char* kernel : {"copy", "transpose_naive", "sgemm_tiled"}) {
    const Outcome outcome = run({"bench", "ptx", "--kernel", kernel, "--launches", "1", "--json"});
    ASSERT_EQ(outcome.how, ok) << outcome.err;
    const json row = json::parse(outcome.out).at("rows").at(0);
    ASSERT_FALSE(row.contains("sentence")) << row.at("sentence");
    EXPECT_EQ(row.at("kernel"), kernel);
    for (const std::string figure : {"global_requests", "l1_bytes"}) {
      const double counted = row.at("counted_" + figure);
      EXPECT_NEAR(row.at("derived_" + figure), counted, 0.01 * counted) << kernel << " " << figure;
    }
  }
  EXPECT_EQ(run({"bench", "ptx", "--kernel", "nothing"}).how, failed);
}

TEST_F(BenchVerb, BenchPtxHoldsThePicturesAgainstTheCounters) {
  if (!has_worker()) {
    GTEST_SKIP() << "no worker was built";
  }
  const Outcome outcome = run({"bench", "ptx", "--pictures", "--launches", "1"});
  EXPECT_EQ(outcome.how, ok) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("drawn / counted"), HasSubstr("\ntranspose_tiled "),
                                 HasSubstr("\nattention_naive ")));
}

TEST_F(BenchVerb, PredictionsComeTrueAtSizesThatChoseNoConstant) {
  if (!has_worker()) {
    GTEST_SKIP() << "no worker was built";
  }
  int judged = 0;
  const json document = json::parse(run({"bench", "model", session_of_two(), "--json"}).out);
  for (const json& row : document.at("rows")) {
    const std::string name = row.at("name");
    if (!name.ends_with(", other sizes")) {
      continue;
    }
    ++judged;
    EXPECT_LE(row.at("median_error"), 1.15) << name;
    EXPECT_GE(row.at("within_1_3"), 0.8) << name;
    EXPECT_GE(row.at("pairs_ordered").get<double>(), 0.9 * row.at("pairs").get<double>()) << name;
    EXPECT_GE(row.at("good_favourites").get<double>(), 0.9 * row.at("problems").get<double>()) << name;
    EXPECT_EQ(row.at("impossible"), 0) << name;
  }
  EXPECT_EQ(judged, 2);
}

const std::string bundled = ROOFTILE_SOURCE_DIR "/assets/sessions/h100_h200.jsonl";

TEST_F(BenchVerb, BenchLoadSaysHowFastASessionIsRead) {
  const Outcome outcome = run({"bench", "load", bundled});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("2,362 points, 4.00 MB in "), HasSubstr(" points/s.\nThe window")));
  const json all = json::parse(run({"bench", "load", bundled, "--json"}).out);
  EXPECT_EQ(all.at("points"), 2362);
  EXPECT_DOUBLE_EQ(all.at("points_per_s"), 2362 / all.at("read_s").get<double>());
  EXPECT_LE(all.at("longest_standstill_s"), all.at("shown_s"));
}

TEST_F(BenchVerb, BenchAdviceHoldsAdviceAgainstTheRecordingAndWritesItsTable) {
  if (!has_worker()) {
    GTEST_SKIP() << "no worker was built";
  }
  const std::string page = file("page.md").string();
  write("page.md", "before\n<!-- advice: begin -->\nold\n<!-- advice: end -->\n");
  const json all =
      json::parse(run({"bench", "advice", session_of_two(), "--json", "--readme", page}).out).at("rows");
  EXPECT_EQ(all.back().at("name"), "all");
  EXPECT_EQ(all.back().at("launches"), 66);
  EXPECT_GE(all.back().at("faster").get<double>(), 0.9 * all.back().at("moves_recorded").get<double>());
  std::stringstream now;
  now << std::ifstream(page).rdbuf();
  EXPECT_THAT(now.str(), AllOf(StartsWith("before\n<!-- advice: begin -->\n| launches of |"),
                               HasSubstr("\n| copy | 30 | "), Not(HasSubstr("old"))));
}

TEST_F(BenchVerb, BenchSweepSaysWhatWasMeasured) {
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

TEST_F(BenchVerb, BenchLatencyJumpsTwiceAndWalksOnce) {
  const Outcome outcome = run_scripted({"bench", "latency", "--moves", "2", "--look", "0", "--json"});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  const json all = json::parse(outcome.out);
  EXPECT_EQ(all.at("kernel"), "sgemm_tiled");
  EXPECT_EQ(all.at("N"), 1024);
  EXPECT_EQ(all.at("compiled").at("moves"), 4) << "the scripted worker keeps no cubin";
  EXPECT_EQ(all.at("cached").at("moves"), 0);
  EXPECT_EQ(all.at("dragged").at("moves"), 2);
  EXPECT_EQ(all.at("jumped").at("moves"), 2);
  EXPECT_EQ(all.at("compiled").at("compile_median_s"), 9e-3);
  EXPECT_EQ(all.at("compiled").at("timed_median_s"), 9e-3);
  EXPECT_EQ(all.at("compiled").at("count_median_s"), 20e-3);
}

TEST_F(BenchVerb, BenchLatencyPrintsARowForEachKindOfMoveOrWhatFailed) {
  const Outcome outcome = run_scripted({"bench", "latency", "--moves", "1", "--size", "512", "--look", "0"});
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 7u) << outcome.err;
  EXPECT_EQ(lines.at(1), "From the moved dial to the counted point, sgemm_tiled N = 512; phases are medians.");
  EXPECT_THAT(lines.at(3), StartsWith("compiled              2 "));
  EXPECT_THAT(lines.at(4), StartsWith("one dial, ahead       1 "));
  EXPECT_THAT(lines.at(5), StartsWith("two dials, ahead      1 "));
  EXPECT_THAT(lines.at(6), StartsWith("cached                0 "));
  const Outcome wrong = run_scripted({"bench", "latency", "--moves", "1"}, "--wrong N=1024");
  EXPECT_EQ(wrong.how, failed);
  EXPECT_THAT(wrong.err, HasSubstr("failed: The result is wrong"));
}

TEST_F(BenchVerb, BenchSpeedWhereNothingRanComparesWithNothing) {
  const Outcome outcome = run_scripted({"bench", "speed", "histogram", "--places", "1"}, "--wrong BINS=256");
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("| histogram | BINS=256 | – | – | – | – | – |\n"),
                    HasSubstr("| histogram | BINS=16384 | `histogram_global` "), Not(HasSubstr("DRAM peak"))));
}

}  // namespace
}  // namespace rooftile::cli
