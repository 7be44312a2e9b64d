// NVRTC compiles for every architecture on any machine.
#include "kernels/worker/cubin/machine_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "analysis/text/format.hpp"
#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/cubin/elf.hpp"
#include "kernels/worker/cubin/line_table.hpp"

namespace rooftile::worker {
namespace {

// Kernels in one file, so that lines of one must not be taken for the other's. A division has a slow path.
constexpr const char* kernels_of_a_file = R"(
extern "C" __global__ void other(float* out) {
  out[threadIdx.x] = 1.0f;
}
extern "C" __global__ void steps(const float* in, float* out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += 32) {
    sum = fmaf(in[i], sum, 1.0f);
    __syncthreads();
  }
  out[threadIdx.x] = 1.0f / sum;
}
extern "C" __global__ void sums(const float* in, float* out) {
  atomicAdd(&out[0], in[threadIdx.x]);
  out[threadIdx.x + 1] = atomicAdd(&out[threadIdx.x & 7], in[threadIdx.x]);
}
extern "C" __global__ void add(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 100];
}
extern "C" __global__ void gather(const int* at, const float* in, float* out) {
  out[threadIdx.x] = in[at[threadIdx.x]];
}
extern "C" __global__ void remainder_of(const long long* in, long long* out) {
  out[threadIdx.x] = in[threadIdx.x] % in[32];
}
)";

struct MachineCodeTest : testing::Test {
  MachineCodeTest() { std::ofstream(file) << kernels_of_a_file; }
  ~MachineCodeTest() override { std::filesystem::remove(file); }
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "rooftile_machine_code.cu";
  const Compiler compiler{load_nvrtc().value(), {}};
};

// The PTX that a cubin keeps, a zero behind each line.
std::string_view line_of(const Binary& binary, int number) {
  std::string_view ptx = section(binary.cubin, ".nv_debug_ptx_txt").value();
  for (int i = 1; i < number; ++i) {
    ptx.remove_prefix(ptx.find('\0') + 1);
  }
  return ptx.substr(0, ptx.find('\0'));
}

TEST_F(MachineCodeTest, ALoopIsABlockThatLeadsToItselfWithItsAccessesInIt) {
  for (const ComputeCapability cc : architectures(compiler.nvrtc())) {
    const Binary binary = compiler.compile(file, "steps", {}, cc);
    const std::vector<MachineBlock> blocks = machine_code(binary.cubin, binary.symbol, cc);
    std::vector<std::string> repeated;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].target == static_cast<int>(i)) {
        std::ranges::transform(blocks[i].kept, std::back_inserter(repeated), [&](int line) {
          const std::string_view words = line_of(binary, line);
          return std::string(words.substr(0, words.find_first_of(" \t")));
        });
      }
    }
    std::ranges::sort(repeated);
    EXPECT_EQ(repeated, (std::vector<std::string>{"bar.sync", "fma.rn.f32", "ld.global.f32"})) << text(cc);
  }
}

// Since 9.0 the machine has other opcodes for them than for those of integers.
TEST_F(MachineCodeTest, AtomicsOfFloatsAreAmongTheAccesses) {
  for (const ComputeCapability cc : architectures(compiler.nvrtc())) {
    const Binary binary = compiler.compile(file, "sums", {}, cc);
    std::size_t atomics = 0;
    for (const MachineBlock& block : machine_code(binary.cubin, "sums", cc)) {
      atomics += static_cast<std::size_t>(std::ranges::count_if(block.kept, [&](int line) {
        return line_of(binary, line).starts_with("atom.") || line_of(binary, line).starts_with("red.");
      }));
    }
    EXPECT_EQ(atomics, 2u) << text(cc);
  }
}

// Loads that are under way together are waited for once.
TEST_F(MachineCodeTest, TellsHowOftenAWarpWaitsForLoads) {
  const struct {
    const char* kernel;
    int waits;
  } rows[] = {{"other", 0}, {"add", 1}, {"gather", 2}, {"steps", 1}};
  for (const auto& row : rows) {
    for (const ComputeCapability cc : architectures(compiler.nvrtc())) {
      const Binary binary = compiler.compile(file, row.kernel, {}, cc);
      int waits = 0;
      for (const MachineBlock& block : machine_code(binary.cubin, row.kernel, cc)) {
        waits += block.waits;
      }
      EXPECT_EQ(waits, row.waits) << row.kernel << ' ' << text(cc);
    }
  }
}

// The filling behind its end and the slow path of the division are left out.
TEST_F(MachineCodeTest, HoldsWhatIsExecutedAlone) {
  const ComputeCapability cc{9, 0};
  const Binary binary = compiler.compile(file, "other", {}, cc);
  const std::vector<MachineBlock> other = machine_code(binary.cubin, "other", cc),
                                  steps = machine_code(binary.cubin, "steps", cc);
  const auto instructions = [](const std::vector<MachineBlock>& blocks) {
    return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0},
                           [](std::size_t sum, const MachineBlock& block) { return sum + block.lines.size(); });
  };
  EXPECT_EQ(instructions(other), 8);
  EXPECT_LT(instructions(steps), 60);
  EXPECT_TRUE(machine_code(binary.cubin, "missing", cc).empty());
  EXPECT_TRUE(machine_code(binary.cubin, "other", {6, 1}).empty());
}

// ptxas calls a function of its own for it.
TEST_F(MachineCodeTest, AFunctionOfThe64BitRemainderComesFromTheLineThatNeedsIt) {
  const Binary binary = compiler.compile(file, "remainder_of", {}, {9, 0});
  std::size_t from_remainder = 0;
  for (const MachineBlock& block : machine_code(binary.cubin, "remainder_of", {9, 0})) {
    from_remainder += static_cast<std::size_t>(std::ranges::count_if(
        block.lines, [&](int line) { return line_of(binary, line).starts_with("rem.s64"); }));
  }
  EXPECT_GT(from_remainder, 40u);
}

TEST_F(MachineCodeTest, TheLineTableNamesTheSource) {
  const Binary binary = compiler.compile(file, "steps", {}, {9, 0});
  const std::vector<std::string> files = source_files(binary.cubin);
  ASSERT_FALSE(files.empty());
  EXPECT_EQ(std::filesystem::path(files.front()).filename(), file.filename());
  EXPECT_TRUE(source_files("").empty());
}

// Sanitizers say whether anything outside of its bytes is read.
TEST_F(MachineCodeTest, ADamagedCubinIsReadToAnEnd) {
  const Binary binary = compiler.compile(file, "steps", {}, {9, 0});
  for (std::size_t size = 0; size < binary.cubin.size(); size += 41) {
    machine_code(binary.cubin.substr(0, size), "steps", {9, 0});
    source_files(binary.cubin.substr(0, size));
  }
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    std::string changed = binary.cubin;
    for (int byte = 0; byte < 8; ++byte) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    machine_code(changed, "steps", {9, 0});
    source_files(changed);
  }
  SUCCEED();
}

}  // namespace
}  // namespace rooftile::worker
