#include "kernels/worker/compile/source_reader.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/source/manifest/new_manifest.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class SourceReaderTest : public testing::Test {
 protected:
  SourceReaderTest() { fs::create_directories(folder_); }
  ~SourceReaderTest() override { fs::remove_all(folder_); }

  std::vector<SourceKernel> read(const std::string& code, const std::string& wanted = "") const {
    std::ofstream(folder_ / "mine.cu") << code;
    return kernels_in(folder_ / "mine.cu", wanted);
  }

  // Without the symbols, which the PTX has.
  std::vector<SourceKernel> kernels_in(const fs::path& source, const std::string& wanted = "") const {
    SourceDescription described = describe_source(nvrtc_, source, wanted);
    for (SourceKernel& kernel : described.kernels) {
      EXPECT_THAT(described.ptx, HasSubstr(".entry " + std::exchange(kernel.symbol, "")));
    }
    return described.kernels;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_source_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const Nvrtc nvrtc_ = load_nvrtc().value();
};

TEST_F(SourceReaderTest, AKernelThatSharesItsNameWithATemplateIsCalledByItsSymbol) {
  const auto kernels = read(
      "__global__ void sum(float* x) { *x = 1; }\n"
      "template <class T> __global__ void sum(T* x, int n) { *x = n; }\n");
  ASSERT_EQ(kernels.size(), 1);
  EXPECT_EQ(kernels.front().name, "_Z3sumPf");
}

TEST_F(SourceReaderTest, TheCompilerKnowsTheTypesHoweverTheKernelIsDeclared) {
  const SourceKernel sum{"sum", {"float const*", "float*", "int"}};
  for (const char* declared :
       {"extern \"C\" __global__ void", "__global__ void", "extern   \"C\"\n__global__ void"}) {
    EXPECT_THAT(read(std::string(declared) + " sum(const float* in, float* out, int n) {"
                                             " out[threadIdx.x] = in[blockIdx.x] + n; }"),
                ElementsAre(sum))
        << declared;
  }
  EXPECT_THAT(
      read("extern \"C\" {\n__global__ void sum(const float* in, float* out, int n) { *out = *in + n; }\n}\n"),
      ElementsAre(sum));
}

TEST_F(SourceReaderTest, AnEarlierDeclarationIsNoOtherKernel) {
  const std::string code =
      "extern \"C\" {\n__global__ void sum(float* out, int n);\n}\n"
      "extern \"C\"__global__ void sum(float* out, int n) { *out = n; }\n";
  for (const char* wanted : {"", "sum"}) {
    EXPECT_THAT(read(code, wanted), ElementsAre(SourceKernel{"sum", {"float*", "int"}})) << wanted;
  }
}

TEST_F(SourceReaderTest, VariablesWithoutAValueAreThoseThatTheKernelUses) {
  const auto found = read(
      "__constant__ float table[9];\n__constant__ int known = 3;\n__constant__ int other;\n"
      "namespace ours { __device__ unsigned long long counter; }\n"
      "__global__ void f(float* x) { *x = table[threadIdx.x] + known + atomicAdd(&ours::counter, 1ull); }\n"
      "__global__ void g(int* x) { *x = other; }\n");
  ASSERT_EQ(found.size(), 2U);
  const auto f = std::ranges::find(found, "f", &SourceKernel::name);
  EXPECT_THAT(f->variables, testing::UnorderedElementsAre(SourceVariable{"table", 36, true},
                                                          SourceVariable{"ours::counter", 8, false}));
}

TEST_F(SourceReaderTest, VariablesOfTheToolkitAreNotListed) {
  const auto found = read(
      "#include <cooperative_groups.h>\n__device__ int hits;\n"
      "__device__ __noinline__ int sum(cooperative_groups::thread_group g, int* x) { g.sync(); return *x; }\n"
      "__global__ void f(int* x) { hits = sum(cooperative_groups::this_thread_block(), x); }\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].variables, ElementsAre(SourceVariable{"hits", 4, false}));
}

TEST_F(SourceReaderTest, DimensionsBoundsAndSharedMemoryAreThoseOfTheCode) {
  const auto two = read(
      "__global__ void __launch_bounds__(128) flat(float* x) { x[threadIdx.x] = 0; }\n"
      "__global__ void square(float* x) { x[threadIdx.y * blockDim.x] = 0; }\n"
      "__global__ void cube(float* x) { x[blockIdx.z] = 0; }\n");
  ASSERT_EQ(two.size(), 3U);
  for (const SourceKernel& kernel : two) {
    EXPECT_EQ(kernel.dimensions, kernel.name == "flat" ? 1 : kernel.name == "square" ? 2 : 3) << kernel.name;
    EXPECT_EQ(kernel.threads, kernel.name == "flat" ? std::optional(128) : std::nullopt) << kernel.name;
    EXPECT_FALSE(kernel.dynamic_shared);
  }
  EXPECT_TRUE(
      read("__global__ void f(float* x) { extern __shared__ float s[]; s[threadIdx.x] = *x; *x = s[0]; }")
          .front()
          .dynamic_shared);
}

TEST_F(SourceReaderTest, OfATemplateTheInstanceThatIsNamed) {
  const std::string code =
      "#include <cuda_fp16.h>\nnamespace ours { template <class T, int N> __global__ void reduce(const T* in, "
      "T* out) {"
      " out[blockIdx.x] = in[N]; } }";
  const auto found = read(code, "ours::reduce<__half, 256>");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "ours::reduce<__half, 256>");
  EXPECT_THAT(found[0].types, ElementsAre("__half const*", "__half*"));
  EXPECT_THAT(read(code), IsEmpty()) << "nobody has named one";
  EXPECT_THAT([&] { read(code, "add<float>"); }, ThrowsMessage<Error>(HasSubstr("add")));
}

TEST_F(SourceReaderTest, OfATemplateTheInstanceThatAloneIsLaunched) {
  const std::string reduce = "template <class T, int N> __global__ void reduce(T* x) { *x = N; }\n",
                    other = "__global__ void other(int* x) { *x = 1; }\n",
                    once = "void run(float* x) { reduce<float, 64><<<1, 64>>>(x); }\n";
  const auto names = [&](const std::string& code) {
    std::vector<std::string> all;
    std::ranges::transform(read(code), std::back_inserter(all), &SourceKernel::name);
    return all;
  };
  EXPECT_THAT(names(reduce + once), ElementsAre("reduce<float, 64>"));
  EXPECT_THAT(names(reduce + other + once), ElementsAre("reduce<float, 64>"));
  EXPECT_THAT(names(reduce + once + "void twice(int* x) { reduce<int, 32><<<1, 32>>>(x); }"), IsEmpty());
  EXPECT_THAT(names(reduce + other + once + "void last(int* x) { other<<<1, 32>>>(x); }"),
              ElementsAre("other"));
  EXPECT_THAT(names("struct Own;\n" + reduce + "void run(Own* x) { reduce<Own, 64><<<1, 64>>>(x); }"),
              IsEmpty())
      << "it does not compile";
}

TEST_F(SourceReaderTest, KernelsOfTheToolkitAreNobodys) {
  const auto found = read(
      "namespace cub { inline namespace CUB_300001_SM_900 { __global__ void empty() {} } }\n"
      "namespace thrust { inline namespace THRUST_300001_SM_900 { __global__ void empty() {} } }\n"
      "namespace cubic { __global__ void mine(float* x) { *x = 1; } }");
  EXPECT_THAT(found, ElementsAre(SourceKernel{"cubic::mine", {"float*"}}));
}

TEST_F(SourceReaderTest, CodeOfTheHostIsNoObstacle) {
  const auto found = read(R"(#include <stdio.h>
#include <iostream>
#include <vector>
#include <helper_cuda.h>
#include <cuda_runtime.h>
#include <cublas_v2.h>
std::vector<float> values(100);
__global__ void scale(float* x, uint n, float by) {
  if (threadIdx.x < n) x[threadIdx.x] = std::max(by, -FLT_MAX) + M_PI * (by == INFINITY) + sizeof(uint64_t);
}
int main() {
  checkCudaErrors(cudaMalloc(&x, 4));
  scale<<<1, 32>>>(values.data(), 1, 2.0f);
  std::cout << "done" << std::endl;
})");
  EXPECT_THAT(found, ElementsAre(SourceKernel{"scale", {"float*", "unsigned int", "float"}}));
}

TEST_F(SourceReaderTest, WordsOfOtherCompilersAndLibrariesAreKnown) {
  const struct {
    const char *code, *type;
  } rows[] = {
      {"struct A { __extension__ union { int a; float b; }; };\n__global__ void f(int* x) { A y; y.b = 1; *x = "
       "y.a; }",
       "int*"},
      {"#include <cublas_v2.h>\n__global__ void f(__nv_bfloat16* x) { *x = "
       "__float2bfloat16(std::is_same_v<int, int>); }",
       "__nv_bfloat16*"},
      {"__global__ void f(float (*x)[2]) { x[0][1] = 1; }", "float*"},
      {"__global__ void f(int* x) { cudaGridDependencySynchronize(); *x = std::bit_cast<int>(1.0f); }", "int*"},
      {"#include <array>\n__global__ void f(int* x) { std::array a = {1, 2, 3};\n"
       "  const auto p = std::make_pair(a[1], 2); for (int each : a) *x += each * p.second; }",
       "int*"},
      {"namespace ours { namespace { __global__ void f(int* x) { *x = 1; } } }", "int*"},
      {"#include <torch/extension.h>\nusing namespace at;\n__global__ void f(Half* x) {\n"
       "  CUDA_KERNEL_LOOP(i, 9) { x[i] = c10::Half(acc_type<Half, true>(1)); } }",
       "__half*"},
  };
  for (const auto& row : rows) {
    const auto found = read(row.code);
    ASSERT_EQ(found.size(), 1U) << row.code;
    EXPECT_THAT(found[0].types, ElementsAre(row.type));
  }
}

TEST_F(SourceReaderTest, ASourceOfANewerLanguageIsReadInIt) {
  const auto found = read(
      "template <class T> concept small = sizeof(T) < 8;\ntemplate <small T> __device__ T twice(T x) { return "
      "x + x; }\n"
      "__global__ void f(float* x) { *x = twice(*x); }");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].options, ElementsAre("-std=c++20"));
}

TEST_F(SourceReaderTest, ASourceThatCannotWorkIsToldOfWithItsPlaceTheCauseAndWhatToWrite) {
  const struct {
    const char *code, *place, *cause, *cure;
  } rows[] = {
      {"__global__ void f(float* x) {\n  int i = threadIdx.x\n  x[i] = 1;\n}", "(3)", "expected a \";\"", ""},
      {"__global__ void f(float* x) {\n  if (*x > 1)) *x = 1;\n}", "(2)", "expected an expression", ""},
      {"__global__ void f(float* x) {\n  if (*x > 1) {\n  *x = 1;\n}\n", "(1)", "expected a \"}\"",
       "to match this \"{\""},
      {"__global__ void f(float* x) {\n  /* the end\n  *x = 1;\n}", "(2)", "comment unclosed", ""},
      {"__global__ void f(float* x) {\n  x[threadIdx.w] = 1;\n}", "(2)", "has no member \"w\"", ""},
      {"__global__ void f(float* x) {\n  x[blockidx.x] = 1;\n}", "(2)", "\"blockidx\" is undefined",
       "Did you mean blockIdx"},
      {"__global__ void f(float* x) {\n  *x = c[1];\n}", "(2)", "\"c\" is undefined", ""},
      {"__global__ void f(float* x) {\n  *x = fmaxf(*x);\n}", "(2)", "too few arguments", ""},
      {"#include \"tiles.h\"\n__global__ void f(float* x) { *x = tile(*x); }", "(2)", "\"tile\" is undefined",
       "tiles.h is not found, neither in the repository nor in CUDA's toolkit: name the folder, --include"},
      {"int half(int x) { return x / 2; }\n__global__ void f(int* x) { *x = half(*x); }", "(2)", "half",
       "half is a function of the host: write __device__ before it"},
      {"#include <vector>\n__global__ void f(float* x) {\n  std::vector<float> v(3);\n  *x = v[0];\n}", "(3)",
       "vector", "no containers and no streams"},
      {"#include <iostream>\n__global__ void f(float* x) {\n  std::cout << *x;\n}", "(3)", "cout",
       "no containers and no streams"},
      {"__global__ int f(float* x) { *x = 1; }", "(1)", "must have a void return type", ""},
      {"__global__ void f(float* x) {\n  *x = __shfl_down(*x, 1);\n}", "(2)", "__shfl_down",
       "__shfl_down_sync(0xffffffff, value, offset)"},
      {"__global__ void f(float* x) {\n  return *x;\n}", "(2)", "return", ""},
      {"__global__ void f(float* x) {\n  __shared__ float s[2] = {1, 2};\n  *x = s[1];\n}", "(2)",
       "initializer", ""},
      {"__global__ void g(float* x) { *x = 1; }\n__global__ void f(float* x) {\n  g<<<1, 1>>>(x);\n}", "(3)",
       "kernel launch", "open the kernel that is launched, in a file without the one that launches it"},
      {"import torch\n\n@triton.jit\ndef f(x):\n  return x\n", "(1)", "import", ""},
      {"__global__ void f(float* x,\n    cudaTextureObject_t t) { *x = 1; }", "(2)", "t of f is a texture",
       "give the kernel a pointer"},
      {"__global__ void f(float** x) { x[0][0] = 1; }", "(1)", "x of f is float**, a pointer to pointers",
       "pass its numbers in one buffer, and their offsets"},
      {"__global__ void f(float* x,\n    int& n) { *x = n; }", "(2)", "n of f is int&, a reference",
       "pass it by value, without &"},
  };
  for (const auto& [code, place, cause, cure] : rows) {
    std::string told;
    try {
      new_manifest(read(code).at(0), "mine.cu", code);
    } catch (const std::exception& refused) {
      told = refused.what();
    }
    for (const std::string& part : {"mine.cu" + std::string(place), std::string(cause), std::string(cure)}) {
      EXPECT_THAT(told, HasSubstr(part)) << code;
    }
    EXPECT_THAT(told, testing::Not(HasSubstr("warning"))) << code;
  }
}

TEST_F(SourceReaderTest, AMacroThatNobodyDefinesIsADial) {
  const auto found =
      read("__global__ void f(float* x) { __shared__ float s[block_size_x]; s[0] = *x; *x = s[1]; }");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].open_macros, ElementsAre(SourceMacro{"block_size_x", 256}));
  EXPECT_THAT([&] { read("__global__ void f(float* x) { int index = 3; x[indxe] = index; }"); },
              ThrowsMessage<Error>(HasSubstr("\"indxe\" is undefined")));
}

TEST_F(SourceReaderTest, AHeaderIsFoundInTheRepositoryAroundTheSource) {
  fs::create_directories(folder_ / ".git");
  fs::create_directories(folder_ / "common");
  fs::create_directories(folder_ / "samples");
  std::ofstream(folder_ / "common/tile.h") << "#pragma once\n#include \"size.h\"\nvoid host() { exit(1); }\n";
  std::ofstream(folder_ / "common/size.h") << "#define SIZE 16\n";
  std::ofstream(folder_ / "samples/mine.cu")
      << "#include <tile.h>\n__global__ void f(float* x) { *x = SIZE; }\n";
  SourceKernel expected{"f", {"float*"}};
  expected.include_folders = {{"../common", "tile.h"}};
  expected.header_constants = "#define SIZE 16\n";
  EXPECT_THAT(kernels_in(folder_ / "samples/mine.cu"), ElementsAre(expected));
}

TEST_F(SourceReaderTest, AHeaderOfTheSystemIsNotLookedForAround) {
  fs::create_directories(folder_ / ".git");
  fs::create_directories(folder_ / "cuda/Matrix");
  fs::create_directories(folder_ / "samples");
  std::ofstream(folder_ / "cuda/type_traits") << "#error a library's own\n";
  std::ofstream(folder_ / "cuda/Matrix/Dense") << "#define SIZE 16\n";
  std::ofstream(folder_ / "samples/mine.cu")
      << "#include <type_traits>\n#include <Matrix/Dense>\n__global__ void f(float* x) { *x = SIZE; }\n";
  SourceKernel expected{"f", {"float*"}};
  expected.include_folders = {{"../cuda", "Matrix/Dense"}};
  expected.header_constants = "#define SIZE 16\n";
  EXPECT_THAT(kernels_in(folder_ / "samples/mine.cu"), ElementsAre(expected));
}

TEST_F(SourceReaderTest, KernelsBehindAMacroAreRead) {
  const auto found = read("#ifdef HAVE_CUDA\n__global__ void f(float* x) { *x = 1; }\n#endif\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].options, ElementsAre("-DHAVE_CUDA=1"));
}

TEST_F(SourceReaderTest, KernelsBehindAMacroThatDoNotCompileWithItAreToldWithIt) {
  EXPECT_THAT(
      [&] { read("#ifdef HAVE_CUDA\n__global__ void f(Row* x) { x->n = 1; }\n#endif\n"); },
      testing::ThrowsMessage<Error>(testing::AllOf(HasSubstr("The kernels stand behind HAVE_CUDA. With it, "),
                                                   HasSubstr("\"Row\" is undefined"))));
}

TEST_F(SourceReaderTest, AMacroThatIsNearlyANameOfTheSourceIsToldOf) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "a.cu") << "#if TILE > 2\n#endif\n__global__ void f(float* x) { *x = TILE; }\n";
  EXPECT_THAT(
      [&] {
        describe_source(nvrtc_, folder_ / "a.cu", "", {{}, {"-DTIEL=4"}});
      },
      testing::ThrowsMessage<Error>(HasSubstr("The nearest name there is TILE.")));
}

TEST_F(SourceReaderTest, AHeaderMayDemandWhatOnlyTheHostHas) {
  std::ofstream(folder_ / "timer.h") << "#ifndef HAVE_TIMER\n#error No timer is here.\n#endif\n"
                                        "#ifndef HALF\n#error HALF is undefined.\n#endif\n";
  const auto found =
      read("#include \"timer.h\"\n#include <absent.h>\n__global__ void f(float* x) { *x = HALF; }");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].open_macros, ElementsAre(SourceMacro{"HALF", 1}));
}

TEST_F(SourceReaderTest, AHeaderMayBeIncludedByItsOwnHeaders) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "a.cuh")
      << "#pragma once\n#include \"b.cuh\"\nstruct A { int n; };\n__global__ void f(A* x) { x->n = two(); }\n";
  std::ofstream(folder_ / "b.cuh") << "#pragma once\n#include \"a.cuh\"\n__device__ int two() { return 2; }\n";
  EXPECT_EQ(describe_source(nvrtc_, folder_ / "a.cuh", "").kernels.size(), 1U);
}

TEST_F(SourceReaderTest, AStructHasTheLayoutOfTheCompiler) {
  const auto found = read(
      "struct Rows { int n; const float* at; unsigned char flags[3]; };\n"
      "extern \"C\" __global__ void f(Rows rows, int2* out) { out[0].x = rows.n; }");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(
      found[0].layouts,
      ElementsAre(StructLayout{24, {{"n", "int", 0}, {"at", "float const*", 8}, {"flags", "char", 16, 3}}},
                  StructLayout{8, {{"x", "int", 0}, {"y", "int", 4}}}));
  EXPECT_THAT(read("__global__ void f(float4* x, void* y) { *x = float4(); }").front().layouts, IsEmpty());
}

TEST_F(SourceReaderTest, AnAccessorOfATensorIsAStructWithItsPointer) {
  const auto found = read(
      "#include <torch/extension.h>\nusing Rows = torch::PackedTensorAccessor32<float, 2, "
      "torch::RestrictPtrTraits>;\n"
      "__global__ void f(Rows x) { x[threadIdx.x][1] = x.size(0); }");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].layouts,
              ElementsAre(StructLayout{
                  24, {{"data_", "float*", 0}, {"sizes_", "int", 8, 2}, {"strides_", "int", 16, 2}}}));
}

TEST_F(SourceReaderTest, AnEnumByValueIsItsNumber) {
  EXPECT_THAT(read("enum class Mode : unsigned char { fast, slow };\nnamespace ours { enum Op { sum }; }\n"
                   "__global__ void f(int* x, Mode m, ours::Op op) { *x = m == Mode::slow ? op : 1; }")
                  .at(0)
                  .types,
              ElementsAre("int*", "char", "int"));
}

TEST_F(SourceReaderTest, KernelsInANamespaceWithoutANameAreNamedAsTheSourceDoes) {
  EXPECT_EQ(read("namespace ours { namespace { __global__ void f(int* x) { *x = 1; } } }").at(0).name,
            "ours::f");
}

TEST_F(SourceReaderTest, KernelsOfOneNameAreToldApartByTheirSymbols) {
  const std::string code =
      "__global__ void f(float* x) { *x = 1; }\n__global__ void f(int* x, int n) { *x = n; }\n";
  ASSERT_EQ(read(code).size(), 2U);
  const auto second = read(code, "_Z1fPii");
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].name, "_Z1fPii");
  EXPECT_THAT(second[0].types, ElementsAre("int*", "int"));
}

TEST_F(SourceReaderTest, TheProjectsOptionsAreRead) {
  for (const char* name : {".git", "src", "headers", "build"}) {
    fs::create_directories(folder_ / name);
  }
  std::ofstream(folder_ / "headers/tile.h") << "#define SIZE 16\n";
  std::ofstream(folder_ / "build/compile_commands.json")
      << R"([{"directory": ")" << (folder_ / "build").string()
      << R"(", "file": "../src/mine.cu", "command": "nvcc -I../headers -DTILE=8 -DELEMENT=double -DOTHER=1 -c mine.cu"}])";
  std::ofstream(folder_ / "src/mine.cu")
      << "#include <tile.h>\n__global__ void f(ELEMENT* x) { *x = SIZE * TILE; }\n";
  SourceKernel expected{"f", {"double*"}};
  expected.open_macros = {{"TILE", 8}};
  expected.include_folders = {{"../headers", ""}};
  expected.options = {"-DELEMENT=double", "-DOTHER=1"};
  expected.header_constants = "#define SIZE 16\n";
  EXPECT_THAT(kernels_in(folder_ / "src/mine.cu"), ElementsAre(expected));
}

TEST_F(SourceReaderTest, AMistakeInTheSourceHasFileAndLine) {
  EXPECT_THAT([&] { read("\n__global__ void f(float* x) { *x = y; }"); },
              ThrowsMessage<Error>(HasSubstr("mine.cu(2): error:")));
  EXPECT_THAT(read("// nothing"), IsEmpty());
}

// They stand in front of all headers. Those of NVIDIA take T and U for themselves.
TEST_F(SourceReaderTest, ADialMayHaveALetterForItsName) {
  const auto found = read("__global__ void f(float* out) { out[0] = B + D + F + V + N; }");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].open_macros.size(), 5U);
}

TEST_F(SourceReaderTest, TemplatesOfHeadersThatAreLaunchedAreOffered) {
  std::ofstream(folder_ / "tile.cuh")
      << "template <int TILE> __global__ void tile(float* out) { *out = TILE; }\n"
         "template <int TILE> __global__ void spare(float* out) {}\n";
  std::ofstream(folder_ / "mine.cu") << "#include \"tile.cuh\"\n"
                                        "__global__ void warm_up(float* out) { *out = 0; }\n"
                                        "template <int N> __global__ void own(float* out) { *out = N; }\n"
                                        "void run(float* out) {\n"
                                        "  warm_up<<<1, 32>>>(out);\n"
                                        "  tile<32><<<1, 32>>>(out);\n"
                                        "  own<4><<<1, 32>>>(out);\n"
                                        "}\n";
  EXPECT_THAT(describe_source(nvrtc_, folder_ / "mine.cu", "").instances_in_headers, ElementsAre("tile<32>"));
}

}  // namespace
}  // namespace rooftile::worker
