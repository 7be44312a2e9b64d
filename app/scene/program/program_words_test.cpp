#include "app/scene/program/program_words.hpp"

#include <gmock/gmock.h>

namespace rooftile::scene {
namespace {

using testing::HasSubstr;
using testing::Not;

ProgramView program() {
  ProgramView view;
  view.name = "python3";
  view.started = true;
  view.running_for = {12.9};
  view.totals = {312, 14, 0, {1.2}, {1.4}, 15, 14, 9};
  view.processes = 2;
  return view;
}

TEST(ProgramLine, SaysHowFarItIs) {
  ProgramView view = program();
  EXPECT_EQ(program_line(view), "python3: 312 launches seen, 14 kernels counted, running for 12 s");
  view.running_for = {200};
  view.totals.launches = view.totals.counted_kernels = 1;
  EXPECT_EQ(program_line(view), "python3: 1 launch seen, 1 kernel counted, running for 3 min");
  view.totals.launches = 0;
  EXPECT_EQ(program_line(view), "python3: no launch seen yet, running for 3 min");
  view.started = false;
  EXPECT_THAT(program_line(view), HasSubstr("python3 starts after the roofs"));
}

TEST(ProgramLine, SaysWhatIsCaptured) {
  ProgramView view = program();
  view.capture = ProgramCapture{"void mine::gemm<float, 16>(float const*)"};
  EXPECT_EQ(program_line(view),
            "python3 runs again until the same launch of gemm<float, 16> is captured, running for 12 s");
  view.capture->is_written = true;
  EXPECT_EQ(program_line(view),
            "gemm<float, 16> is captured and opens once python3 has ended, running for 12 s");
}

TEST(ProgramLine, SaysInTheEndHowItEndedAndWhatThatCost) {
  ProgramView view = program();
  view.end = ProgramStatus{3, ""};
  EXPECT_EQ(program_line(view),
            "python3 ended with status 3 after 12 s: 312 launches of 15 kernels and shapes in 2 processes took "
            "1.20 s on the GPU. 14 launches were replayed in 9 passes each; that took 1.40 s.");
  view.end = ProgramStatus{139, "Segmentation fault"};
  EXPECT_THAT(program_line(view), HasSubstr("was ended by signal 11 (Segmentation fault) after"));
  view.totals = {};
  EXPECT_THAT(program_line(view), HasSubstr("none of the kernels to be counted ended"));
  view.processes = 0;
  view.why_not_loaded = "The program did not start CUDA.";
  EXPECT_THAT(program_line(view), HasSubstr("did not start CUDA"));
}

TEST(SumOfAProgram, NamesGraphsWhereThereWereAny) {
  ProgramTotals totals = program().totals;
  EXPECT_THAT(sum_of(totals, 1), Not(HasSubstr("graphs")));
  totals.in_graphs = 7;
  EXPECT_THAT(sum_of(totals, 1), HasSubstr("7 launches came from CUDA graphs"));
  totals.time = {4};
  totals.uncounted = {{"launched by CUDA graphs alone", {1}}, {"that wait for other GPUs", {0.5}}};
  EXPECT_THAT(
      sum_of(totals, 1),
      HasSubstr(
          "Not counted: 37.5 % of that time (25 % kernels launched by CUDA graphs alone, 12.5 % kernels that"));
}

TEST(CountingCost, SaysWhichLaunchesAreCounted) {
  ProfileOptions options;
  options.replay = ReplayUse::seldom;
  EXPECT_THAT(counting_cost(options), HasSubstr("Once a kernel repeats"));
  options.replay = ReplayUse::never;
  EXPECT_THAT(counting_cost(options), HasSubstr("Nothing is replayed."));
  options.replay = ReplayUse::always;
  EXPECT_THAT(counting_cost(options), HasSubstr("the first launch of each kernel and shape is counted"));
  options.every = 10;
  EXPECT_THAT(counting_cost(options), HasSubstr("one launch in 10 of each kernel and shape is counted"));
}

}  // namespace
}  // namespace rooftile::scene
