#include "kernels/worker/roofs/pipe_benchmarks.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/platform.hpp"
#include "analysis/roofline/roofline.hpp"
#include "kernels/worker/compile/compiler.hpp"

namespace rooftile::worker {
namespace {

using testing::StartsWith;

TEST(PipeBenchmarks, EveryPipeOfAGenerationHasItsFastest) {
  const struct {
    ComputeCapability cc;
    const char* pipe;
    const char* how;
  } rows[] = {{{7, 5}, fp16_pipe, "eight independent chains"},
              {{7, 5}, fp16_tensor_pipe, "none"},
              {{8, 0}, bf16_tensor_pipe, "mma.sync.m16n8k16"},
              {{8, 0}, fp64_tensor_pipe, "mma.sync.m8n8k4"},
              {{8, 0}, fp8_tensor_pipe, "none"},
              {{8, 6}, fp64_tensor_pipe, "none"},
              {{8, 9}, fp8_tensor_pipe, "mma.sync.m16n8k32"},
              {{9, 0}, bf16_tensor_pipe, "wgmma.m64n128k16"},
              {{9, 0}, tf32_tensor_pipe, "wgmma.m64n128k8"},
              {{9, 0}, fp64_tensor_pipe, "mma.sync.m16n8k16"},
              {{10, 0}, fp64_tensor_pipe, "mma.sync.m16n8k16"},
              {{10, 0}, bf16_tensor_pipe, "none"},
              {{12, 0}, int8_tensor_pipe, "mma.sync.m16n8k32"}};
  for (const auto& row : rows) {
    SCOPED_TRACE(text(row.cc) + " " + row.pipe);
    const auto found = pipe_benchmark(row.pipe, closest_architecture(row.cc));
    EXPECT_THAT(found ? found->how : "none", StartsWith(row.how));
  }
}

// An instruction that an architecture lacks is an error of the assembler.
TEST(PipeBenchmarks, EachCompilesWhereItIsTaken) {
  const Compiler compiler(load_nvrtc().value(), testing::TempDir());
  for (const ComputeCapability cc : architectures(compiler.nvrtc())) {
    for (const char* pipe : pipes) {
      if (const auto found = pipe_benchmark(pipe, closest_architecture(cc))) {
        const auto file = platform::data_directory() / "kernels/worker/device_code" / found->file;
        EXPECT_EQ(compiler.compile(file, found->entry, found->options, cc).compiled.spill_store_bytes, 0)
            << text(cc) << " " << pipe;
      }
    }
  }
}

}  // namespace
}  // namespace rooftile::worker
