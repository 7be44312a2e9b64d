#include "kernels/worker/compile/compile_hints.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/platform/run_program.hpp"
#include "analysis/platform/write_file.hpp"

namespace rooftile::worker {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(CompileHint, SaysWhatTheCompilersWordsLeaveOut) {
  const struct {
    const char* log;
    testing::Matcher<std::string> hint;
  } rows[] = {
      {"mine.cu(1): catastrophic error: cannot open source file \"common/tile.cuh\"",
       HasSubstr("common/tile.cuh is not found, neither in the repository")},
      {"mine.cu(1): catastrophic error: cannot open source file \"/dev/zero\": not a regular file",
       HasSubstr("/dev/zero is a folder or a device")},
      {"ptxas error   : Entry function 'a' uses too much shared data (0x3a980 bytes, 0xc000 max)",
       HasSubstr("dynamic_shared_bytes")},
      {"__nv_name_map(2): error: identifier \"mine\" is undefined", HasSubstr("The source has no kernel mine")},
      {"__nv_name_map(2): error: cannot determine which instance of overloaded function \"mine\" is intended",
       HasSubstr("by its symbol")},
      {"mine.cu(2): error: identifier \"thraedIdx\" is undefined", HasSubstr("Did you mean threadIdx")},
      {"mine.cu(2): error: identifier \"threadldx\" is undefined", HasSubstr("Did you mean threadIdx")},
      {"mine.cu(2): error: identifier \"index\" is undefined", IsEmpty()},
      {"mine.cu(2): error: identifier \"__shfl_down\" is undefined", HasSubstr("__shfl_down_sync")},
      {"mine.cu(2): error: namespace \"std\" has no member \"vector\"", HasSubstr("no containers")},
      {"mine.cu(2): error: device-side kernel launch could not be processed", HasSubstr("device runtime")},
      {"mine.cu(2): error: use of the \"register\" storage class specifier is not allowed",
       HasSubstr("-std=c++14")},
      {"mine.cu(2): error: identifier \"hipThreadIdx_x\" is undefined", HasSubstr("HIP")},
      {"mine.cu(2): error: excessive recursion at instantiation of function \"f<N>\"",
       HasSubstr("needs an end")},
      {"ptxas p, line 28; error   : Instruction 'tcgen05.fence' not supported on .target 'sm_90'",
       HasSubstr("choose a newer GPU")},
      {"mine.cu(2): error: namespace \"torch\" has no member \"Tensor\"", HasSubstr("data_ptr")},
      {"mine.cu(2): error: expression must have a constant value\nnote: attempt to access run-time storage",
       HasSubstr("extern __shared__ float s[]")},
      {"mine.cu(2): error: declaration is incompatible with previous \"s\" (declared at line 1)\n"
       " detected during instantiation of \"void k(T*)\"",
       HasSubstr("unsigned char")},
      {"mine.cu(2): error: expected a \";\"", IsEmpty()}};
  for (const auto& row : rows) {
    EXPECT_THAT(compile_hint(row.log, "mine", {}), row.hint) << row.log;
  }
}

TEST(CompileHint, NamesTheHeadersOfOthersThatAreMissing) {
  const char* log = "mine.cu(2): error: identifier \"Half\" is undefined";
  EXPECT_THAT(compile_hint(log, "", {"vector", "stdio.h", "torch/types.h", "b.h", "a.h"}),
              testing::StartsWith("b.h, a.h are not found"));
  EXPECT_THAT(
      compile_hint("mine.cu(2): error: namespace \"std\" has no member \"vector\"", "", {"dmlc/base.h"}),
      HasSubstr("dmlc/base.h is not found"));
  EXPECT_THAT(compile_hint(log, "", {"vector", "stdio.h", "sys/time.h", "strings.h", "windows.h"}), IsEmpty());
}

TEST(CompileHint, TellsOfAnInstanceThatDoesNotWork) {
  EXPECT_THAT(
      compile_hint("mine.cu(2): error: division by zero\n detected during instantiation of \"void mine<N>\"",
                   "mine<4>", {}),
      HasSubstr("mine<4> is an instance that does not work"));
}

TEST(CompileHint, TellsOfATypeThatLacksWhatTheKernelNames) {
  EXPECT_THAT(compile_hint("mine.cu(2): error: name followed by \"::\" must be a class or namespace name\n"
                           "__nv_name_map(2): error: no instance matches",
                           "mine<float>", {}),
              HasSubstr("mine<float> is an instance that does not work: a type in it must be a struct"));
}

TEST(CompileHint, TellsOfSmallTypingErrors) {
  const platform::TemporaryFolder folder;
  const auto file = folder.path() / "mine.cu";
  platform::write_file(file, "__global__ void f(float* x) {\n  float sum = 0\n  // twice\n  x[0] = sum;\n}\n",
                       platform::any_kind);
  const std::pair<const char*, const char*> rows[] = {
      {"mine.cu(4): error: expected a \";\"\n    x[0] = sum;\n    ^\n", "Line 2 ends without its semicolon"},
      {"mine.cu(1): error: expected a \";\"\n  __global__ void f(float* x) {\n             ^\n", ""},
      {"At end of source: error: expected a \"}\"\nmine.cu(1): note #3196-D: to match this \"{\"\n",
       "The { in line 1 is not closed."},
      {"mine.cu(2): error: identifier \"flaot\" is undefined\n", "Did you mean float instead of flaot?"},
      {"mine.cu(4): error: identifier \"sun\" is undefined\n", "Did you mean sum instead of sun?"},
      {"mine.cu(4): error: identifier \"total\" is undefined\n", ""}};
  for (const auto& [log, hint] : rows) {
    EXPECT_THAT(refusal(file, log, "", {}),
                testing::StartsWith(std::string("mine.cu does not compile:") + (*hint ? " " : "\n") + hint));
  }
}

TEST(CompileHint, ALineIsRepeatedAsItsAuthorWroteIt) {
  const platform::TemporaryFolder folder;
  const auto file = folder.path() / "mine.cu";
  platform::write_file(file, "  __shared__ flaot s[TILE];\n", platform::any_kind);
  EXPECT_THAT(refusal(file,
                      "mine.cu(1): error: identifier \"flaot\" is undefined\n"
                      "    __attribute__((shared)) flaot s[16];\n                            ^\n\n",
                      "", {}),
              testing::EndsWith("identifier \"flaot\" is undefined\n  __shared__ flaot s[TILE];\n\n"));
}

TEST(CompileHint, TellsWhatTheSourceItselfShows) {
  const platform::TemporaryFolder folder;
  const auto file = [&](const char* name, const std::string& text) {
    platform::write_file(folder.path() / name, text, platform::any_kind);
    return folder.path() / name;
  };
  const auto host = file("host.cu", "static float twice(float a) {\n  return 2 * a;\n}\nint quarter(int);\n");
  EXPECT_THAT(refusal(host, "host.cu(9): error: identifier \"twice\" is undefined", "", {}),
              HasSubstr("twice is a function of the host: write __device__ before it."));
  EXPECT_THAT(refusal(host, "host.cu(9): error: identifier \"quarter\" is undefined", "", {}),
              testing::StartsWith("host.cu does not compile:\n"));
  const std::pair<const char*, const char*> rows[] = {
      {"host.cu(9): error: calling a __host__ function(\"twice(float)\") from a __global__ function(\"k\")",
       "twice is a function of the host: write __device__ before it."},
      {"host.cu(9): error: calling a __host__ function(\"cudaMemcpy\") from a __global__ function(\"k\")",
       "cudaMemcpy is a function of the host, which device code cannot call"},
      {"host.cu(9): error: identifier \"half\" is undefined", "half needs #include <cuda_fp16.h>."},
      {"host.cu(9): error: name followed by \"::\" must be a class or namespace name\n    wmma::fragment<a> "
       "x;\n",
       "wmma needs #include <mma.h> and using namespace nvcuda;"},
      {"host.cu(9): error: name must be a namespace name\n  namespace cg = cooperative_groups;\n",
       "cooperative_groups needs #include <cooperative_groups.h>."}};
  for (const auto& [log, hint] : rows) {
    EXPECT_THAT(refusal(host, log, "", {}), HasSubstr(hint));
  }
  const auto part = file("part.cu", "__global__ void f(fp* x) {}\n");
  file("main.cu", "typedef float fp;\n#include \"./part.cu\"\n");
  EXPECT_THAT(refusal(part, "part.cu(1): error: identifier \"fp\" is undefined", "", {}),
              HasSubstr("part.cu is a part of main.cu, which includes it: open that one."));
}

TEST(CompileHint, WarningsBeforeTheFirstErrorAreLeftOut) {
  EXPECT_EQ(
      refusal("a/mine.cu", "mine.cu(1): warning: x\nmine.cu(2): error: y\nmine.cu(3): warning: z", "", {}),
      "mine.cu does not compile:\nmine.cu(2): error: y\nmine.cu(3): warning: z");
}

TEST(CompileHint, TheCompilersSumIsLeftOut) {
  EXPECT_EQ(
      refusal("mine.cu", "mine.cu(2): error: y\n\n1 error detected in the compilation of \"/tmp/unit.cu\".\n",
              "", {}),
      "mine.cu does not compile:\nmine.cu(2): error: y\n");
}

TEST(CompileHint, OfEndlessWordsTheFirstAreTold) {
  std::string log;
  for (int line = 1; line < 4000; ++line) {
    log += fmt::format("mine.cu({}): error: identifier \"unknown\" is undefined\n", line);
  }
  const std::string said = refusal("mine.cu", log, "", {});
  EXPECT_LT(said.size(), 70'000U);
  EXPECT_THAT(said, testing::AllOf(HasSubstr("mine.cu(1): error:"),
                                   HasSubstr(" more lines of the compiler are left out.")));
}

}  // namespace
}  // namespace rooftile::worker
