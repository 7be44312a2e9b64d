// NVRTC compiles for every architecture on any machine.
#include "kernels/worker/compile/compiler.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/some_combinations.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr ComputeCapability hopper{9, 0};

std::vector<Manifest> bundled() {
  return platform::load_catalogue_with({}).kernels;
}

class CompilerTest : public testing::Test {
 protected:
  CompilerTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CompilerTest() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& code) const {
    std::ofstream(folder_ / name) << code;
    return folder_ / name;
  }
  // A kernel `mine` of the user's, without dials.
  Binary compile(const std::string& code, const std::string& entry = "mine") const {
    return compiler_.compile(write("mine.cu", code), entry, {}, hopper);
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_compiler_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const Compiler compiler_{load_nvrtc().value(), folder_};
};

void expect_no_spills(const Compiled& compiled, const std::string& what) {
  EXPECT_EQ(compiled.spill_store_bytes, 0) << what;
  EXPECT_EQ(compiled.spill_load_bytes, 0) << what;
  EXPECT_EQ(compiled.local_bytes, 0) << what;
  EXPECT_GT(compiled.registers, 0) << what;
}

TEST_F(CompilerTest, PtxHasTheKernelAndTheLinesOfItsSource) {
  for (const Manifest& kernel : bundled()) {
    if (kernel.name == "sgemm_tiled" || kernel.name == "row_softmax") {
      const Ptx ptx = compiler_.ptx(kernel, complete(kernel, {}), hopper);
      EXPECT_THAT(ptx.text, AllOf(HasSubstr(".entry " + ptx.symbol), HasSubstr("\t.loc\t1 "))) << kernel.name;
    }
  }
}

TEST_F(CompilerTest, PtxIsKeptByItsDials) {
  const auto catalogue = bundled();
  const Manifest& tiled = find_kernel(catalogue, "sgemm_tiled");
  const auto ptx_of = [&](double tile) {
    return Compiler(load_nvrtc().value(), folder_).ptx(tiled, complete(tiled, {{"TILE", tile}}), hopper);
  };
  const auto kept = [&] {
    return std::distance(fs::recursive_directory_iterator(folder_), fs::recursive_directory_iterator());
  };
  const Ptx first = ptx_of(16);
  const auto after_first = kept();
  EXPECT_GT(after_first, 0);
  const Ptx again = ptx_of(16);
  EXPECT_EQ(again.text, first.text);
  EXPECT_EQ(again.symbol, first.symbol);
  EXPECT_EQ(kept(), after_first);
  EXPECT_NE(ptx_of(32).text, first.text);
  EXPECT_GT(kept(), after_first);
}

TEST_F(CompilerTest, StaticSharedMemoryIsThatOfTheDials) {
  const auto catalogue = bundled();
  const Manifest& tiled = find_kernel(catalogue, "sgemm_tiled");
  for (const int tile : {4, 8, 16, 32}) {
    for (const int pad : {0, 1, 8}) {
      const auto parameters = complete(tiled, {{"TILE", tile}, {"PAD_B", pad}});
      EXPECT_EQ(compiler_.compile(tiled, parameters, hopper).compiled.static_shared_bytes,
                4 * tile * (2 * tile + pad))
          << "TILE " << tile << " PAD_B " << pad;
    }
  }
}

TEST_F(CompilerTest, NamedBarriersAreCountedUpToTheHighestOne) {
  const struct {
    const char* code;
    int barriers;
  } rows[] = {
      {"*x = 1;", 0},
      {"__syncthreads();", 1},
      {"asm volatile(\"bar.sync 3, 64;\");", 4},
      {"asm volatile(\"bar.sync %0, 64;\" ::\"r\"(*x));", 16},  // any of them
  };
  for (const auto& row : rows) {
    const std::string code = std::string("extern \"C\" __global__ void mine(int* x) { ") + row.code + " }";
    EXPECT_EQ(compile(code).compiled.named_barriers, row.barriers) << row.code;
  }
}

TEST_F(CompilerTest, TheSecondTimeAVariantComesFromTheCache) {
  const auto catalogue = bundled();
  const Manifest& naive = find_kernel(catalogue, "sgemm_naive");
  const auto wide = complete(naive, {}), narrow = complete(naive, {{"BLOCK_X", 16}});
  const Binary first = compiler_.compile(naive, wide, hopper);
  EXPECT_FALSE(first.compiled.from_cache);
  EXPECT_FALSE(compiler_.compile(naive, narrow, hopper).compiled.from_cache);
  EXPECT_FALSE(compiler_.compile(naive, wide, {8, 0}).compiled.from_cache);
  const Binary second = compiler_.compile(naive, wide, hopper);
  EXPECT_TRUE(second.compiled.from_cache);
  EXPECT_EQ(second.cubin, first.cubin);
  EXPECT_EQ(second.compiled.registers, first.compiled.registers);
}

TEST_F(CompilerTest, WhatGoesToTheLaunchAloneIsNotCompiledAnew) {
  const auto catalogue = bundled();
  const struct {
    const char *kernel, *dial;
    double value;
  } rows[] = {{"row_softmax", "CARVEOUT", 50}, {"gemm_bf16_wgmma", "BLOCKS", 1}, {"sgemm_naive", "N", 512}};
  for (const auto& row : rows) {
    const Manifest& kernel = find_kernel(catalogue, row.kernel);
    EXPECT_FALSE(compiler_.compile(kernel, complete(kernel, {}), hopper).compiled.from_cache) << row.kernel;
    const Parameters moved = complete(kernel, {{row.dial, row.value}});
    EXPECT_TRUE(compiler_.compile(kernel, moved, hopper).compiled.from_cache) << row.kernel;
  }
}

TEST_F(CompilerTest, ATemplateArgumentIsNoMacro) {
  Manifest manifest;
  manifest.name = "mine";
  manifest.entry = "mine<float, 2 * TILE>";
  manifest.source = write("mine.cu",
                          "#ifdef TILE\n#error TILE is a macro\n#endif\n"
                          "template <class T, int N> __global__ void mine(T* x) { *x = N; }\n");
  manifest.parameters.emplace_back().name = "TILE";
  manifest.parameters.back().where = ParameterPlace::template_argument;
  manifest.arguments = {{"x", "buffer", {}}};
  manifest.verify.emplace();
  manifest.verify->source = manifest.source;
  manifest.verify->with_macros = true;
  const Binary eight = compiler_.compile(manifest, {{"TILE", 8}}, hopper);
  const Binary four = compiler_.compile(manifest, {{"TILE", 4}}, hopper);
  EXPECT_EQ(eight.symbol, "_Z4mineIfLi16EEvPT_");
  EXPECT_EQ(four.symbol, "_Z4mineIfLi8EEvPT_");
  EXPECT_FALSE(four.compiled.from_cache);
  EXPECT_EQ(compiler_.compile_reference(manifest, {{"TILE", 8}}, hopper).symbol, eight.symbol);
  EXPECT_TRUE(compiler_.compile(manifest, {{"TILE", 8}}, hopper).compiled.from_cache);
}

TEST_F(CompilerTest, AnEditedSourceIsCompiledAnew) {
  const Binary one = compile("extern \"C\" __global__ void mine(int* x) { *x = 1; }");
  const Binary two = compile("extern \"C\" __global__ void mine(int* x) { *x = 2; }");
  EXPECT_FALSE(two.compiled.from_cache);
  EXPECT_NE(one.cubin, two.cubin);
}

TEST_F(CompilerTest, AnEditedHeaderBesideTheSourceCountsToo) {
  for (const char* include :
       {"#include \"value.cuh\"", "  #  include\"value.cuh\"", "#/**/include /**/ \"value.cuh\"",
        "#inc\\\nlude \"value.cuh\"", "#define HEADER \"value.cuh\"\n#include HEADER",
        "%:include \"value.cuh\"", "#if __has_include(\"value.cuh\")\n#include \"value.cuh\"\n#endif"}) {
    const std::string code =
        std::string(include) + "\nextern \"C\" __global__ void mine(int* x) { *x = VALUE; }";
    write("value.cuh", "#define VALUE 1\n");
    const Binary one = compile(code);
    write("value.cuh", "#define VALUE 2\n");
    EXPECT_NE(compile(code).cubin, one.cubin) << include;
  }
}

TEST_F(CompilerTest, AnotherBuildOfTheCompilerCompilesAnew) {
  const fs::path source = write("mine.cu", "extern \"C\" __global__ void mine(int* x) { *x = 1; }");
  Nvrtc later = load_nvrtc().value();
  EXPECT_EQ(later.build, compiler_.nvrtc().build);
  later.build += " and a patch";
  const Compiler patched(later, folder_);
  compiler_.compile(source, "mine", {}, hopper);
  EXPECT_FALSE(patched.compile(source, "mine", {}, hopper).compiled.from_cache);
  EXPECT_TRUE(patched.compile(source, "mine", {}, hopper).compiled.from_cache);
}

TEST_F(CompilerTest, WithoutAFolderNothingIsKept) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const Compiler compiler(compiler_.nvrtc(), "");
  const fs::path source = write("mine.cu", "extern \"C\" __global__ void mine(int* x) { *x = 1; }");
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(compiler.compile(source, "mine", {}, hopper).compiled.from_cache);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator("."), {}), 1) << "the source";
  fs::current_path(before);
}

TEST_F(CompilerTest, AnEditOfTheHostsCodeKeepsTheCubin) {
  const std::string kernel = "#include <stdio.h>\n__global__ void mine(int* x) { *x = 1; }\n";
  EXPECT_FALSE(compile(kernel + "int main() { return 1; }").compiled.from_cache);
  EXPECT_TRUE(compile(kernel + "int main() { return 2; }").compiled.from_cache);
}

TEST_F(CompilerTest, WhatNvrtcRefusesNvccCompiles) {
  if (!find_nvcc(compiler_.nvrtc())) {
    GTEST_SKIP() << "no nvcc is here";
  }
  const Binary binary = compile(
      "#include <type_traits>\n#include <vector>\nenum Colour { red };\n"
      "template <class T, int N> __global__ void mine(T* x) { __shared__ T s[N]; s[threadIdx.x] = *x;\n"
      "  *x = s[0] + std::is_same<std::underlying_type<Colour>::type, int>::value; }\n"
      "int main() { std::vector<int> v(3); }",
      "mine<float, 2 * 16>");
  EXPECT_EQ(binary.symbol, "_Z4mineIfLi32EEvPT_");
  EXPECT_EQ(binary.compiled.static_shared_bytes, 128);
  Manifest manifest;
  manifest.name = "mine";
  manifest.source = folder_ / "mine.cu";
  manifest.entry = "mine<float, 32>";
  EXPECT_THAT(compiler_.ptx(manifest, {}, hopper).text, HasSubstr(".entry _Z4mineIfLi32EEvPT_"));
}

TEST_F(CompilerTest, NvccCompilesTheDevicePartWhereALibraryIsMissing) {
  if (!find_nvcc(compiler_.nvrtc())) {
    GTEST_SKIP() << "no nvcc is here";
  }
  fs::create_directories(folder_ / "common");
  std::ofstream(folder_ / "common/tile.h")
      << "#include <tuple>\n#include <boost/any.hpp>\nboost::any host(int);\n"
         "using Tile = std::tuple<int, int>;\n";
  const Binary binary = compile(
      "#include \"common/tile.h\"\nextern \"C\" __global__ void mine(Tile t, int* x) { *x = std::get<0>(t); }\n"
      "int main() { return host(3).empty(); }");
  EXPECT_EQ(binary.symbol, "mine");
}

TEST_F(CompilerTest, WhatIsWrongWithASourceNamesFileAndLine) {
  EXPECT_THAT([&] { compile("// a kernel\nextern \"C\" __global__ void mine(int* x) { *x = y; }"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("mine.cu does not compile"), HasSubstr("mine.cu(2): error:"),
                                         HasSubstr("\"y\" is undefined"))));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitizer_ends_without_memory = true;
#else
constexpr bool sanitizer_ends_without_memory = false;
#endif

// 2^22 templates take more than 4 GB. Both stand in one line: chance decides in which of them the memory runs
// out.
TEST_F(CompilerTest, ASourceThatTakesTooMuchMemoryIsToldAndTheNextCompiles) {
  if (sanitizer_ends_without_memory) {
    GTEST_SKIP() << "the sanitizer ends the program instead";
  }
  Nvrtc small = load_nvrtc().value();
  small.most_memory = 64 << 20;
  const Compiler compiler(small, folder_);
  const fs::path source =
      write("mine.cu",
            "template <int N, int M> struct Grow { Grow<N - 1, 2 * M> a; Grow<N - 1, 2 * M + 1> b; }; "
            "template <int M> struct Grow<0, M> { int end; };\n"
            "extern \"C\" __global__ void mine(int* x) { *x = sizeof(Grow<22, 1>); }\n");
  EXPECT_THAT([&] { compiler.compile(source, "mine", {}, hopper); },
              ThrowsMessage<Error>(AllOf(HasSubstr("mine.cu(1): "), HasSubstr("out of memory"))));
  write("mine.cu", "extern \"C\" __global__ void mine(int* x) { *x = 1; }");
  EXPECT_GT(compiler.compile(source, "mine", {}, hopper).compiled.registers, 0);
}

TEST_F(CompilerTest, ASourceWithoutTheEntryNamesBoth) {
  const std::string code = "extern \"C\" __global__ void theirs(int* x) { *x = 1; }";
  EXPECT_THAT([&] { compile(code); }, ThrowsMessage<Error>(AllOf(HasSubstr("mine.cu has no kernel named mine"),
                                                                 HasSubstr("it has theirs"))));
}

TEST_F(CompilerTest, AKernelIsFoundAsCppNamesIt) {
  const struct {
    const char* code;
    const char* entry;
    const char* symbol;
  } rows[] = {
      {"extern \"C\" __global__ void mine(int* x) { *x = 1; }", "mine", "mine"},
      {"__global__ void mine(int* x) { *x = 1; }", "mine", "_Z4minePi"},
      {"// not extern \"C\"\n__global__ void mine(int* x) { *x = 1; }", "mine", "_Z4minePi"},
      {"namespace ours { __global__ void mine(int* x) { *x = 1; } }", "ours::mine", "_ZN4ours4mineEPi"},
      {"template <class T, int N> __global__ void mine(T* x) { *x = N; }", "mine<float, 3>",
       "_Z4mineIfLi3EEvPT_"},
      {"#define TILE 8\ntemplate <int N> __global__ void mine(int* x) { *x = N; }", "mine<TILE>",
       "_Z4mineILi8EEvPi"},
  };
  for (const auto& row : rows) {
    const Binary first = compile(row.code, row.entry);
    EXPECT_EQ(first.symbol, row.symbol) << row.code;
    EXPECT_GT(first.compiled.registers, 0) << row.code;
    const Binary second = compile(row.code, row.entry);
    EXPECT_TRUE(second.compiled.from_cache) << row.code;
    EXPECT_EQ(second.symbol, row.symbol) << row.code;
  }
}

TEST_F(CompilerTest, TensorPipesAreToldOfEachKernelAndKept) {
  const char* code = R"(
__global__ void multiplies(float* x) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
               : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]) : "r"(1));
}
__global__ void adds(float* x) { x[0] += x[1]; })";
  const std::set<std::string> tf32 = {"TF32 tensor"}, none;
  for (const auto& [entry, pipes] : {std::pair("multiplies", tf32), {"adds", none}}) {
    EXPECT_EQ(compile(code, entry).instructions.tensor_pipes, pipes) << entry;
    EXPECT_EQ(compile(code, entry).instructions.tensor_pipes, pipes) << entry << ", from the cache";
  }
}

TEST_F(CompilerTest, HalfArithmeticIsToldOfEachKernelAndKept) {
  const char* code = R"(
#include <cuda_fp16.h>
__global__ void packed(const __half2* x, __half2* y) { y[0] = __hfma2(x[0], x[0], y[0]); }
__global__ void widened(const __half* x, float* y) { y[0] += __half2float(x[0]) * __half2float(x[1]); }
__device__ __noinline__ __half twice(__half x) { return __hadd(x, x); }
__global__ void calling(const __half* x, __half* y) { y[0] = twice(x[0]); })";
  for (const auto& [entry, in_half] : {std::pair("packed", true), {"widened", false}, {"calling", true}}) {
    EXPECT_EQ(compile(code, entry).compiled.half_arithmetic, in_half) << entry;
    EXPECT_EQ(compile(code, entry).compiled.half_arithmetic, in_half) << entry << ", from the cache";
  }
}

TEST_F(CompilerTest, FindsTheHeadersOfTheToolkitAndThoseBesideTheSource) {
  fs::create_directories(folder_ / "common");
  write("common/value.cuh", "#define VALUE 7\n");
  write("beside.cuh", "#define BESIDE 7\n");
  Manifest manifest;
  manifest.name = manifest.entry = "mine";
  manifest.source = folder_ / "mine.cu";
  manifest.include_folders = {folder_ / "common"};
  for (const char* include :
       {"<cuda_fp16.h>", "<cuda_bf16.h>", "<cooperative_groups.h>", "<cub/block/block_scan.cuh>",
        "<cuda/std/array>", "<value.cuh>", "\"value.cuh\"", "\"beside.cuh\""}) {
    write("mine.cu", fmt::format("#include {}\n__global__ void mine() {{}}", include));
    EXPECT_NO_THROW(compiler_.compile(manifest, {}, hopper)) << include;
  }
}

TEST_F(CompilerTest, AHeaderInAngleBracketsBesideTheSourceIsReadAnewToo) {
  const std::string code = "#include <value.cuh>\nextern \"C\" __global__ void mine(int* x) { *x = VALUE; }";
  write("value.cuh", "#define VALUE 1\n");
  const Binary one = compile(code);
  write("value.cuh", "#define VALUE 2\n");
  EXPECT_NE(compile(code).cubin, one.cubin);
}

TEST_F(CompilerTest, TheOptionsOfAKernelReachTheCompiler) {
  write("mine.cu",
        "template <class T> concept small = sizeof(T) < 8;\n"
        "extern \"C\" __global__ void mine(int* x) { static_assert(small<int>); *x = FAST; }");
  Manifest manifest;
  manifest.name = manifest.entry = "mine";
  manifest.source = folder_ / "mine.cu";
  EXPECT_THROW(compiler_.compile(manifest, {}, hopper), Error);
  manifest.compiler_options = {"-std=c++20", "-DFAST=1"};
  manifest.arguments = {{"x", "buffer", {}}};
  EXPECT_NO_THROW(compiler_.compile(manifest, {}, hopper));
}

TEST_F(CompilerTest, ADialThatChangesNothingIsRefused) {
  Manifest manifest;
  manifest.name = manifest.entry = "mine";
  manifest.source =
      write("mine.cu", "#define TILE 16\nextern \"C\" __global__ void mine(int* x) { *x = TILE; }");
  manifest.arguments = {{"x", "buffer", {}}};
  manifest.parameters.emplace_back().name = "TILE";
  manifest.parameters.back().values = {16, 32};
  EXPECT_THAT(
      [&] {
        compiler_.compile(manifest, {{"TILE", 32}}, hopper);
      },
      ThrowsMessage<Error>(HasSubstr("TILE changes nothing: mine.cu defines it itself in line 1.")));
  manifest.parameters.back().name = "TILES";
  EXPECT_THAT(
      [&] {
        compiler_.compile(manifest, {{"TILES", 32}}, hopper);
      },
      ThrowsMessage<Error>(HasSubstr("The nearest name there is TILE.")));
}

TEST_F(CompilerTest, AConstantIsReplacedInItsPlace) {
  Manifest manifest;
  manifest.name = manifest.entry = "mine";
  manifest.source = write("mine.cu",
                          "constexpr int TILE = 16;\n"
                          "extern \"C\" __global__ void mine(float* x) {\n"
                          "  __shared__ float tile[TILE];\n"
                          "  tile[threadIdx.x] = x[threadIdx.x];\n"
                          "  __syncthreads();\n"
                          "  x[threadIdx.x] = tile[TILE - 1 - threadIdx.x];\n}\n");
  manifest.arguments = {{"x", "buffer", {}}};
  Parameter& tile = manifest.parameters.emplace_back();
  tile.name = "TILE";
  tile.where = ParameterPlace::constant;
  for (const int side : {16, 32}) {
    EXPECT_EQ(compiler_.compile(manifest, {{"TILE", side}}, hopper).compiled.static_shared_bytes, 4 * side);
  }
  tile.name = "TILES";
  EXPECT_THAT(
      [&] {
        compiler_.compile(manifest, {{"TILES", 32}}, hopper);
      },
      ThrowsMessage<Error>(HasSubstr("TILES is no constant of mine.cu")));
}

TEST_F(CompilerTest, AMissingSourceIsNamed) {
  EXPECT_THAT([&] { compiler_.compile(folder_ / "nowhere.cu", "mine", {}, hopper); },
              ThrowsMessage<Error>(HasSubstr("nowhere.cu cannot be read")));
}

TEST_F(CompilerTest, AnArchitectureThatNvrtcDoesNotKnowIsRefusedWithThoseItDoes) {
  const auto catalogue = bundled();
  const Manifest& naive = find_kernel(catalogue, "sgemm_naive");
  EXPECT_THAT(
      [&] {
        compiler_.compile(naive, complete(naive, {}), {3, 5});
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("compute capability 3.5"), HasSubstr("8.6, "))));
}

TEST_F(CompilerTest, AKernelThatNeedsANewerGpuSaysSo) {
  auto manifest = bundled().front();
  manifest.minimum_cc = ComputeCapability{9, 0};
  EXPECT_THAT(
      [&] {
        compiler_.compile(manifest, complete(manifest, {}), {8, 6});
      },
      ThrowsMessage<Error>(HasSubstr("needs compute capability 9.0 or later, not 8.6")));
}

TEST_F(CompilerTest, InstructionsOfOneArchitectureNeedExactlyIt) {
  write("mine.cu", "extern \"C\" __global__ void mine() { asm(\"wgmma.fence.sync.aligned;\"); }");
  Manifest manifest;
  manifest.name = manifest.entry = "mine";
  manifest.source = folder_ / "mine.cu";
  EXPECT_EQ(compiler_.compile(manifest, {}, hopper).compiled.cc, hopper) << "the text names wgmma";
  EXPECT_THAT([&] { compiler_.compile(manifest, {}, {8, 9}); }, ThrowsMessage<Error>(HasSubstr("wgmma")));
  manifest.minimum_cc = hopper;
  manifest.architecture_specific = true;
  EXPECT_EQ(compiler_.compile(manifest, {}, hopper).compiled.cc, hopper);
  EXPECT_THAT(
      [&] {
        compiler_.compile(manifest, {}, {10, 0});
      },
      ThrowsMessage<Error>(HasSubstr("only compute capability 9.0 has, not 10.0")));
}

// A program brings it: its figures are read from the cubin, without a compiler's words.
TEST_F(CompilerTest, ACubinIsTakenAsItIsOnEveryArchitecture) {
  const fs::path source =
      write("mine.cu",
            "__global__ void mine(float* a, int n) { __shared__ float s[300]; float own[64];\n"
            "for (int i = 0; i < n; ++i) own[a[i] > 0 ? i % 64 : i % 3] = s[i] = a[i];\n"
            "__syncthreads(); a[threadIdx.x] = own[n % 64] + s[299 - threadIdx.x]; }");
  Manifest manifest;
  manifest.name = "mine";
  manifest.source = folder_ / "mine.cubin";
  manifest.arguments = {{"a", "buffer", {}}, {{}, "hex", {}, 0, 1, {}, 0, "1234"}};
  for (const ComputeCapability cc : architectures(compiler_.nvrtc())) {
    SCOPED_TRACE(text(cc));
    const Binary original = compiler_.compile(source, "mine", {architecture_option(cc, false)}, cc);
    write("mine.cubin", original.cubin);
    manifest.entry = original.symbol;
    const Compiled taken = compiler_.compile(manifest, {}, cc).compiled;
    EXPECT_EQ(taken.registers, original.compiled.registers);
    EXPECT_EQ(taken.static_shared_bytes, original.compiled.static_shared_bytes);
    EXPECT_EQ(taken.local_bytes, original.compiled.local_bytes);
  }
}

TEST_F(CompilerTest, ACubinThatCannotBeTakenSaysWhy) {
  const Binary original = compile("__global__ void mine(float* a) { a[0] = 1; }");
  const struct {
    std::string cubin, entry;
    std::vector<Argument> arguments;
    const char* sentence;
  } rows[] = {{"", "mine", {}, "mine.cubin is no cubin, or it is damaged."},
              {"words", "mine", {}, "mine.cubin is no cubin, or it is damaged."},
              {original.cubin.substr(0, 100), "mine", {}, "mine.cubin is no cubin, or it is damaged."},
              {original.cubin, "other", {}, "mine.cubin has no kernel named other; it has _Z4minePf."},
              {original.cubin, original.symbol, {}, "takes 1 parameter, but its manifest gives it 0"}};
  for (const auto& row : rows) {
    Manifest manifest;
    manifest.source = write("mine.cubin", row.cubin);
    manifest.entry = row.entry;
    manifest.arguments = row.arguments;
    EXPECT_THAT([&] { compiler_.compile(manifest, {}, hopper); },
                ThrowsMessage<Error>(HasSubstr(row.sentence)));
    EXPECT_THAT([&] { compiler_.ptx(manifest, {}, hopper); },
                ThrowsMessage<Error>(HasSubstr("compiled already")));
  }
}

TEST_F(CompilerTest, EveryElementCanBeFilledAndCompared) {
  const fs::path support = platform::data_directory() / "kernels/worker/device_code/fill_compare_evict.cu";
  for (const std::string element :
       {"float", "double", "half", "bfloat16", "char", "short", "int", "long_long"}) {
    for (const char* entry : {"fill", "compare", "scale", "look_at"}) {
      EXPECT_NO_THROW(compiler_.compile(support, entry, {"-DELEMENT=" + element}, {7, 5})) << element;
    }
  }
}

class EveryKernel : public CompilerTest, public testing::WithParamInterface<Manifest> {};

// A variant takes NVRTC 50 to 800 ms, so some stand for all; kernels/checks/compile_all.py compiles the rest.
TEST_P(EveryKernel, CompilesForEveryArchitectureFromTuringOn) {
  const Manifest& manifest = GetParam();
  for (const ComputeCapability cc :
       {ComputeCapability{7, 5}, {8, 0}, {8, 6}, {8, 9}, {9, 0}, {10, 0}, {12, 0}}) {
    if (!why_unfit(manifest, cc)) {
      const Binary binary = compiler_.compile(manifest, complete(manifest, {}), cc);
      expect_no_spills(binary.compiled, text(cc));
      EXPECT_EQ(binary.compiled.cc, cc);
      EXPECT_THAT(binary.cubin, testing::StartsWith("\x7f"
                                                    "ELF"));
    }
  }
}

TEST_P(EveryKernel, CompilesWithAllItsDialsWithoutSpills) {
  const Manifest& manifest = GetParam();
  for (const Parameters& parameters : some_combinations(manifest, 6)) {
    expect_no_spills(compiler_.compile(manifest, parameters, hopper).compiled, text(parameters));
  }
}

std::vector<Manifest> bundled_sources() {
  std::vector<Manifest> sources = bundled();
  std::erase_if(sources, [](const Manifest& manifest) { return !manifest.library.empty(); });
  return sources;
}

INSTANTIATE_TEST_SUITE_P(Bundled, EveryKernel, testing::ValuesIn(bundled_sources()),
                         testing::PrintToStringParamName());

TEST_F(CompilerTest, WhatPtxasRefusesIsToldInItsWordsWithAWayOut) {
  const std::string code =
      "extern \"C\" __global__ void mine(int* x) { __shared__ int t[60000]; t[threadIdx.x] = x[0]; "
      "__syncthreads(); *x = t[5]; }";
  EXPECT_THAT([&] { compile(code); }, ThrowsMessage<Error>(AllOf(HasSubstr("uses too much shared data"),
                                                                 HasSubstr("dynamic_shared_bytes"))));
}

TEST_F(CompilerTest, ASourceWithoutAnyKernelSaysSo) {
  EXPECT_THAT([&] { compile(""); }, ThrowsMessage<Error>(HasSubstr("The source has no kernel mine")));
}

}  // namespace
}  // namespace rooftile::worker
