#include "kernels/worker/measure/ways.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/platform.hpp"
#include "analysis/roofline.hpp"
#include "kernels/worker/compile/compiler.hpp"

namespace rooftile::worker {
namespace {

using testing::StartsWith;

TEST(Ways, every_pipe_of_a_generation_has_its_fastest) {
  const struct {
    ComputeCapability cc;
    const char* pipe;
    const char* how;  // empty: no microbenchmark
  } rows[] = {{{7, 5}, fp16_pipe, "eight independent chains"},
              {{7, 5}, fp16_tensor_pipe, ""},
              {{8, 0}, bf16_tensor_pipe, "mma.sync.m16n8k16"},
              {{8, 0}, fp64_tensor_pipe, "mma.sync.m8n8k4"},
              {{8, 0}, fp8_tensor_pipe, ""},
              {{8, 6}, fp64_tensor_pipe, ""},
              {{8, 9}, fp8_tensor_pipe, "mma.sync.m16n8k32"},
              {{9, 0}, bf16_tensor_pipe, "wgmma.m64n128k16"},
              {{9, 0}, tf32_tensor_pipe, "wgmma.m64n128k8"},
              {{9, 0}, fp64_tensor_pipe, "mma.sync.m16n8k16"},
              {{12, 0}, int8_tensor_pipe, "mma.sync.m16n8k32"}};
  for (const auto& row : rows) {
    SCOPED_TRACE(text(row.cc) + " " + row.pipe);
    const Way* way = find_way(row.pipe, row.cc);
    ASSERT_EQ(way != nullptr, *row.how != '\0');
    if (way != nullptr) {
      EXPECT_THAT(way->how, StartsWith(row.how));
    }
  }
}

// An instruction that an architecture lacks is an error of the assembler.
TEST(Ways, every_one_compiles_where_it_is_taken) {
  const Compiler compiler(load_nvrtc().value(), testing::TempDir());
  for (const ComputeCapability cc :
       {ComputeCapability{7, 5}, ComputeCapability{8, 0}, ComputeCapability{9, 0}, ComputeCapability{12, 0}}) {
    for (const char* pipe : pipes) {
      if (const Way* way = find_way(pipe, cc)) {
        const auto file = platform::data_directory() / "kernels/worker/device_code" / way->file;
        EXPECT_EQ(compiler.compile(file, way->entry, way->options, cc).compiled.spill_store_bytes, 0)
            << text(cc) << " " << pipe;
      }
    }
  }
}

}  // namespace
}  // namespace rooftile::worker
