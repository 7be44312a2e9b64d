// Instructions find their lines on any machine: CUPTI reads the cubin alone.
#include "kernels/worker/count/instruction.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "kernels/worker/compile/compiler.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::IsSupersetOf;

Instruction instruction(std::uint64_t offset, double executed, double barrier_samples) {
  Instruction made{"mine", offset, {}};
  made.counts.executed = executed;
  if (barrier_samples > 0) {
    made.counts.stalls["barrier"] = barrier_samples;
  }
  return made;
}

TEST(Instructions, AddUpToTheirLinesInOrder) {
  const std::vector<Instruction> all = {instruction(0, 8, 0), instruction(16, 2, 5), instruction(32, 8, 1),
                                        instruction(48, 0, 0), instruction(64, 1, 0)};
  const auto lines = by_line(all, [](const Instruction& each) {
    const int line_of_offset[] = {7, 3, 7, 9, 0};
    return line_of_offset[each.offset / 16];
  });
  ASSERT_EQ(lines.size(), 3u) << "the line that did nothing is left out";
  EXPECT_EQ(lines[0].line, 0);
  EXPECT_EQ(lines[1].line, 3);
  EXPECT_EQ(lines[1].samples(), 5);
  EXPECT_EQ(lines[2].line, 7);
  EXPECT_EQ(lines[2].executed, 16);
  EXPECT_EQ(lines[2].stalls.at("barrier"), 1);
}

TEST(Instructions, GivenInPartsAreOne) {
  Instruction counted = instruction(0, 8, 0), moved = instruction(0, 0, 0);
  moved.counts.executed.reset();
  moved.counts.shared_wavefronts = 256;
  const auto lines = by_line({counted, moved}, [](const Instruction&) { return 1; });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].executed, 8);
  EXPECT_EQ(lines[0].shared_wavefronts, 256);
}

TEST(Instructions, AreCountedOneByOneInTheirFunction) {
  std::vector<MachineInstruction> all = {{0, "", "LDG", {}}, {16, "", "BAR", {}}, {32, "", "EXIT", {}}};
  Instruction elsewhere = instruction(16, 100, 0);
  elsewhere.function = "other";
  count_instructions(all, "mine",
                     {instruction(0, 8, 0), instruction(16, 0, 5), instruction(16, 2, 0), elsewhere},
                     [](const Instruction& each) { return each.offset < 32 ? 7 : 9; });
  EXPECT_EQ(all[0].counts.executed, 8);
  EXPECT_EQ(all[1].counts.executed, 2);
  EXPECT_EQ(all[1].counts.samples(), 5);
  EXPECT_EQ(all[1].counts.line, 7);
  EXPECT_EQ(all[2].counts.executed, std::nullopt) << "nobody counted it";
  EXPECT_EQ(all[2].counts.line, 9);
}

TEST(Instructions, AreTracedToTheLinesOfTheSourceAndToNoOther) {
  const fs::path folder = fs::path(testing::TempDir()) / "rooftile_instructions";
  fs::create_directories(folder);
  const fs::path source = folder / "mine.cu";
  std::ofstream(source) << R"(extern "C" __global__ void mine(const float* in, float* out) {
  __shared__ float tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
)";
  const Cupti cupti = load_cupti().value();
  const Compiler compiler(load_nvrtc().value(), folder);
  const std::string cubin = compiler.compile(source, "mine", {}, {9, 0}).cubin;
  const LineOf in_source = line_of(cupti, cubin, source), in_another = line_of(cupti, cubin, "other.cu");
  std::set<int> lines, others;
  for (std::uint64_t offset = 0; offset < 16 * 16; offset += 16) {
    lines.insert(in_source({"mine", offset, {}}));
    others.insert(in_another({"mine", offset, {}}));
  }
  EXPECT_THAT(lines, IsSupersetOf({3, 4, 5}));
  EXPECT_THAT(lines, Each(testing::Le(6)));
  EXPECT_THAT(others, Each(0));
  EXPECT_EQ(in_source({"nobody", 0, {}}), 0);
  EXPECT_NE(crc_of(cupti, cubin), crc_of(cupti, cubin + " "));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rooftile::worker
