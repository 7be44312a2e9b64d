// Mistakes, help, and what fails without a device: the same for every verb.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Mistake {
  Arguments words;
  const char* how;
  std::string sentence;
};

class Verbs : public CommandLine {
 protected:
  // Each prints nothing but its sentence, and its JSON if that was asked for.
  void expect_refused(const std::vector<Mistake>& rows) const {
    for (const Mistake& row : rows) {
      const Outcome outcome = run(row.words);
      const auto words = ::testing::PrintToString(row.words);
      EXPECT_EQ(outcome.how, row.how) << words << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr(row.sentence)) << words;
      const bool json = std::ranges::find(row.words, "--json") != row.words.end();
      EXPECT_EQ(outcome.out.find("\"error\"") != std::string::npos, json) << words;
      EXPECT_EQ(outcome.out.empty(), !json) << words;
    }
  }
};

TEST_F(Verbs, AMistakeInWhatIsPredictedHasASentenceAndAStatus) {
  expect_refused({
      {{"gpus", "--unknown"}, misused, "--unknown"},
      {{"gpus", "--launch-limit", "nan"}, misused, "--launch-limit: nan is no number"},
      {{"points", "/dev/zero"}, failed, "/dev/zero: cannot be read"},
      {{"gpus", "H200"}, misused, "H200"},
      {{"kernels", "sgemm"}, misused, "There is no kernel \"sgemm\"."},
      {{"predict", "train.py", "--gpu", "H200"},
       misused,
       "train.py is a program of Python: rooftile-cli profile"},
      {{"predict", "add.cl", "--gpu", "H200"}, misused, "add.cl is OpenCL: rooftile opens kernels of CUDA"},
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
  });
}

TEST_F(Verbs, AMistakeInWhatIsMeasuredHasASentenceAndAStatus) {
  const std::string folder = file("").string();
  expect_refused({
      {{"measure", "sgemm_tiled", "--bytes", "some"}, misused, "some"},
      {{"measure", "sgemm_tiled", "TILE=0x20"}, misused, "\"0x20\" is no number for TILE."},
      {{"lines"}, misused, "KERNEL is required"},
      {{"lines", "sgemm_tiled", "--caches", "hot"}, misused, "hot"},
      {{"sweep", "sgemm_tiled", "-o", "x.jsonl"}, misused, "Name the values that are measured"},
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
      {{"sweep", "sgemm_tiled", "TILE=8", "--best", "--launches", "0", "-o", "x.jsonl"},
       misused,
       "Value 0 not in range"},
      {{"bench"}, misused, "A subcommand is required"},
      {{"--json", "measur"}, misused, "There is no verb \"measur\"; did you mean measure?"},
      {{"bench", "slowly"}, misused, "A subcommand is required"},
      {{"bench", "load"}, misused, "SESSION is required"},
      {{"bench", "speed", "nothing"}, misused, "nothing not in {FP32 multiply,"},
      {{"bench", "speed", "--launches", "few"}, misused, "few"},
      {{"bench", "latency", "cublas_sgemm", "--moves", "2"},
       misused,
       "The dials of cublas_sgemm have 1 positions, fewer than 2 moves: ask for fewer."},
      {{"bench", "latency", "sgem_tiled"}, misused, "did you mean sgemm_tiled?"},
  });
}

TEST_F(Verbs, AMistakeAboutASessionHasASentenceAndAStatus) {
  const std::string session = recorded("s.jsonl"), folder = file("").string();
  const std::string bundled = (platform::data_directory() / "assets/sessions/h100_h200.jsonl").string();
  expect_refused({
      {{"best"}, misused, "SESSION is required"},
      {{"best", session, "sgemm_tilde"}, misused, "did you mean sgemm_tiled?"},
      {{"best", session, "copy"}, failed, "The session holds no launch of copy on the Test GPU."},
      {{"best", session, "--header", folder + "x.hpp"},
       misused,
       "--header, --defines and --template are of one kernel"},
      {{"bench", "search", session}, failed, "no problem that was launched at 10 places or more."},
      {{"merge", "-o", "x.jsonl"}, misused, "SESSION is required"},
      {{"merge", session}, misused, "--output is required"},
      {{"merge", "/no/such.jsonl", "-o", "x.jsonl"}, failed, "/no/such.jsonl: cannot be read"},
      {{"merge", session, "-o", "/no/such/folder/x.jsonl"}, failed, "/no/such/folder/x.jsonl"},
      {{"report", session, "--gpu", "T4"}, misused, "There is no GPU \"T4\". Known are: Test GPU."},
      {{"report", session, "--readme", "/no/such.md"}, misused, "--readme: "},
      {{"points"}, misused, "SESSION is required"},
      {{"points", "/no/such.jsonl"}, misused, "/no/such.jsonl"},
      {{"points", session, "--csv", "--json"}, misused, "Choose one of --csv, --t4 and --json."},
      {{"roofs", session, "--gpu", "T4"}, misused, "There is no GPU \"T4\". Known are: Test GPU."},
      {{"roofs", bundled, "--gpu", "H"},
       misused,
       "\"H\" can be the NVIDIA H200 or the NVIDIA H100 80GB HBM3: name more of it."},
      {{"roofs", "/no/such.jsonl"}, misused, "/no/such.jsonl"},
  });
}

TEST_F(Verbs, WithoutADeviceRecordedLinesAreShown) {
  const Outcome outcome = run_scripted({"lines", "transpose_tiled", "PAD=0"}, "--no-device");
  EXPECT_EQ(outcome.how, ok);
  EXPECT_THAT(outcome.err, HasSubstr("Recorded on NVIDIA"));
  EXPECT_THAT(outcome.out, HasSubstr("samples of warps"));
}

TEST_F(Verbs, InstructionsOfTheMachineAreListedBelowTheirLines) {
  const Outcome outcome = run_scripted({"lines", "sgemm_tiled", "--sass"});
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("3  out[i] = tile[x][y];\n"), HasSubstr("0010      STG.E [R4.64], R2\n")));
  const Outcome recorded = run_scripted({"lines", "transpose_tiled", "PAD=0", "--sass"}, "--no-device");
  EXPECT_EQ(recorded.how, failed);
  EXPECT_THAT(recorded.err, HasSubstr("nvdisasm tells them where it is measured"));
}

TEST_F(Verbs, LinesThatAreNotRecordedAreComputed) {
  const Outcome outcome = run_scripted({"lines", "sgemm_tiled", "M=1000", "--gpu", "4090"}, "--no-device");
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("RTX 4090, computed from the compiled code"));
  EXPECT_THAT(outcome.out, HasSubstr("sectors per request"));
}

TEST_F(Verbs, WithoutADeviceWhatMeasuresFailsAndSaysWhy) {
  const std::string out = file("x.jsonl").string();
  for (const Arguments& words :
       {Arguments{"measure", "sgemm_tiled"}, Arguments{"lines", "sgemm_tiled", "M=1000"},
        Arguments{"sweep", "sgemm_tiled", "TILE=8", "-o", out}, Arguments{"bench", "speed", "copy"},
        Arguments{"bench", "sweep"}, Arguments{"bench", "latency", "--moves", "1"}}) {
    fs::remove(out);
    const Outcome outcome = run_scripted(words, "--no-device");
    EXPECT_EQ(outcome.how, failed) << words.front();
    EXPECT_THAT(
        outcome.err,
        EndsWith("rooftile-cli: There is no device to measure on.\n  device: There is no GPU. Use a machine "
                 "with a GPU.\n"))
        << words.front();
    EXPECT_THAT(outcome.out, IsEmpty()) << words.front();
  }
}

TEST_F(Verbs, WithoutADeviceMeasureNamesTheRecordedLaunch) {
  const Outcome known = run_scripted({"measure", "sgemm_tiled", "TILE=32", "N=2048"}, "--no-device");
  EXPECT_THAT(known.err, HasSubstr("This launch was recorded on the NVIDIA H200: "));
  const Outcome unknown = run_scripted({"measure", "sgemm_tiled", "TILE=32", "N=2047"}, "--no-device");
  EXPECT_THAT(unknown.err, Not(HasSubstr("recorded")));
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

}  // namespace
}  // namespace rooftile::cli
