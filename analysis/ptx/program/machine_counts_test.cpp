#include "analysis/ptx/program/machine_counts.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

// A loop of loads and sums between two blocks. Its lines begin at the kernel's brace.
constexpr const char* body = R"(
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
$again:
	ld.global.f32 %f1, [%rd1];
	add.f32 %f2, %f2, %f1;
	add.s32 %r2, %r2, 1;
	setp.lt.s32 %p1, %r2, 400;
	@%p1 bra $again;
	st.global.f32 [%rd1], %f2;
	ret;)";

struct Code {
  Program program = parse_ptx(kernel_text(body));
  int brace = program.instructions.front().text_line;

  // The line of the first instruction of that name.
  int line(const std::string& name) const {
    for (const Instruction& x : program.instructions) {
      if (program.name_of(x).starts_with(name)) {
        return x.text_line;
      }
    }
    return 0;
  }
  int load() const { return line("ld.global"); }
  int add() const { return line("add.f32"); }
  int step() const { return line("add.s32"); }
  int branch() const { return line("bra"); }
  int store() const { return line("st.global"); }
};

std::vector<int> times(int count, const std::vector<int>& lines) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) {
    all.insert(all.end(), lines.begin(), lines.end());
  }
  return all;
}

// Three blocks of the PTX, which 10, 4000 and 10 warps execute.
double warps_of(Program program, std::vector<MachineBlock> machine) {
  program.machine_code = std::move(machine);
  const MachineCounts counts = machine_counts(program, std::vector<double>{10, 4000, 10});
  return std::accumulate(counts.warps.begin(), counts.warps.end(), 0.0);
}

TEST(MachineCounts, ABlockIsExecutedAsOftenAsWhatItWasMadeOf) {
  const Code code;
  const MachineBlock before{{code.brace - 1, code.brace}};
  const MachineBlock after{{code.store(), code.store()}, {code.store()}};
  const std::vector<int> trip = {code.load(), code.add()},
                         all = {code.load(), code.add(), code.step(), code.branch()};
  const struct {
    const char* what;
    std::vector<MachineBlock> machine;
    double warps;
  } rows[] = {{"a loop as it is", {before, {all, trip, 1}, after}, 10 * 2 + 4000 * 4 + 10 * 2},
              {"a step that moved out of the loop",
               {{{code.brace, code.step(), code.step()}}, {trip, trip, 1}, after},
               10 * 3 + 4000 * 2 + 10 * 2},
              {"unrolled four times, which leaves nothing over",
               {before, {times(4, all), times(4, trip), 1}, {all, trip, 2}, after},
               10 * 2 + 1000 * 16 + 10 * 2},
              {"unrolled 150 times: two rounds, and a hundred trips one by one",
               {before, {times(150, all), times(150, trip), 1}, {all, trip, 2}, after},
               10 * 2 + 20 * 600 + 1000 * 4 + 10 * 2},
              {"a loop in two parts",
               {before,
                {{code.load(), code.load()}, {code.load()}},
                {{code.add(), code.branch()}, {code.add()}, 1},
                after},
               10 * 2 + 4000 * 4 + 10 * 2},
              {"a store that all execute, and some skip",
               {before, {all, trip, 1}, {{code.step(), code.store()}, {code.store()}}},
               10 * 2 + 4000 * 4 + 10 * 2},
              {"none that any line tells", {{}, {}}, 0}};
  for (const auto& row : rows) {
    EXPECT_EQ(warps_of(code.program, row.machine), row.warps) << row.what;
  }
}

// A loop that is unrolled four times waits once for four loads.
TEST(MachineCounts, WaitsAreThoseOfTheMachinesBlocks) {
  const Code code;
  Program program = code.program;
  const std::vector<double> warps = {10, 4000, 10};
  EXPECT_EQ(machine_counts(program, warps).waits, 4000) << "without machine code: of the block that loads";
  const std::vector<int> trip = {code.load(), code.add()};
  program.machine_code = {
      {{code.brace}}, {times(4, trip), times(4, trip), 1, 1}, {{code.store()}, {code.store()}}};
  EXPECT_EQ(machine_counts(program, warps).waits, 1000);
}

TEST(MachineCounts, WithoutMachineCodeAreOneForEachInstruction) {
  const Code code;
  EXPECT_EQ(warps_of(code.program, {}), 10 * 9 + 4000 * 5 + 10 * 2);
}

}  // namespace
}  // namespace rooftile::ptx
