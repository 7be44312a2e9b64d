// The verb with programs that are shell scripts: they leave the records that the library in them would.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "analysis/roofline/example_point.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Profile : public CommandLine {
 protected:
  Profile() {
    Gpu gpu;
    gpu.name = "NVIDIA H200";
    gpu.cc = {9, 0};
    gpu.sm_count = 132;
    gpu.boost_clock = {1.98e9};
    gpu.l2_size = {6e7};
    gpu.sm = *sm_limits(gpu.cc);
    write("records", to_line(Header{record_version, "rooftile", "", "2026", facilities_}) + "\n" +
                         to_line(DeviceRecord{gpu, ""}) + "\n" + to_line(launched("multiply", 20, 4e-2)) +
                         "\n" + to_line(launched("copy", 10, 1e-2)) + "\n");
  }
  static Point launched(const std::string& kernel, double launches, double total) {
    static std::uint64_t id = 0;
    Point point = example::counted_gemm();
    point.id = ++id;
    point.kernel = kernel;
    point.modelled = {};
    point.verification.reset();
    point.program = ProgramLaunches{launches, 0, 1, {total}, 1};
    point.phases = {{"count", {0.1}}};
    return point;
  }
  // A program that leaves these records, and then does what the script says.
  Outcome profile(const std::string& script, Arguments options = {}, const Arguments& before = {}) const {
    const std::string leave = "cp " + file("records").string() + " $ROOFTILE_PROFILE_FOLDER/$$.jsonl; ";
    return run_plain(leave + script, std::move(options), before);
  }
  Outcome run_plain(const std::string& script, Arguments options = {}, const Arguments& before = {}) const {
    Arguments words = before;
    words.insert(words.end(), {"--worker", "/no/such/worker", "profile"});
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "sh", "-c", script});
    return run(words);
  }

  std::vector<Facility> facilities_ = {{"counters", Facility::State::refused,
                                        "Counters are not permitted for this user.", "Start it as root.", ""}};
};

TEST_F(Profile, TheProgramKeepsItsOutputAndItsStatusAndTheTableStandsApart) {
  const Outcome seen = profile("echo to out; echo to err >&2; exit 7");
  EXPECT_EQ(seen.how, "ended with status 7");
  EXPECT_EQ(seen.out, "to out\n");
  EXPECT_THAT(seen.err, AllOf(HasSubstr("to err\n"), HasSubstr("multiply  (64,64,1)x(32,32,1)"),
                              HasSubstr("30 launches of 2 kernels and shapes in 1 process took 50.0 ms"),
                              HasSubstr("2 launches were replayed in 3 passes each; that took 200 ms.")));
  EXPECT_LT(seen.err.find("multiply"), seen.err.find("copy")) << "most time first";
}

TEST_F(Profile, WhatWasMissingIsToldOnceWithItsFix) {
  const Outcome seen = profile("cp $ROOFTILE_PROFILE_FOLDER/$$.jsonl $ROOFTILE_PROFILE_FOLDER/2.jsonl");
  const std::string sentence = "Counters are not permitted for this user. Start it as root.";
  ASSERT_THAT(seen.err, HasSubstr(sentence));
  EXPECT_EQ(seen.err.find(sentence, seen.err.find(sentence) + 1), std::string::npos);
  EXPECT_THAT(seen.err, HasSubstr("60 launches of 2 kernels and shapes in 2 processes took 100 ms"));
}

TEST_F(Profile, AProgramThatCrashesIsToldOfAndWhatItLeftIsShown) {
  const Outcome seen = profile("kill -SEGV $$");
  EXPECT_EQ(seen.how, "ended with status 139");
  EXPECT_THAT(seen.err, AllOf(HasSubstr("ended by signal 11 (Segmentation fault); what it had recorded"),
                              HasSubstr("multiply")));
}

TEST_F(Profile, AProgramWithoutCudaIsToldOf) {
  const Outcome seen = run_plain("exit 0");
  EXPECT_EQ(seen.how, ok);
  EXPECT_THAT(seen.err, HasSubstr("nothing is recorded. The program did not start CUDA"));
}

TEST_F(Profile, AFullDiskIsToldAndTheProgramIsNotBlamed) {
  const Outcome seen = run_in_shell("trap '' XFSZ; ulimit -f 1; ", {"profile", "--", "sh", "-c", "exit 7"});
  EXPECT_EQ(seen.how, "ended with status 7");
  EXPECT_THAT(seen.err, AllOf(HasSubstr("could not be kept: "), HasSubstr("File too large. Set TMPDIR")));
  EXPECT_THAT(seen.err, testing::Not(HasSubstr("did not start CUDA")));
}

TEST_F(Profile, WithoutAFolderForTemporaryFilesTheProgramRunsAllTheSame) {
  for (const char* folder : {"/nonexistent", "/proc"}) {
    const Outcome seen = run_in_shell(fmt::format("export TMPDIR={}; ", folder),
                                      {"profile", "--", "sh", "-c", "echo $TMPDIR; exit 7"});
    EXPECT_EQ(seen.how, "ended with status 7") << seen.err;
    EXPECT_EQ(seen.out, std::string(folder) + "\n") << "what the program sees";
  }
}

TEST_F(Profile, AProgramThatOpensTheDriverWithoutTheLibraryIsToldOfThat) {
  write("libcuda.so.1", "of no use");
  setenv("LD_LIBRARY_PATH", file("").c_str(), 1);
  const Outcome seen = run_plain("cat $LD_LIBRARY_PATH/libcuda.so.1 >/dev/null; exit 3");
  const Outcome other = run_plain("exit 3");
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(seen.how, "ended with status 3");
  EXPECT_THAT(seen.err,
              AllOf(HasSubstr("did not load rooftile's library"), HasSubstr("CUDA_INJECTION64_PATH")));
  EXPECT_THAT(other.err, HasSubstr("The program did not start CUDA."));
}

TEST_F(Profile, JsonStandsAloneOnStandardOutput) {
  const Outcome seen = profile("echo to out; exit 7", {}, {"--json"});
  EXPECT_EQ(seen.how, "ended with status 7");
  EXPECT_THAT(seen.err, HasSubstr("to out"));
  const auto json = nlohmann::json::parse(seen.out);
  EXPECT_EQ(json["program"]["status"], 7);
  EXPECT_EQ(json["program"]["launches"], 30);
  ASSERT_EQ(json["points"].size(), 2u);
  EXPECT_EQ(json["points"][0]["point"]["kernel"], "multiply");
  EXPECT_EQ(json["points"][0]["flops_by_pipe"]["FP32 FMA"], 17'179'869'184.0);
  EXPECT_TRUE(json["points"][0].contains("verdict"));
}

TEST_F(Profile, CsvHasALineForEachKernelAndShape) {
  const Outcome seen = profile("", {"--csv"});
  EXPECT_EQ(std::count(seen.out.begin(), seen.out.end(), '\n'), 3);
}

TEST_F(Profile, ASessionIsWrittenThatOtherVerbsRead) {
  const std::string session = file("program.jsonl").string();
  EXPECT_EQ(profile("", {"-o", session}).how, ok);
  const SessionLog log = platform::load_session(session);
  ASSERT_EQ(log.points.size(), 2u);
  EXPECT_EQ(log.points.front().program->launches, 20);
  EXPECT_NE(log.roofs_of("NVIDIA H200"), nullptr);
  const Outcome points = run({"points", session});
  EXPECT_EQ(points.how, ok);
  EXPECT_THAT(points.out, HasSubstr("multiply"));
}

TEST_F(Profile, RoofsThatAWorkerToldAreKnownWithoutAWorker) {
  const std::string swept = file("swept.jsonl").string(), session = file("program.jsonl").string();
  run_scripted({"sweep", "sgemm_tiled", "TILE=8", "-o", swept});
  const SessionLog worker = platform::load_session(swept);
  Point point = launched("multiply", 20, 4e-2);
  point.gpu = worker.devices.at(0).gpu.name;
  write("records", to_line(Header{record_version, "rooftile", "", "2026", {}}) + "\n" +
                       to_line(worker.devices[0]) + "\n" + to_line(point) + "\n");
  profile("", {"-o", session});
  EXPECT_EQ(platform::load_session(session).roofs_of(point.gpu)->memory.size(), 0u) << "none was asked";
  run_scripted({"roofs"});
  profile("", {"-o", session});
  EXPECT_EQ(*platform::load_session(session).roofs_of(point.gpu), *worker.roofs_of(point.gpu));
}

TEST_F(Profile, TheLibraryIsAskedForWhatWasSaid) {
  const Outcome seen = run_plain(
      "echo $ROOFTILE_PROFILE_KERNEL $ROOFTILE_PROFILE_SKIP $ROOFTILE_PROFILE_COUNT $ROOFTILE_PROFILE_EVERY "
      "$ROOFTILE_PROFILE_REPLAY; "
      "basename $CUDA_INJECTION64_PATH; test -d $ROOFTILE_PROFILE_FOLDER && echo there",
      {"--kernel", "gemm|copy", "--skip", "3", "--count", "9", "--every", "100", "--replay", "never"});
  EXPECT_EQ(seen.out, "gemm|copy 3 9 100 never\nlibrooftile-inject.so\nthere\n");
}

TEST_F(Profile, ByOperatorPythonFindsOurFileFirstAndThenTheUsersFolders) {
  const std::string say =
      "echo $ROOFTILE_PROFILE_BY_RANGE $PYTHONPATH; test -f ${PYTHONPATH%%:*}/sitecustomize.py && echo there";
  EXPECT_THAT(run_plain("unset PYTHONPATH; true; " + say, {}).out, testing::StartsWith("0"));
  const Outcome seen = profile(say, {"--by-operator"});
  EXPECT_THAT(seen.out, AllOf(testing::StartsWith("1 "), HasSubstr("kernels/inject/python"),
                              testing::EndsWith("there\n")));
  EXPECT_THAT(seen.err, HasSubstr("No kernel was launched inside an NVTX range, nor inside a module"));
}

// The program leaves the folder that the library in it would.
TEST_F(Profile, ACapturedLaunchComesToItsPlaceAndIsAKernelThere) {
  write("left/kernel.cubin", "code");
  write("left/kernel.toml",
        "title = \"twice(float*)\"\nsource = \"kernel.cubin\"\nbuffer = [{ name = \"b0\", element = \"char\", "
        "count = 256, "
        "role = \"in_out\", file = \"b0.npy\" }]\n[launch]\narguments = [{ buffer = \"b0\", offset = 16 }]\n"
        "grid = [1]\nblock = [32]\n");
  const std::string place = file("taken").string(), leave = "cp -r " + file("left").string() + " ";
  const Outcome seen = profile(leave + "$ROOFTILE_PROFILE_CAPTURE; echo $ROOFTILE_PROFILE_KERNEL; exit 7",
                               {"--capture", "twice", "--capture-limit", "1KiB", "-o", place});
  EXPECT_EQ(seen.how, "ended with status 7");
  EXPECT_EQ(seen.out, "twice\n");
  EXPECT_THAT(
      seen.err,
      HasSubstr("twice is captured, with the 256 B of memory that it reaches: rooftile-cli measure " + place));
  const Outcome measured = run_scripted({"measure", place});
  EXPECT_EQ(measured.how, ok) << measured.err;
  EXPECT_THAT(measured.out, HasSubstr("taken"));

  const Outcome again = profile("echo ran", {"--capture", "twice", "-o", place});
  EXPECT_EQ(again.how, failed);
  EXPECT_THAT(again.err, HasSubstr("taken is there already: name another folder."));
  EXPECT_EQ(again.out, "");
}

TEST_F(Profile, ACapturedLaunchWhoseSourceCannotBeReadStaysAsItWas) {
  write("left/kernel.cubin", "code");
  write("left/kernel.toml",
        "source = \"kernel.cubin\"\nentry = \"twice\"\n[launch]\ngrid = [1]\nblock = [32]\n");
  write("twice.cu", "__global__ void twice() {}");
  const std::string place = file("taken").string();
  const Outcome seen = profile("cp -r " + file("left").string() + " $ROOFTILE_PROFILE_CAPTURE; exit 7",
                               {"--capture", "twice", "--source", file("twice.cu").string(), "-o", place});
  EXPECT_EQ(seen.how, "ended with status 7");
  EXPECT_THAT(seen.err, HasSubstr("stays as the program compiled it: "));
  EXPECT_EQ(run_scripted({"measure", place}).how, ok);
}

TEST_F(Profile, WhatAReplayOfACapturedLaunchLacksIsTold) {
  const Facility captured{"capture", Facility::State::ready, "twice is captured.", "",
                          "Parameter 1 holds a texture."};
  write("records", to_line(Header{record_version, "rooftile", "", "2026", {captured}}) + "\n");
  EXPECT_THAT(profile("", {"--capture", "twice", "-o", file("taken").string()}).err,
              HasSubstr("\nParameter 1 holds a texture.\n"));
}

TEST_F(Profile, AProgramThatIsKilledWhileItsLaunchIsWrittenLeavesNothing) {
  const Outcome seen =
      profile("half=$ROOFTILE_PROFILE_CAPTURE.part-1; mkdir $half; echo half > $half/b0.npy; kill -KILL $$",
              {"--capture", "twice", "-o", file("taken").string()});
  EXPECT_EQ(seen.how, "ended with status 137") << "as a shell tells of signal 9";
  EXPECT_THAT(seen.err, HasSubstr("no launch is captured: the program ended before"));
  for (const auto& each : fs::directory_iterator(file(""))) {
    EXPECT_THAT(each.path().string(), AllOf(Not(HasSubstr(".part-")), Not(HasSubstr("taken"))));
  }
}

TEST_F(Profile, WhereNothingIsCapturedNothingIsLeftAndThatIsTold) {
  const Outcome seen = profile("exit 0", {"--capture", "twice", "-o", file("taken").string()});
  EXPECT_EQ(seen.how, failed);
  EXPECT_FALSE(fs::exists(file("taken")));
  EXPECT_EQ(profile("exit 7", {"--capture", "twice", "-o", file("taken").string()}).how, "ended with status 7");
  for (const auto& each : fs::directory_iterator(file(""))) {
    EXPECT_THAT(each.path().string(), Not(HasSubstr(".part-")));
  }
}

TEST_F(Profile, AMistakeIsToldBeforeTheProgramRuns) {
  write("notes.txt", "mine");
  const struct {
    Arguments options, before;
    const char* how;
    const char* sentence;
  } rows[] = {
      {{"--csv"}, {"--json"}, misused, "Choose one of --csv and --json."},
      {{"--kernel", "gemm("}, {}, misused, "\"gemm(\" is no regular expression"},
      {{"--skip", "-1"}, {}, misused, "--skip"},
      {{"--replay", "now"}, {}, misused, "--replay"},
      {{"--capture", "gemm"}, {}, misused, "--output"},
      {{"--capture", "gemm(", "-o", file("new").string()}, {}, misused, "\"gemm(\" is no regular expression"},
      {{"--capture", "gemm", "--kernel", "gemm", "-o", file("new").string()}, {}, misused, "--kernel"},
      {{"--source", file("notes.txt").string()}, {}, misused, "--source requires --capture"},
      {{"-o", file("notes.txt").string()}, {}, failed, "is not a session of rooftile"}};
  for (const auto& row : rows) {
    const Outcome seen = run_plain("echo ran", row.options, row.before);
    EXPECT_EQ(seen.how, row.how) << row.sentence;
    EXPECT_THAT(seen.err, HasSubstr(row.sentence));
    EXPECT_THAT(seen.out + seen.err, Not(HasSubstr("ran\n"))) << row.sentence;
  }
  const Outcome seen = run({"profile", "--", "/no/such/program"});
  EXPECT_EQ(seen.how, failed);
  EXPECT_THAT(seen.err, StartsWith("rooftile-cli: cannot start /no/such/program: there is no such file."));
  EXPECT_THAT(run({"profile"}).err, HasSubstr("PROGRAM is required"));
}

}  // namespace
}  // namespace rooftile::cli
