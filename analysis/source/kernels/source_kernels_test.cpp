#include "analysis/source/kernels/source_kernels.hpp"

#include <gmock/gmock.h>

#include "analysis/source/kernels/declared_parameters.hpp"
#include "analysis/source/kernels/kernel_templates.hpp"
#include "analysis/source/kernels/thread_use.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SourceKernels, TravelAsALine) {
  const std::vector<SourceKernel> kernels = {{"ours::sum", {"float const*", "int"}, 1, 256, false},
                                             {"reduce<float, 256>", {}, 3, {}, true}};
  const SourceDescription both = parse_source_description(to_line({kernels, {"tile<32>"}}));
  EXPECT_EQ(both.kernels, kernels);
  EXPECT_THAT(both.instances_in_headers, ElementsAre("tile<32>"));
  SourceKernel tuned{"f", {"int"}};
  tuned.open_macros = {{"BLOCK", 256}, {"TILE", 2}};
  tuned.names = {"n"};
  tuned.layouts = {{16, {{"width", "int", 0}, {"v", "float", 4, 3}}}};
  tuned.include_folders = {{"../common", "tile.h"}};
  tuned.options = {"-DT=float"};
  tuned.variables = {{"ours::table", 36, true}};
  EXPECT_THAT(parse_source_description(to_line({.kernels = {tuned}})).kernels, ElementsAre(tuned));
  const LaunchingFile runner{"../runner.cu", "sum<<<1, 32>>>(x);\n"};
  const SourceDescription launched = parse_source_description(to_line({kernels, {}, runner}));
  EXPECT_EQ(launched.launched_by, runner);
  EXPECT_EQ(launched.kernels[1].launched_by, runner);
  for (const char* line : {"", "{}", "{\"kernels\":[{\"name\":1}]}", "no JSON"}) {
    EXPECT_THROW(parse_source_description(line), Error) << line;
  }
}

TEST(SourceKernels, MacrosWithADefaultAreThoseThatACompilerMayReplace) {
  EXPECT_THAT(macros_with_default("#ifndef TILE\n#define TILE 16\n#endif\n"),
              ElementsAre(SourceMacro{"TILE", 16}));
  EXPECT_THAT(macros_with_default("  #  ifndef PAD\n  # define PAD (0)  // none\n#endif\n#define M 3\n"),
              ElementsAre(SourceMacro{"PAD", 0}));
  EXPECT_THAT(macros_with_default("#ifndef GUARD_H\n#define GUARD_H\n#ifndef A\n#define B 1\n"), IsEmpty());
  EXPECT_THAT(macros_with_default("// #ifndef TILE\n// #define TILE 16\n/* #ifndef T\n#define T 1\n*/"),
              IsEmpty());
}

TEST(SourceKernels, OfATemplateAnInstanceIsGuessed) {
  const std::pair<const char*, std::vector<std::string>> rows[] = {
      {"template <class T, int THREADS>\n__global__ void __launch_bounds__(THREADS) reduce(const T* in) {}",
       {"reduce<float, 256>"}},
      {"namespace a { template<typename T, int TILE = 8, bool PADDED, int K> __global__ void mm(T* a) {} }",
       {"a::mm<float, 8, true, 4>"}},
      {"namespace a { struct S {}; namespace b::c {\ntemplate <int N> __global__ void f(int* p) {}\n} }\n"
       "template <int N> __global__ void g(int* p) {}",
       {"a::b::c::f<4>", "g<4>"}},
      {"template <class Index, typename key_type, typename InputIt> __global__ void f(Index i, InputIt x) {}",
       {"f<int, int, float*>"}},
      {"#include <cuda_fp16.h>\ntemplate <class T> __global__ void half_of(T* a) {}", {"half_of<__half>"}},
      {"template <class A, class B = pair<int, A>> __global__ void f(A* a, B* b) {}",
       {"f<float, pair<int, A>>"}},
      {"template <class T> __device__ T twice(T a) { return 2 * a; }\n__global__ void f(float* a) {}", {}},
      {"template <int BLOCK> __global__ void f(float* a) { __shared__ float s[BLOCK * BLOCK]; }", {"f<32>"}},
      {"template <int N> __global__ void __launch_bounds__(N, MIN(N, 8)) f(float* a) {}", {"f<4>"}},
      {"template <class T>\n__global__ void\nLAUNCH_BOUNDS (T_THREADS, T_BLOCKS)\nratt(const T* a) {}",
       {"ratt<float>"}},
      {"// template <class T> __global__ void f(T* a) {}", {}},
      {"template <class T> __global__ void f(T* a);", {}},
      {"namespace a { enum class Op { sum, most }; template <Op OP> __global__ void f(int* x) {} }",
       {"a::f<(a::Op)0>"}},
      {"template <class T", {}},
      {"", {}}};
  for (const auto& [code, instances] : rows) {
    EXPECT_EQ(template_instances(code), instances) << code;
  }
}

TEST(SourceKernels, NamesOfParametersAreReadFromTheText) {
  const struct {
    const char* code;
    SourceKernel kernel;
    std::vector<std::string> names;
  } rows[] = {
      {"__global__ void sum(const float* __restrict__ in, float *out, int n) {}",
       {"sum", {"float const*", "float*", "int"}},
       {"in", "out", "n"}},
      {"template <class T> __global__ void __launch_bounds__(256) ours_sum(T* a /* , b */,\n  int n[]) {}",
       {"a::ours_sum<float>", {"float*", "int*"}},
       {"a", "n"}},
      {"__global__ void presum(int a) {} __global__ void sum(int b) {}", {"sum", {"int"}}, {"b"}},
      {"__global__ void sum(unsigned long long most = 1000ULL) {}", {"sum", {"unsigned long long"}}, {"most"}},
      {"__global__ void sum(int b) {}", {"_ZN4ours3sumEi", {"int"}}, {"b"}},
      {"__global__ void sum(pair<int, float> both) {}", {"sum", {"pair<int, float>"}}, {"both"}},
      {"__global__ void sum(float*, int);\n__global__ void sum(float* a, int n) {}",
       {"sum", {"float*", "int"}},
       {"a", "n"}},
      {"__global__ void sum(float* a) {}\n__global__ void sum(int* b, int n) {}",
       {"_Z3sumPii", {"int*", "int"}},
       {"b", "n"}},
      {"__global__ void none() {}", {"sum", {"int"}}, {}},
      {"__global__ void sum(int a, int b) {}", {"sum", {"int"}}, {}},  // another of that name
      {"", {"sum", {"int"}}, {}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(parameter_names(row.code, row.kernel), row.names) << row.code;
  }
}

TEST(SourceKernels, TheTextSaysHowParametersAreDeclared) {
  const auto parameters = declared_parameters(
      "template <class T> __global__ void ours(const T* __restrict__\n in, size_t n, float f, double d,\n"
      "  unsigned int u, int a[4], uint64_t w) {}",
      "a::ours<float>");
  std::vector<std::string> told;
  for (const auto& [name, declaration, type] : parameters) {
    told.push_back(name + ": " + declaration + ": " + type);
  }
  EXPECT_THAT(told, testing::ElementsAre("in: const T* __restrict__ in: buffer", "n: size_t n: long_long",
                                         "f: float f: float", "d: double d: double", "u: unsigned int u: int",
                                         "a: int a[4]: buffer", "w: uint64_t w: long_long"));
  EXPECT_THAT(declared_parameters("__global__ void none() {}", "none"), testing::IsEmpty());
}

TEST(SourceKernels, AParameterMayHaveNoName) {
  const std::pair<const char*, const char*> rows[] = {{"float*", ""},
                                                      {"float* a", "a"},
                                                      {"int", ""},
                                                      {"unsigned int", ""},
                                                      {"const size_t", ""},
                                                      {"const size_t n", "n"},
                                                      {"half", ""},
                                                      {"ns::half", ""},
                                                      {"ns::half h", "h"},
                                                      {"pair<int, float>", ""},
                                                      {"const float&", ""},
                                                      {"struct S", ""},
                                                      {"struct S s", "s"},
                                                      {"const float", ""},
                                                      {"Matrix", ""},
                                                      {"float (&a)[3]", "a"},
                                                      {"float* __restrict__", ""},
                                                      {"int n = 3", "n"},
                                                      {"int = 3", ""},
                                                      {"float a[4]", "a"}};
  for (const auto& [declaration, name] : rows) {
    const auto parameters =
        declared_parameters(std::string("__global__ void f(") + declaration + ", int last) {}", "f");
    ASSERT_EQ(parameters.size(), 2u) << declaration;
    EXPECT_EQ(parameters[0].name, name) << declaration;
    EXPECT_EQ(parameters[1].name, "last") << declaration;
  }
  EXPECT_THAT(declared_parameters("__global__ void f(void) {}", "f"), IsEmpty());
}

TEST(SourceKernels, TheTextSaysTheTypesOfItsVariables) {
  const std::string code =
      "#define SIZE 9\n__constant__ float plain[SIZE];\nstatic __device__ unsigned int counter = 0, other;\n"
      "namespace ours { __device__ __constant__ const float4 vectors[4]; }\n"
      "__constant__ __align__(16) Rows rows;\n__device__ float twice(float plains) { return counter; }";
  const std::pair<const char*, const char*> rows[] = {{"plain", "float"},        {"counter", "unsigned int"},
                                                      {"other", "unsigned int"}, {"ours::vectors", "float4"},
                                                      {"rows", "Rows"},          {"none", ""}};
  for (const auto& [name, type] : rows) {
    EXPECT_EQ(type_of_variable(code, name), type) << name;
  }
}

TEST(SourceKernels, TheTextSaysWhoWorksOnAnItem) {
  const std::pair<const char*, ItemOwner> rows[] = {
      {"int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = n;", ItemOwner::thread},
      {"int i = threadIdx.x + blockDim.x * blockIdx.x; y[i] = n;", ItemOwner::thread},
      {"int i = blockIdx.x * TILE + threadIdx.x; y[i] = n;", ItemOwner::thread},
      {"int b = blockIdx.x; y[b * 256 + threadIdx.x] = n;", ItemOwner::thread},
      {"y[threadIdx.x] = n;", ItemOwner::thread},
      {"int row = blockIdx.x; for (int c = threadIdx.x; c < n; c += 256) y[row * n + c] = 0;",
       ItemOwner::block},
      {"float* to = y + (size_t)blockIdx.x * n; to[threadIdx.x] = 0;", ItemOwner::block},
      {"y += n * (size_t)blockIdx.x; y[threadIdx.x] = 0;", ItemOwner::block},
      {"if (threadIdx.x == 0) y[blockIdx.x] = n;  // blockIdx.x * 256", ItemOwner::block},
      {"int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; y[row] = n;", ItemOwner::warp},
      {"int row = (blockIdx.x * 256 + threadIdx.x) >> 5; y[row] = n;", ItemOwner::warp},
      {"int t = blockIdx.x * blockDim.x + threadIdx.x; int row = t / warpSize; y[row] = n;", ItemOwner::warp},
      {"int t = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32; y[t] = warp;",
       ItemOwner::thread},
  };
  for (const auto& [body, owner] : rows) {
    const std::string code = std::string("__global__ void f(float* y, int n) { ") + body + "\n}";
    EXPECT_EQ(item_use(code, "f").owner, owner) << body;
  }
  EXPECT_EQ(item_use("int f;", "f").owner, ItemOwner::thread);
  const ItemUse wide =
      item_use("__global__ void f(float* y) { int t = blockIdx.x; y[t * DIM + threadIdx.x] = 0; }", "f");
  EXPECT_EQ(wide.owner, ItemOwner::block);
  EXPECT_EQ(wide.width, "DIM");
}

TEST(SourceKernels, TheTextSaysHowManyThreadsABlockHas) {
  const std::pair<const char*, std::array<std::string, 3>> rows[] = {
      {"int i = blockIdx.x * 32 + threadIdx.x, j = threadIdx.y + (TILE * blockIdx.y);", {"32", "TILE", ""}},
      {"int bx = blockIdx.x, tx = threadIdx.x, z = blockIdx.z; int i = bx * 64 + tx + z * 4;", {"64", "", ""}},
      {"int i = blockIdx.x * blockDim.x + threadIdx.x;", {"blockDim.x", "", ""}},
      {"y[blockIdx.x * 32 + blockIdx.y] = threadIdx.x;", {"", "", ""}},
      {"int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;"
       "for (int j = 0; j < 32; j += 8) y[(r + j) * n + c] = t[threadIdx.x][threadIdx.y + j];",
       {"32", "8", ""}},
      {"int c = blockIdx.x * 32 + threadIdx.x; for (int k = 0; k < 32; k += 4) s += t[k];", {"32", "", ""}},
  };
  for (const auto& [body, sides] : rows) {
    const std::string code = std::string("__global__ void f(float* y, int n) { ") + body + "\n}";
    EXPECT_EQ(block_sides(code, "f"), sides) << body;
  }
}

TEST(SourceKernels, ALongCommentAmongParametersIsPassedOver) {
  const std::string comment = "/* " + std::string(1 << 20, 'a') + " */";
  const auto parameters = declared_parameters("__global__ void f(float* y " + comment + ") {}", "f");
  ASSERT_EQ(parameters.size(), 1u);
  EXPECT_EQ(parameters[0].declaration, "float* y");
}

TEST(SourceKernels, AMacroBeyondEveryNumberIsNoDial) {
  const std::string digits(400, '9');
  EXPECT_THAT(macros_with_default("#ifndef A\n#define A " + digits + "\n#ifndef B\n#define B 2\n"),
              ElementsAre(SourceMacro{"B", 2}));
}

TEST(SourceKernels, AWordWithoutEndInABodyIsNoTrouble) {
  const std::string word(1 << 20, 'a');
  const std::string code = "__global__ void f(float* y) { int i = blockIdx.x; float " + word + " = 1; }";
  EXPECT_EQ(item_use(code, "f").owner, ItemOwner::block);
  EXPECT_EQ(dimensions_named(code, "f"), 1);
  const std::string below = "__global__ void f() { " + std::string(1 << 20, ' ') + "int j = threadIdx.y; }";
  EXPECT_EQ(dimensions_named(below, "f"), 2) << "the whole body is read";
}

TEST(SourceKernels, TheTextNamesAxes) {
  EXPECT_EQ(dimensions_named("__global__ void f() { int i = threadIdx.x; } int blockIdx.z;", "f"), 1);
  EXPECT_EQ(dimensions_named("__global__ void f() { int i = blockDim.y; }", "f"), 2);
  EXPECT_EQ(dimensions_named("template <int N> __global__ void f() { g(blockIdx.z); }", "f<4>"), 3);
}

TEST(SourceKernels, KernelsOfATextAreCounted) {
  EXPECT_EQ(kernels_declared("// __global__\nvoid f() {}"), 0u);
  EXPECT_EQ(kernels_declared("__global__ void a() {}\ntemplate <int N> __global__ void b() {}"), 2u);
  EXPECT_EQ(base_name("ours::sum<float, ns::half>"), "sum");
}

TEST(SourceKernels, TheParametersOfATemplate) {
  const std::string code =
      "template <class T, int TILE = 4> __global__ void f(T* x) {}\n__global__ void g() {}";
  EXPECT_THAT(template_parameters(code, "ours::f<float, 3>"), ElementsAre("class T", " int TILE = 4"));
  EXPECT_THAT(template_parameters(code, "g"), IsEmpty());
}

TEST(DeclaredParameters, BehindAnIfAreThereOrNotAsTheCompilerSays) {
  const std::string code = "__global__ void pad(float* out, int n\n#if (TEXTURE)\n, Handle in\n#endif\n) {}";
  EXPECT_THAT(parameter_names(code, {"pad", {"float*", "int"}}), ElementsAre("out", "n"));
  EXPECT_THAT(parameter_names(code, {"pad", {"float*", "int", "Handle"}}), ElementsAre("out", "n", "in"));
}

}  // namespace
}  // namespace rooftile
