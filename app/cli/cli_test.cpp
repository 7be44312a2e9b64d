// The real program, run as a child with its arguments: exit status, and a phrase of what it says.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(CommandLine, SaysWhatWasExpectedOfIt) {
  const struct {
    Arguments words;
    const char* how;
    const char* phrase;
  } rows[] = {
      {{"--help"}, ok, "measure"},
      {{"--version"}, ok, "rooftile 0."},
      {{}, misused, "subcommand"},
      {{"mesure"}, misused, "did you mean measure?"},
      {{"measure"}, misused, "KERNEL"},
      {{"measure", "sgem_tiled"}, misused, "did you mean sgemm_tiled? Known are: "},
      {{"measure", "sgemm_tiled", "TIEL=8"}, misused, "did you mean TILE?"},
      {{"measure", "sgemm_tiled", "TILE=7"}, misused, "sgemm_tiled cannot run with TILE=7"},
      {{"measure", "sgemm_naive", "BLOCK_X=256", "BLOCK_Y=32"}, misused, "A block has at most 1,024 threads."},
      {{"measure", "sgemm_tiled", "--caches", "hot"}, misused, "hot"},
      {{"predict", "sgemm_tiled"}, misused, "--gpu"},
      {{"predict", "sgemm_tiled", "--gpu", "H2000"}, misused, "Known are:"},
      {{"occupancy", "--block", "4096", "--registers", "32", "--shared", "0", "--gpu", "H200"},
       misused,
       "--block"},
      {{"occupancy", "--block", "256", "--registers", "32", "--shared", "0", "--gpu", "H200"}, ok, "100 %"},
      {{"sweep", "sgemm_tiled", "TILE=8"}, misused, "--output"},
      {{"report", "no/such.jsonl"}, misused, "no/such.jsonl"},
      {{"kernels"}, ok, "transpose_tiled"},
      {{"kernels", "sgemm_tiled"}, ok, "4 8 16 32"},
      {{"gpus"}, ok, "RTX 4090"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = run(row.words);
    const auto words = ::testing::PrintToString(row.words);
    EXPECT_EQ(outcome.how, row.how) << words << outcome.err;
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr(row.phrase)) << words;
  }
}

TEST_F(CommandLine, JsonOfACallThatFailsIsItsError) {
  const struct {
    Arguments words;
    const char* id;
    const char* phrase;
  } rows[] = {
      {{"--json", "measure", "sgem_tiled"}, "usage", "did you mean sgemm_tiled?"},
      {{"measure", "--json"}, "usage", "KERNEL"},
      {{"predict", "sgemm_tiled", "TILE=7", "--gpu", "H200", "--json"}, "usage", "TILE=7"},
      {{"measure", "sgemm_tiled", "--json", "--worker", "no_such_worker"}, "failure", "no_such_worker"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = run(row.words);
    const auto document = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(document.at("version"), 1);
    EXPECT_EQ(document.at("error").at("id"), row.id) << outcome.out;
    EXPECT_THAT(document.at("error").at("sentence").get<std::string>(), HasSubstr(row.phrase));
    EXPECT_EQ(outcome.how, row.id == std::string("usage") ? misused : failed);
  }
}

TEST_F(CommandLine, WholeNumbersOfJsonAreWhole) {
  const Outcome outcome = run({"predict", "sgemm_tiled", "TILE=16", "--gpu", "H200", "--json"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\"TILE\": 16"), Not(HasSubstr("16.0"))));
}

TEST_F(CommandLine, JsonNamesUnitsAndKeepsRatiosBelowOne) {
  using nlohmann::json;
  const auto gpus = json::parse(run({"gpus", "--json"}).out).at("gpus");
  EXPECT_GE(gpus.size(), 19u);
  EXPECT_GT(gpus[0].at("dram_bytes_per_s").get<double>(), 1e11);
  EXPECT_EQ(json::parse(run({"kernels", "--json"}).out).at("kernels")[0].at("parameters")[0].at("role"),
            "dial");
  const auto answer = json::parse(
      run({"--json", "occupancy", "--block", "1024", "--registers", "40", "--shared", "0", "--gpu", "H200"})
          .out);
  EXPECT_EQ(answer.at("theoretical_occupancy").at("ratio"), 0.5);
  const auto measured = json::parse(run_scripted({"measure", "sgemm_tiled", "--json"}).out);
  EXPECT_EQ(measured.at("placement").at("time_s"), 1e-3);
  EXPECT_EQ(measured.at("placement").at("performance_flops_per_s"), 1e12);
  EXPECT_EQ(measured.at("placement").at("levels")[0].at("share_of_roof"), 1.1e8 / 1e-3 / 4e12);
}

TEST_F(CommandLine, LinesShowsTheSourceWithWhatEachLineDoes) {
  const Outcome outcome = run_scripted({"lines", "sgemm_tiled", "TILE=32"});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("3 launches, one of them instrumented")) << "the cost comes first";
  EXPECT_THAT(outcome.out, HasSubstr("3,200 / 100     3  out[i] = tile[x][y];"));
  EXPECT_THAT(outcome.out, HasSubstr("long_scoreboard"));
  EXPECT_THAT(outcome.out, HasSubstr("too many shared-memory accesses queued"));
  const auto all = nlohmann::json::parse(run_scripted({"lines", "sgemm_tiled", "--json"}).out);
  EXPECT_EQ(all.at("total").at("shared_wavefronts"), 3300);
  EXPECT_EQ(all.at("profile").at("lines")[1].at("stall_samples").at("mio_throttle"), 60);
}

TEST_F(CommandLine, LinesCanBeKeptAndMerged) {
  const std::string kept = file("lines.jsonl").string(), swept = file("s.jsonl").string();
  fs::create_directories(file("lines.jsonl").parent_path());
  EXPECT_EQ(run_scripted({"lines", "sgemm_tiled", "TILE=16", "-o", kept}).how, ok);
  EXPECT_EQ(run_scripted({"sweep", "sgemm_tiled", "TILE=8", "-o", swept}).how, ok);
  const std::string all = file("all.jsonl").string();
  EXPECT_EQ(run({"merge", swept, kept, "-o", all}).how, ok);
  const SessionLog log = platform::load_session(all);
  ASSERT_EQ(log.points.size(), 2u);
  EXPECT_NE(log.profile_of(log.points.back()), nullptr);
}

TEST_F(CommandLine, MergeTakesOneGpuAndBrieflyIfAsked) {
  SessionLog log;
  for (const char* name : {"Card A", "Card B"}) {
    log.devices.push_back({platform::load_gpu_table().gpus.front(), ""});
    log.devices.back().gpu.name = name;
    Point point;
    point.id = log.points.size() + 1;
    point.gpu = name;
    point.phases = {{"compile", {1e-3}}};
    point.counters = Counters{};
    point.counters->metrics = {"dram__bytes_read.sum"};
    point.final = true;
    log.points.add(point);
  }
  const std::string both = file("both.jsonl").string(), one = file("one.jsonl").string();
  platform::save_session(log, both);
  EXPECT_EQ(run({"merge", both, "--gpu", "card b", "--brief", "-o", one}).how, ok);
  const SessionLog merged = platform::load_session(one);
  ASSERT_EQ(merged.devices.size(), 1u);
  ASSERT_EQ(merged.points.size(), 1u);
  EXPECT_EQ(merged.points.back().gpu, "Card B");
  EXPECT_TRUE(merged.points.back().phases.empty());
  EXPECT_TRUE(merged.points.back().counters->metrics.empty());
  EXPECT_EQ(run({"merge", both, "--gpu", "Card C", "-o", one}).how, misused);
}

TEST_F(CommandLine, LinesOfAWrongKernelAreNotShown) {
  const Outcome outcome = run_scripted({"lines", "sgemm_tiled", "TILE=32"}, "--wrong TILE=32");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("The result is wrong"));
}

TEST_F(CommandLine, RoofsStandBesideEachOtherWithTheirSources) {
  const Outcome known = run_scripted({"roofs"});
  EXPECT_EQ(known.how, ok) << known.err;
  EXPECT_THAT(known.out, HasSubstr("\nDRAM              4.00 TB/s"));
  EXPECT_THAT(known.out, HasSubstr("\nDRAM\n  measured 4.00 TB/s: made up"));
  EXPECT_THAT(run_scripted({"roofs", "--again"}).out, HasSubstr("4.10 TB/s"));
  const auto all = nlohmann::json::parse(run_scripted({"roofs", "--json"}).out);
  EXPECT_EQ(all.at("record"), "roofs");
}

TEST_F(CommandLine, GpusThatAreNotHereAreShownAsRecorded) {
  EXPECT_THAT(run_scripted({"roofs"}, "--no-device").out, HasSubstr("NVIDIA H200\n"));
  EXPECT_THAT(run_scripted({"roofs", "--gpu", "h100"}, "--no-device").out,
              HasSubstr("NVIDIA H100 80GB HBM3\n"));
  const Outcome report =
      run_scripted({"report", "--gpu", "h100", "-o", file("report").string()}, "--no-device");
  EXPECT_THAT(report.out,
              AllOf(HasSubstr("NVIDIA H100 80GB HBM3   CC 9.0"), HasSubstr("also holds NVIDIA H200")));
  EXPECT_THAT(run_scripted({"roofs", "--gpu", "h100"}).out, HasSubstr("NVIDIA H100"))
      << "another than the device";
  const Outcome unknown = run_scripted({"roofs", "--gpu", "voodoo"}, "--no-device");
  EXPECT_EQ(unknown.how, misused);
  EXPECT_THAT(unknown.err, HasSubstr("There is no GPU \"voodoo\". Known are: P100 SXM2 16GB"));
}

TEST_F(CommandLine, MeasurePrintsWhatWasCounted) {
  const Outcome outcome = run_scripted({"measure", "sgemm_tiled", "TILE=32"});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  for (const char* phrase : {"TILE=32", "1.00 ms", "1.00 TFLOP/s", "110 MB", "counted", "compile 9.00 ms"}) {
    EXPECT_THAT(outcome.out, HasSubstr(phrase));
  }
  EXPECT_THAT(outcome.err, IsEmpty()) << "no progress where there is no terminal";
}

TEST_F(CommandLine, MeasureCountsBytesByNsightsDefinitionOnRequest) {
  EXPECT_THAT(run_scripted({"measure", "sgemm_tiled"}).out, HasSubstr("L2     200 MB"));
  const Outcome returned = run_scripted({"measure", "sgemm_tiled", "--bytes", "returned"});
  EXPECT_THAT(returned.out, HasSubstr("bytes returned"));
  EXPECT_THAT(returned.out, HasSubstr("150 MB"));
}

TEST_F(CommandLine, MeasureFailsWhereTheResultIsWrong) {
  const Outcome outcome = run_scripted({"measure", "sgemm_tiled", "TILE=32"}, "--wrong TILE=32");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.out, HasSubstr("C[0] is 1, expected 2."));
}

TEST_F(CommandLine, MeasureFailsWithASentence) {
  const struct {
    const char* script;
    const char* phrase;
  } rows[] = {
      {"--no-device", "Use a machine with a GPU."},
      {"--crash TILE=32", "was ended by signal 11"},
      {"--crash-at-start", "cannot open the device"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = run_scripted({"measure", "sgemm_tiled", "TILE=32"}, row.script);
    EXPECT_EQ(outcome.how, failed) << row.script;
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr(row.phrase));
  }
}

TEST_F(CommandLine, SweepWritesASessionAndSaysWhatItSkipped) {
  const Arguments words = {"sweep",        "sgemm_naive", "BLOCK_X=128,256",
                           "BLOCK_Y=4..8", "-o",          file("s.jsonl").string()};
  const Outcome outcome = run_scripted(words);
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 skipped: A block has at most 1,024 threads."));
  const SessionLog log = platform::load_session(file("s.jsonl"));
  EXPECT_EQ(log.points.size(), 3u);
  EXPECT_TRUE(log.header.host.empty());

  const Outcome again = run_scripted(words);
  EXPECT_EQ(again.how, misused) << "earlier results are not written over";
  EXPECT_THAT(again.err, HasSubstr("exists already"));
}

TEST_F(CommandLine, SweepGoesOnAfterACrash) {
  const Outcome outcome =
      run_scripted({"sweep", "sgemm_tiled", "TILE=4..32", "-o", file("s.jsonl").string()}, "--crash TILE=8");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.out, HasSubstr("the worker was started again."));
  EXPECT_EQ(platform::load_session(file("s.jsonl")).points.size(), 4u);
}

TEST_F(CommandLine, PredictsWithACompilerAndWithout) {
  const Arguments words = {"predict", "sgemm_tiled", "TILE=16", "--gpu", "RTX 4090"};
  const Outcome compiled = run_scripted(words, "--no-device");
  EXPECT_EQ(compiled.how, ok) << compiled.err;
  EXPECT_THAT(compiled.out, HasSubstr("32 registers"));
  EXPECT_THAT(compiled.out, HasSubstr("theoretical"));
  EXPECT_THAT(compiled.out, HasSubstr("the compiled code"));
  const Outcome modelled = run_scripted(words, "--crash-at-start");
  EXPECT_EQ(modelled.how, ok) << modelled.err;
  EXPECT_THAT(modelled.out, HasSubstr("registers from the bundled table for 8.9"));
  const Outcome unknown =
      run_scripted({"predict", "sgemm_tiled", "TILE=16", "--gpu", "V100"}, "--crash-at-start");
  EXPECT_EQ(unknown.how, ok) << unknown.err;
  EXPECT_THAT(unknown.out, HasSubstr("Registers and occupancy are not known"));
  EXPECT_THAT(modelled.out, HasSubstr("predicted"));
  const Outcome broken = run_scripted(words, "--no-compile TILE=16");
  EXPECT_EQ(broken.how, failed);
  EXPECT_THAT(broken.err, HasSubstr("sgemm_tiled.cu(12): error: expected a \";\""));
  EXPECT_EQ(broken.out, "") << "no time of what cannot run";
}

TEST_F(CommandLine, DoctorNamesWhatIsMissingAndTheFix) {
  const Outcome well = run_scripted({"doctor"});
  EXPECT_EQ(well.how, ok) << well.out;
  EXPECT_THAT(well.out, HasSubstr("libnvrtc.so.13"));
  const Outcome ill = run_scripted({"doctor"}, "--no-device");
  EXPECT_EQ(ill.how, failed);
  EXPECT_THAT(ill.out, HasSubstr("Use a machine with a GPU."));
  const Outcome absent = run({"doctor", "--worker", "/no/such/worker", "--json"});
  EXPECT_EQ(absent.how, failed);
  EXPECT_EQ(nlohmann::json::parse(absent.out).at("facilities").back().at("state"), "missing");
}

TEST_F(CommandLine, BenchSpeedSetsTheBestBesideItsRival) {
  write("page.md", "<!-- speed: begin -->\nold\n<!-- speed: end -->\n");
  const Outcome outcome = run_scripted({"bench", "speed", "transpose", "copy", "histogram", "--places", "2",
                                        "--readme", file("page.md").string()});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("| transpose | BYTES=4 N=8192 | `copy` "));
  EXPECT_THAT(outcome.out, HasSubstr("| 1.00x | 1.00x |\n"));
  EXPECT_THAT(outcome.out, HasSubstr("| copy | BYTES=4 N=16384 | DRAM peak "));
  EXPECT_THAT(outcome.out, HasSubstr("| histogram | BINS=65536 | `histogram_global` "));
  std::stringstream page;
  page << std::ifstream(file("page.md")).rdbuf();
  EXPECT_EQ(page.str(), "<!-- speed: begin -->\n" + outcome.out + "<!-- speed: end -->\n");
  const auto rows =
      nlohmann::json::parse(run_scripted({"bench", "speed", "copy", "--places", "2", "--json"}).out).at("rows");
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].at("cold").at("best").at("median_s"), 1e-3);
  EXPECT_TRUE(rows[0].at("warm").at("rival").is_null());
}

TEST_F(CommandLine, ReportDrawsARecordedSession) {
  run_scripted({"sweep", "sgemm_tiled", "TILE=4..32", "-o", file("s.jsonl").string()});
  const Outcome outcome = run({"report", file("s.jsonl").string(), "-o", file("report").string()});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("recorded in s.jsonl, 4 points"));
  EXPECT_TRUE(fs::exists(file("report") / "roofline.svg"));
}

// Without its row in shared memory the kernel computes everything twice: more FLOPs per second, and slower.
TEST_F(CommandLine, ReportTakesTheFastestOfAProblemForItsBest) {
  const auto launched = [](std::uint64_t id, double staged, Flops flops, Seconds time) {
    Point point;
    point.id = id;
    point.kernel = "row_softmax";
    point.parameters = {{"STAGED", staged}};
    point.gpu = "G";
    point.modelled = {flops, 100, Bytes{800}, {}};
    point.timing = Timing{time, time, time, 3};
    point.final = true;
    return point;
  };
  SessionLog log;
  log.devices.push_back({platform::load_gpu_table().gpus.front(), ""});
  log.devices.back().gpu.name = "G";
  log.roofs = {{"G", {{MemoryLevel::dram, {1e12}, Origin::measured, ""}}, {}}};
  log.points.add(launched(1, 1, Flops{400}, Seconds{1e-6}));
  log.points.add(launched(2, 0, Flops{600}, Seconds{1.2e-6}));
  platform::save_session(log, file("s.jsonl"));
  const Outcome outcome = run({"report", file("s.jsonl").string(), "-o", file("report").string(), "--json"});
  ASSERT_EQ(outcome.how, ok) << outcome.err;
  const auto best = nlohmann::json::parse(outcome.out).at("best");
  ASSERT_EQ(best.size(), 1);
  EXPECT_EQ(best[0].at("point").at("parameters").at("STAGED"), 1);
}

TEST_F(CommandLine, ReportMeasuresWhereThereIsADevice) {
  const Outcome outcome = run_scripted({"report", "-o", file("report").string()});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("measured now"));
  EXPECT_THAT(outcome.out, HasSubstr("transpose_tiled"));
}

TEST_F(CommandLine, MalformedFilesAreNamedWithTheirLine) {
  write("bad.jsonl", "this is no session\n{\"record\": \"header\"}\n");
  const Outcome session = run({"report", file("bad.jsonl").string(), "-o", file("report").string()});
  EXPECT_EQ(session.how, failed);
  EXPECT_THAT(session.err, HasSubstr("bad.jsonl:1"));
}

TEST_F(CommandLine, ABadLineOfASessionAndACutOneAreToldAndTheRestIsShown) {
  recorded("whole.jsonl");
  std::string text = text_of("whole.jsonl");
  text.insert(text.find('\n') + 1, "nonsense\n");
  write("cut.jsonl", text + "{\"record\": \"poi");
  const Outcome outcome = run({"points", file("cut.jsonl").string()});
  EXPECT_EQ(outcome.how, ok);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("TILE=8"), HasSubstr("TILE=16")));
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("left out: " + file("cut.jsonl").string() + ":2: not JSON"),
                                 HasSubstr("the last line is cut off")));
}

TEST_F(CommandLine, AKernelThatCannotBeReadIsLeftOutAndSaidSo) {
  write("mine/broken/kernel.toml", "title = \"Broken\"\nidea = 7\n");
  const std::string mine = file("mine").string();
  for (const auto& words :
       {Arguments{"kernels", "--kernels", mine}, Arguments{"kernels", "sgemm_tiled", "--kernels", mine}}) {
    const Outcome others = run(words);
    EXPECT_EQ(others.how, ok);
    EXPECT_THAT(others.out, HasSubstr("sgemm_tiled"));
    EXPECT_THAT(others.err, HasSubstr("left out: " + mine + "/broken/kernel.toml:2: \"idea\" must be"));
  }
  const Outcome broken = run({"measure", "broken", "--kernels", mine});
  EXPECT_EQ(broken.how, failed);
  EXPECT_THAT(broken.err, HasSubstr("kernel.toml:2: \"idea\" must be"));
}

}  // namespace
}  // namespace rooftile::cli
