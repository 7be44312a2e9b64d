#include "kernels/worker/compile/ptxas_log.hpp"

#include <gtest/gtest.h>

namespace rooftile::worker {
namespace {

// The log of NVRTC 13.0.
constexpr const char* plain = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'sgemm_tiled' for 'sm_90'
ptxas info    : Function properties for sgemm_tiled
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compile time = 2.118 ms)";

constexpr const char* without_shared_memory = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'sgemm_naive' for 'sm_75'
ptxas info    : Function properties for sgemm_naive
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 52 registers, used 0 barriers, 412 bytes cmem[0]
ptxas info    : Compile time = 1.890 ms)";

constexpr const char* spilling =
    R"(hungry.cu(12): warning #177-D: variable "unused" was declared but never referenced
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'hungry' for 'sm_86'
ptxas info    : Function properties for hungry
ptxas         .     272 bytes stack frame, 268 bytes spill stores, 276 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 272 bytes cumulative stack size, 49152 bytes smem, 388 bytes cmem[0]
ptxas info    : Compile time = 51.494 ms)";

constexpr const char* of_cuda_11 = R"(ptxas info    : Compiling entry function 'old' for 'sm_80'
ptxas info    : Used 8 registers, 352 bytes cmem[0])";

// A function that was not inlined follows its kernel with properties of its own.
constexpr const char* several = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'first' for 'sm_90'
ptxas info    : Function properties for first
ptxas         .     256 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 42 registers, used 0 barriers, 256 bytes cumulative stack size
ptxas info    : Compile time = 51.494 ms
ptxas info    : Function properties for _Z4deepfi
ptxas         .     16 bytes stack frame, 16 bytes spill stores, 16 bytes spill loads
ptxas info    : Compiling entry function 'first_and_last' for 'sm_90'
ptxas info    : Function properties for first_and_last
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 16384 bytes smem
ptxas info    : Compile time = 1.890 ms)";

TEST(PtxasLog, TellsRegistersSharedMemoryBarriersStackAndSpills) {
  const struct {
    const char* log;
    const char* entry;
    int registers, static_shared, local, spill_stores, spill_loads;
    std::optional<int> barriers;
  } rows[] = {
      {of_cuda_11, "old", 8, 0, 0, 0, 0, {}},
      {plain, "sgemm_tiled", 32, 2048, 0, 0, 0, 1},
      {without_shared_memory, "sgemm_naive", 52, 0, 0, 0, 0, 0},
      {spilling, "hungry", 64, 49152, 272, 268, 276, 1},
      {several, "first", 42, 0, 256, 0, 0, 0},
      {several, "first_and_last", 10, 16384, 0, 0, 0, 1},
  };
  for (const auto& row : rows) {
    const auto compiled = parse_ptxas_log(row.log, row.entry);
    ASSERT_TRUE(compiled) << row.entry;
    EXPECT_EQ(compiled->registers, row.registers) << row.entry;
    EXPECT_EQ(compiled->static_shared_bytes, row.static_shared) << row.entry;
    EXPECT_EQ(compiled->named_barriers, row.barriers) << row.entry;
    EXPECT_EQ(compiled->local_bytes, row.local) << row.entry;
    EXPECT_EQ(compiled->spill_store_bytes, row.spill_stores) << row.entry;
    EXPECT_EQ(compiled->spill_load_bytes, row.spill_loads) << row.entry;
  }
}

TEST(PtxasLog, IsSilentOnAnEntryItDoesNotDescribe) {
  EXPECT_FALSE(parse_ptxas_log(plain, "sgemm"));
  EXPECT_FALSE(parse_ptxas_log(several, "_Z4deepfi"));
  EXPECT_FALSE(parse_ptxas_log("", "sgemm_tiled"));
}

}  // namespace
}  // namespace rooftile::worker
