// Measurements of other tools become a session, and a session becomes Kernel Tuner's results.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* ncu_report =
    "==PROF== Connected to process 7\n"
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid "
    "Size\",\"CC\",\"device__attribute_display_name\","
    "\"dram__bytes.sum.per_second\",\"gpu__time_duration.sum\",\"launch__registers_per_thread\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"Gbyte/s\",\"us\",\"register/thread\"\n"
    "\"0\",\"7\",\"copy(float *)\",\"(256, 1, 1)\",\"(100, 1, 1)\",\"9.0\",\"NVIDIA "
    "H200\",\"3,000\",\"100\",\"16\"\n"
    "\"1\",\"7\",\"copy(float *)\",\"(256, 1, 1)\",\"(100, 1, 1)\",\"9.0\",\"NVIDIA "
    "H200\",\"3,200\",\"90\",\"16\"\n"
    "\"2\",\"7\",\"sum(float *)\",\"(64, 1, 1)\",\"(9, 1, 1)\",\"9.0\",\"NVIDIA "
    "H200\",\"n/a\",\"n/a\",\"16\"\n";

constexpr const char* tuner_results = R"({"schema_version": "1.0.0", "results": [
    {"configuration": {"TILE": 8}, "times": {"runtimes": [2, 3, 4]}, "invalidity": "correct", "correctness": 1},
    {"configuration": {"TILE": 16}, "times": {}, "invalidity": "compile", "correctness": 0}]})";

class ImportVerb : public CommandLine {
 protected:
  Outcome import(Arguments words) const {
    words.insert(words.begin(), "import");
    words.insert(words.end(), {"-o", file("s.jsonl").string(), "--worker", "/no/such/worker"});
    return run(words);
  }
  std::string foreign(const std::string& name, const std::string& text) const {
    write(name, text);
    return file(name).string();
  }
};

TEST_F(ImportVerb, AReportOfNsightComputeBecomesTheKernelsOfAProgram) {
  const Outcome seen = import({foreign("report.csv", ncu_report)});
  ASSERT_EQ(seen.how, ok) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("copy    (100,1,1)x(256,1,1)"), HasSubstr("1 points written to ")));
  EXPECT_THAT(seen.err, HasSubstr("report.csv:6: the launch has no gpu__time_duration.sum"));
  const SessionLog log = platform::load_session(file("s.jsonl"));
  ASSERT_EQ(log.points.size(), 1u);
  EXPECT_EQ(log.points.front().program->launches, 2);
  EXPECT_EQ(log.points.front().gpu, log.devices.at(0).gpu.name);
  const Roofs* roofs = log.roofs_of(log.points.front().gpu);
  ASSERT_NE(roofs, nullptr);
  EXPECT_NE(roofs->find(MemoryLevel::dram, Origin::measured), nullptr) << "those that were recorded";
  const Outcome listed = run({"points", file("s.jsonl").string()});
  EXPECT_THAT(listed.out, AllOf(HasSubstr("copy"), HasSubstr("DRAM"))) << listed.err;
}

TEST_F(ImportVerb, ALaunchThatIsImportedIsNotExplained) {
  ASSERT_EQ(import({foreign("report.csv", ncu_report)}).how, ok);
  const std::string id = std::to_string(platform::load_session(file("s.jsonl")).points.front().id);
  EXPECT_THAT(run({"explain", file("s.jsonl").string(), id, id}).err,
              HasSubstr("is of copy(float *), a program's own or an imported one: how it works is not known"));
}

TEST_F(ImportVerb, AFileOfWindowsIsRead) {
  std::string wide = "\xff\xfe";
  for (const char* each = ncu_report; *each != 0; ++each) {
    wide += {*each, '\0'};
  }
  for (const std::string& text : {"\xef\xbb\xbf" + std::string(ncu_report), wide}) {
    const Outcome seen = import({foreign("report.csv", text)});
    EXPECT_EQ(seen.how, ok) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("copy    (100,1,1)x(256,1,1)"));
  }
}

TEST_F(ImportVerb, ALaunchAtALowClockSaysSo) {
  std::string locked = ncu_report;
  locked.replace(locked.find("launch__registers_per_thread"), 28, "smsp__cycles_elapsed.avg.per_second");
  locked.replace(locked.find("register/thread"), 15, "Ghz");
  for (std::size_t at; (at = locked.find("\"16\"")) != std::string::npos;) {
    locked.replace(at, 4, "\"1.12\"");
  }
  ASSERT_EQ(import({foreign("locked.csv", locked)}).how, ok);
  const Outcome listed = run({"points", file("s.jsonl").string(), "--json"});
  EXPECT_THAT(listed.out, HasSubstr("Measured at 1,120 MHz; the roofs are those at 1,980 MHz.")) << listed.err;
}

TEST_F(ImportVerb, FilesAreBroughtTogether) {
  const Outcome seen = import({foreign("a.csv", ncu_report), foreign("b.csv", ncu_report)});
  ASSERT_EQ(seen.how, ok) << seen.err;
  EXPECT_EQ(platform::load_session(file("s.jsonl")).points.front().program->launches, 4);
}

TEST_F(ImportVerb, ResultsOfKernelTunerBecomeASweep) {
  const std::string results = foreign("results.json", tuner_results);
  const Outcome seen = import({results, "--gpu", "RTX 4090", "--kernel", "mine"});
  ASSERT_EQ(seen.how, ok) << seen.err;
  const SessionLog log = platform::load_session(file("s.jsonl"));
  ASSERT_EQ(log.points.size(), 2u);
  EXPECT_EQ(log.points[0].kernel, "mine");
  EXPECT_EQ(log.points[0].parameters.at("TILE"), 8);
  EXPECT_EQ(log.points[0].timing->median, Seconds{3e-3});
  EXPECT_EQ(log.points[1].failure, "Kernel Tuner: compile");
}

TEST_F(ImportVerb, WhatCannotBeReadIsRefusedAndNothingIsWritten) {
  const std::string results = foreign("results.json", tuner_results);
  std::string other = ncu_report;
  for (auto at = other.find("NVIDIA H200"); at != std::string::npos; at = other.find("NVIDIA H200")) {
    other.replace(at, 11, "Unheard-of");
  }
  const struct {
    Arguments words;
    const char* how;
    const char* sentence;
  } rows[] = {
      {{results, "--kernel", "mine"}, misused, "results.json does not say on which GPU it was measured"},
      {{results, "--gpu", "H200"}, misused, "results.json does not say what its kernel is called"},
      {{foreign("other.csv", other)}, misused, "The Unheard-of of "},
      {{foreign("words.txt", "hello\n")}, failed, "words.txt: holds no table of Nsight Compute"},
      {{foreign("any.json", "{}")}, failed, "any.json: is neither a cache of Kernel Tuner nor its results"},
      {{foreign("none.json", R"({"results": []})"), "--gpu", "H200"},
       failed,
       "None of the files holds a launch"},
      {{"/no/such.csv"}, misused, "/no/such.csv"},
      {{"/dev/null"}, failed, "cannot read /dev/null: it is a folder or a device"},
  };
  for (const auto& row : rows) {
    const Outcome seen = import(row.words);
    EXPECT_EQ(seen.how, row.how) << row.sentence << seen.err;
    EXPECT_THAT(seen.err, HasSubstr(row.sentence));
    EXPECT_THAT(seen.out, IsEmpty());
    EXPECT_FALSE(fs::exists(file("s.jsonl"))) << row.sentence;
  }
}

// Stands for NVIDIA's module, which reads a report: two launches of one kernel.
constexpr const char* fake_module = R"python(
class Metric:
    def __init__(self, value, unit): self.v, self.u = value, unit
    def value(self): return self.v
    def unit(self): return self.u

METRICS = {"gpu__time_duration.sum": Metric(100000, "ns"), "dram__bytes.sum": Metric(3e8, "byte"),
           "device__attribute_display_name": Metric("NVIDIA H200", ""), "launch__grid_dim_x": Metric(100, "")}

class Action:
    NameBase_DEMANGLED = 1
    def name(self, base): return "void copy<4>(float *)" if base == 1 else "copy"
    def metric_names(self): return list(METRICS)
    def metric_by_name(self, name): return METRICS[name]

class Range:
    def num_actions(self): return 2
    def action_by_idx(self, i): return Action()

class Report:
    def num_ranges(self): return 1
    def range_by_idx(self, i): return Range()

def load_report(path): return Report()
)python";

// With a module of that name in place of NVIDIA's.
TEST_F(ImportVerb, AReportFileIsReadByNsightComputesOwnModule) {
  const std::string report = foreign("r.ncu-rep", "binary");
  const Outcome without = import({report});
  EXPECT_EQ(without.how, failed);
  EXPECT_THAT(without.err, HasSubstr("ncu --import " + report + " --csv --page raw > report.csv"))
      << "without a module, and by one that does not know it";
  write("ncu_report.py", fake_module);
  setenv("PYTHONPATH", file("").c_str(), 1);
  const Outcome seen = import({report});
  unsetenv("PYTHONPATH");
  ASSERT_EQ(seen.how, ok) << seen.err;
  const SessionLog log = platform::load_session(file("s.jsonl"));
  EXPECT_EQ(log.points.front().kernel, "void copy<4>(float *)");
  EXPECT_EQ(log.points.front().program->launches, 2);
  EXPECT_EQ(log.points.front().launch.grid, (Dim3{100, 1, 1}));
  EXPECT_EQ(log.points.front().counters->bytes(MemoryLevel::dram), Bytes{3e8});
}

TEST_F(ImportVerb, ASweepIsExportedAsResultsOfKernelTuner) {
  const std::string session = recorded("swept.jsonl", "8,16");
  const Outcome seen = run({"points", session, "--t4"});
  ASSERT_EQ(seen.how, ok) << seen.err;
  const json results = json::parse(seen.out).at("results");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].at("configuration").at("TILE"), 8);
  EXPECT_EQ(results[0].at("invalidity"), "correct");
  const std::string bundled = (platform::data_directory() / "assets/sessions/h100_h200.jsonl").string();
  const Outcome several = run({"points", bundled, "copy", "--t4"});
  EXPECT_EQ(several.how, misused);
  EXPECT_THAT(several.err, HasSubstr("of one kernel on one GPU: name the KERNEL, and --gpu."));
  EXPECT_EQ(run({"points", bundled, "copy", "--gpu", "H200", "--t4"}).how, ok);
}

}  // namespace
}  // namespace rooftile::cli
