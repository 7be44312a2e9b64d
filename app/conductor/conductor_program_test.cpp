// A program beside the window. The programs are shell scripts, which leave the records that the library in them
// would.
#include "analysis/platform/session_files.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/roofline/example_point.hpp"
#include "analysis/source/manifest/captured_manifest.hpp"
#include "analysis/text/error.hpp"
#include "app/conductor/conductor_test.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/program/program_words.hpp"

namespace rooftile::conductor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ConductorWithProgram : public ConductorTest {
 protected:
  // The script writes records with `leave 1`, where 1 is the first of these texts, and waits for a file with
  // `await gate`.
  CommandLine running(const std::string& script, const std::vector<std::string>& texts = {},
                      std::vector<std::string> worker = {}) const {
    CommandLine wanted = with(std::move(worker));
    wanted.kernel.reset();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::ofstream(file(("text" + std::to_string(i + 1)).c_str())) << texts[i];
    }
    const std::string here = file("").string();
    wanted.program = {"/bin/sh", "-c",
                      "leave() { cat " + here +
                          "text$1 >>$ROOFTILE_PROFILE_FOLDER/a.jsonl; }; await() { until [ -e " + here +
                          "$1 ]; do sleep 0.01; done; }; " + script};
    return wanted;
  }
  static std::string head() { return to_line(Header{}) + "\n" + to_line(DeviceRecord{gpu(), ""}) + "\n"; }
  static Gpu gpu() {
    Gpu gpu;
    gpu.name = "NVIDIA H200";
    gpu.cc = {9, 0};
    gpu.sm_count = 132;
    gpu.boost_clock = {1.98e9};
    gpu.l2_size = {6e7};
    gpu.sm = *sm_limits(gpu.cc);
    return gpu;
  }
  static std::string launched(std::uint64_t id, const std::string& kernel, double launches, double total) {
    Point point = example::counted_gemm();
    point.id = id;
    point.kernel = kernel;
    point.gpu = gpu().name;
    point.parameters.clear();
    point.modelled = {};
    point.verification.reset();
    point.program = ProgramLaunches{launches, 0, 1, {total}, 1};
    point.final = false;
    return to_line(point) + "\n";
  }
};

std::vector<std::string> kernels(const Conductor& conductor) {
  std::vector<std::string> titles;
  for (const scene::KernelRow& row : conductor.state().derived.shown.kernels.back().rows) {
    titles.push_back(row.title);
  }
  return titles;
}

std::string line(const Conductor& conductor) {
  return conductor.state().known.session.program ? scene::program_line(*conductor.state().known.session.program)
                                                 : "";
}

bool has_ended(const Conductor& conductor) {
  return conductor.state().known.session.program && conductor.state().known.session.program->end;
}

TEST_F(ConductorWithProgram, ItsKernelsAreShownAsTheyAreCounted) {
  const std::string first = head() + launched(1, "add", 10, 0.1);
  const std::string later = launched(1, "add", 20, 0.2) + launched(2, "multiply", 5, 0.9);
  Conductor live = conductor(running("leave 1; await go; leave 2; await end", {first, later}));
  EXPECT_EQ(line(live), "sh starts after the roofs of the GPU are measured.");
  EXPECT_THAT(kernels(live), ElementsAre("sh"));
  frames_until(live, [&] { return live.state().choice.kernel == "add"; });
  EXPECT_THAT(kernels(live), ElementsAre("add"));
  EXPECT_THAT(line(live), HasSubstr("sh: 10 launches seen, 1 kernel counted, running for "));
  EXPECT_EQ(live.state().choice.gpu, "NVIDIA H200");
  EXPECT_EQ(live.state().known.session.device, "") << "rooftile leaves the device to it";
  touch("go");
  frames_until(live, [&] { return live.state().choice.kernel == "multiply"; });
  EXPECT_EQ(live.state().choice.trail.size(), 2u);
  EXPECT_TRUE(live.program_runs());
  touch("end");
  EXPECT_EQ(live.wait_for_program(), 0);
}

TEST_F(ConductorWithProgram, ItsEndAndItsCostAreToldAndTheDeviceIsUsedAgain) {
  Conductor live = conductor(running("leave 1; exit 7", {head() + launched(1, "add", 10, 0.1)}));
  frames_until(live, [&] { return has_ended(live); });
  EXPECT_THAT(line(live), HasSubstr("sh ended with status 7 after "));
  EXPECT_THAT(line(live), HasSubstr("10 launches of 1 kernel in 1 process took 100 ms on the GPU."));
  EXPECT_EQ(live.wait_for_program(), 7);
  settle(live);
  EXPECT_EQ(live.state().known.session.device, "Test GPU");
  EXPECT_EQ(live.state().choice.kernel, "add");
}

TEST_F(ConductorWithProgram, WhatItLaunchedIsInTheJournal) {
  const std::string twice = head() + launched(1, "add", 10, 0.1) + launched(1, "add", 30, 0.3);
  {
    Conductor live = conductor(running("leave 1", {twice}));
    frames_until(live, [&] { return has_ended(live); });
  }
  const SessionLog log = platform::load_session(file("journal.jsonl"));
  ASSERT_EQ(log.points.size(), 1u);
  EXPECT_EQ(log.points.front().program->launches, 30);
  EXPECT_TRUE(log.points.front().final);
  EXPECT_NE(log.gpu("NVIDIA H200"), nullptr);
  EXPECT_NE(log.roofs_of("NVIDIA H200"), nullptr);
}

TEST_F(ConductorWithProgram, WhatTheUserChoosesStays) {
  const std::string first = head() + launched(1, "add", 10, 0.1) + launched(2, "multiply", 5, 0.9);
  Conductor live = conductor(running("leave 1; await go; leave 2", {first, launched(3, "sum", 5, 9)}));
  frames_until(live, [&] { return live.state().choice.kernel == "multiply"; });
  live.apply({scene::SelectKernel{"add"}});
  touch("go");
  frames_until(live, [&] { return has_ended(live); });
  EXPECT_EQ(live.state().choice.kernel, "add");
  EXPECT_EQ(live.state().choice.trail.size(), 3u);
  live.apply({scene::Undo{}});
  EXPECT_EQ(live.state().choice.kernel, "multiply");
  EXPECT_EQ(live.state().choice.trail.size(), 3u) << "what was counted meanwhile stays";
}

TEST_F(ConductorWithProgram, AProgramWithoutKernelsIsToldOfAndTheWindowIsAsWithoutOne) {
  Conductor live = conductor(running("exit 3"));
  frames_until(live, [&] { return !live.state().known.session.program; });
  EXPECT_THAT(message(live), HasSubstr("sh ended with status 3"));
  EXPECT_THAT(message(live), HasSubstr("he program did not start CUDA"));
  settle(live);
  EXPECT_EQ(mode(live.state()), scene::Mode::live);
  EXPECT_EQ(live.state().known.session.log->points.size(), 1u) << "the first dials are measured";
  EXPECT_EQ(live.wait_for_program(), 3);
}

TEST_F(ConductorWithProgram, ItRunsWhereTheWorkerFindsNoDeviceToo) {
  Conductor live = conductor(running("leave 1", {head() + launched(1, "add", 10, 0.1)}, {"--no-device"}));
  frames_until(live, [&] { return has_ended(live); });
  settle(live);
  EXPECT_EQ(mode(live.state()), scene::Mode::recorded);
  EXPECT_EQ(live.state().choice.kernel, "add");
}

TEST_F(ConductorWithProgram, WhatItLacksIsTold) {
  const Header refused{record_version,
                       "rooftile",
                       "",
                       "2026",
                       {{"counters", Facility::State::refused, "Counters are not permitted.", "Ask.", ""}}};
  Conductor live = conductor(running("leave 1", {to_line(refused) + "\n"}));
  frames_until(live, [&] { return message(live) != ""; });
  EXPECT_THAT(message(live), HasSubstr("Counters are not permitted. Ask."));
}

TEST_F(ConductorWithProgram, AProgramThatIsNotThereIsNamed) {
  CommandLine wanted = with();
  wanted.program = {"/no/such/program"};
  Conductor live = conductor(wanted);
  EXPECT_THAT([&] { settle(live); }, testing::ThrowsMessage<Error>(HasSubstr("/no/such/program")));
}

TEST_F(ConductorWithProgram, ItRunsAgainWhenAskedTo) {
  Conductor live = conductor(running("leave 1", {head() + launched(1, "add", 10, 0.1)}));
  frames_until(live, [&] { return has_ended(live); });
  settle(live);
  live.apply({scene::RunProgram{}});
  frames_until(live, [&] { return live.program_runs(); });
  EXPECT_EQ(live.state().known.session.device, "");
  frames_until(live, [&] { return has_ended(live); });
  EXPECT_EQ(live.state().choice.trail.size(), 2u) << "both runs stand on the chart";
  EXPECT_EQ(live.state().derived.shown.shapes.size(), 1u);
  EXPECT_EQ(current_point(live.state())->id, live.state().known.session.log->points.back().id)
      << "the newer run";
}

// The program leaves the folder that the library in it would, if it is asked for one.
class ConductorThatCaptures : public ConductorWithProgram {
 protected:
  ConductorThatCaptures() {
    before_ = std::filesystem::current_path();
    std::filesystem::create_directories(file("left"));
    std::ofstream(file("left/kernel.cubin")) << "code";
    std::ofstream(file("left/kernel.toml"))
        << "title = \"add(float*)\"\nsource = \"kernel.cubin\"\nbuffer = [{ name = \"b0\", element = \"char\", "
           "count = 256, role = \"in_out\", file = \"b0.npy\" }]\n[launch]\narguments = [{ buffer = \"b0\", "
           "offset = 16 }]\ngrid = [1]\nblock = [32]\n";
    std::filesystem::create_directories(file("here"));
    std::filesystem::current_path(file("here"));
  }
  ~ConductorThatCaptures() override { std::filesystem::current_path(before_); }

  // Counts once, then does what the script says.
  std::unique_ptr<Conductor> counted(const std::string& when_capturing,
                                     std::vector<std::string> worker = {}) const {
    const std::string script =
        "if [ -z \"$ROOFTILE_PROFILE_CAPTURE\" ]; then leave 1; else " + when_capturing + "; fi";
    auto live = std::make_unique<Conductor>(
        running(script, {head() + launched(1, "add(float*)", 10, 0.1), told_by_capture()}, std::move(worker)),
        scene::Settings{}, std::nullopt);
    frames_until(*live, [&] { return has_ended(*live); });
    settle(*live);
    return live;
  }

  static std::string told_by_capture() {
    const Facility captured{"capture", Facility::State::ready, "add is captured.", "",
                            "Parameter 0 holds a texture."};
    return to_line(Header{record_version, "rooftile", "", "2026", {captured}}) + "\n";
  }

 private:
  std::filesystem::path before_;
};

TEST_F(ConductorThatCaptures, AKernelOfTheProgramBecomesOneWithDials) {
  const std::string left = file("left").string();
  const auto kept = counted("echo \"$ROOFTILE_PROFILE_KERNEL $ROOFTILE_PROFILE_SHAPE\" >asked; cp -r " + left +
                            " $ROOFTILE_PROFILE_CAPTURE; leave 2; await end");
  Conductor& live = *kept;
  live.apply({scene::TuneKernel{}});
  frames_until(live, [&] { return line(live).starts_with("add is captured and opens once sh has ended"); });
  EXPECT_EQ(live.state().choice.kernel, "add(float*)");
  touch("end");
  frames_until(live, [&] { return live.state().choice.kernel == "add"; });
  EXPECT_THAT(message(live), AllOf(HasSubstr("add is captured, with the 256 B of memory that it reaches: "),
                                   HasSubstr("Parameter 0 holds a texture.")));
  EXPECT_TRUE(std::filesystem::exists("add/kernel.toml"));
  EXPECT_THAT(line(live), HasSubstr("10 launches of 1 kernel")) << "what was counted stays";
  std::string asked;
  std::getline(std::ifstream("asked"), asked);
  EXPECT_EQ(asked, R"(^add\(float\*\)$ )" + shape_text(example::counted_gemm().launch));
  settle(live);
  EXPECT_EQ(live.state().known.session.log->points.back().kernel, "add") << "it is measured";
}

TEST_F(ConductorThatCaptures, ALaunchWhoseSourceIsNamedHasItsDials) {
  CapturedLaunch launch;
  launch.symbol = launch.short_name = "add";
  launch.name = "add(float*)";
  launch.cc = {9, 0};
  launch.launch = {{8, 1, 1}, {32, 1, 1}, 0};
  launch.parameters = {{std::string(8, '\0'), {{0, 0, 0}}}};
  launch.buffers = {{1024, false}};
  launch.source = file("add.cu").string();
  std::ofstream(file("left/kernel.toml")) << captured_manifest(launch);
  std::ofstream(file("add.cu"))
      << "#ifndef TILE\n#define TILE 32\n#endif\n"
         "__global__ void add(float* x) { x[blockIdx.x * TILE + threadIdx.x] += 1; }\n";
  std::ofstream(file("description")) << to_line(SourceDescription{.kernels = {{"add", {"float*"}}}});
  const auto kept = counted("cp -r " + file("left").string() + " $ROOFTILE_PROFILE_CAPTURE",
                            {"--description", file("description").string()});
  kept->apply({scene::TuneKernel{}});
  frames_until(*kept, [&] { return message(*kept) == "add compiles add.cu from now on."; });
  const Manifest& kernel = scene::kernel(kept->state());
  EXPECT_EQ(kernel.name, "add");
  ASSERT_NE(kernel.parameter("TILE"), nullptr);
  EXPECT_EQ(complete(kernel, {}).at("TILE"), 32);
  EXPECT_EQ(kernel.grid[0].evaluate(complete(kernel, {{"TILE", 64}})), 4);
  settle(*kept);
}

TEST_F(ConductorThatCaptures, WhatIsNotCapturedIsToldAndLeavesNothing) {
  const auto kept = counted("exit 0");
  Conductor& live = *kept;
  live.apply({scene::TuneKernel{}});
  frames_until(live, [&] { return live.program_runs(); });
  frames_until(live, [&] { return has_ended(live); });
  EXPECT_THAT(message(live), HasSubstr("add(float*) is not captured."));
  EXPECT_TRUE(std::filesystem::is_empty("."));
  EXPECT_EQ(live.state().choice.kernel, "add(float*)");
}

TEST_F(ConductorThatCaptures, ALongProgramIsEndedByHand) {
  const auto kept = counted("await never");
  Conductor& live = *kept;
  live.apply({scene::TuneKernel{}});
  frames_until(live, [&] { return live.program_runs(); });
  live.apply({scene::EndProgram{}});
  frames_until(live, [&] { return has_ended(live); });
  EXPECT_FALSE(live.program_runs());
}

TEST_F(ConductorWithProgram, NoSessionIsOpenedWhileItRuns) {
  Conductor live = conductor(running("await end"));
  frames_until(live, [&] { return live.program_runs(); });
  live.open(bundled);
  EXPECT_THAT(message(live), HasSubstr("A program is running"));
  EXPECT_THAT(live.state().known.session.log->points, IsEmpty());
  touch("end");
  EXPECT_EQ(live.wait_for_program(), 0);
}

}  // namespace
}  // namespace rooftile::conductor
