#include "analysis/source/code/device_code.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"

namespace rooftile {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string left_of(const std::string& code) {
  return device_code({code}).front();
}

TEST(DeviceCode, OfAListingTheKernelAndWhatItNamesIsLeft) {
  const std::string code = R"(#include <vector>
#define CHECK(x) do { if (x) { printf("}"); } } while (0)
const int width = 16;
typedef struct { int rows; std::string name; } Report;
std::vector<float> values(100);
float* d_values = nullptr, *others;
int plan[] = {1, 2};
struct Matrix {
  int w;
  Matrix(int n) : w(n) { cudaMalloc(&w, n); }
  void print() const;
  __device__ float at(int i) const { return i + w; }
};
__device__ float twice(float x) { return 2 * x; }
__device__ float never(std::string x) { return 0; }
__global__ void scale(Matrix m, float* x) { x[width] = twice(m.at(0)); }
static void launch(std::vector<float>& v);
template <class T> void check(T result, char const* const func, int const line) { if (result) { exit(1); } }
extern "C" int main(int argc, char** argv) {
  scale<<<dim3(1, 1), 16>>>(Matrix(3), d_values);
#ifdef VERBOSE
  printf("{");
#endif
}
)";
  const std::string left = left_of(code);
  EXPECT_EQ(std::ranges::count(left, '\n'), std::ranges::count(code, '\n'));
  for (const char* kept :
       {"#include <vector>", "const int width = 16;", "struct Matrix {", "int w;", "float at(int i)",
        "float twice(float x)", "__global__ void scale", "#ifdef VERBOSE", "#endif"}) {
    EXPECT_THAT(left, HasSubstr(kept));
  }
  for (const char* dropped :
       {"std::", "main", "<<<", "cudaMalloc", "print()", "others", "plan", "Report", "check(T"}) {
    EXPECT_THAT(left, Not(HasSubstr(dropped)));
  }
  EXPECT_EQ(left.find("__global__"), code.find("__global__")) << "nothing moves";
}

TEST(DeviceCode, WhatIsKeptAndWhatIsNot) {
  const std::string kernel = "\n__global__ void f(Used* x) { x[0] = used(); }\n";
  const struct {
    const char* code;
    bool kept;
  } rows[] = {
      {"using Used = float;", true},
      {"using Other = std::vector<int>;", false},
      {"typedef void (*Used)(int);", true},
      {"typedef void (*Other)(Gone used);", false},
      {"enum { other, used };", true},
      {"namespace ours { struct Used {}; }", true},
      {"template <> struct Used<float> : Base { int a; };", true},
      {"constexpr int used() { return 1; }", true},
      {"int used() { return 1; }", false},
      {"HOST_DEVICE int used() { return 1; }", true},
      {"#define HD __host__ __device__\nHD int used() { return 1; }", true},
      {"#define GLOBAL(n) __global__ void n(int* x) {}\nGLOBAL(other)\n", true},
      {"#define LAUNCH(n) void launch_##n() {}\nLAUNCH(other)\n", false},
      {"template __global__ void g<int>(int*);", true},
      {"template void launch<int>(int*);", false},
      {"template class Other<int>;", false},
      {"__global__ void other(int* y) { }", true},
      {"__device__ V operator+(V a, V b) { return a; }", true},
      {"__constant__ float used[64];", true},
      {"dim3 used(16, 16);", false},
      {"const int used(3);", true},
      {"using namespace std;", true},
      {"using namespace torch::indexing;", false},
      {"namespace ours {} using namespace ours;", true},
      {"PYBIND11_MODULE(NAME, m) { m.def(\"f\", &used); }", false},
      {"int __attribute__((noinline)) used() { return 1; }", false},
      {"inline void __used(int a) { exit(a); }", false},
      {"struct __align__(16) Used { float x; };", true},
      {"template <class T> struct Used : decltype(base((T*)0)) {};", true},
      {"struct Used used() { return {}; }", false},
      {"template <class T, int N = (4 > 3)> __device__ T used() { return N; }", true},
      {"#define ALIAS(n) using n = float;\nALIAS(Used)\n", true},
  };
  for (const auto& row : rows) {
    const std::string last = std::string(row.code).substr(std::string(row.code).rfind('\n') + 1);
    EXPECT_EQ(left_of(row.code + kernel).find(row.code) == 0, row.kept) << row.code;
    EXPECT_THAT(left_of(row.code + kernel), HasSubstr(kernel)) << row.code;
  }
}

TEST(DeviceCode, BracesOfAnInitializerAreNoBody) {
  const std::string left = left_of(
      "struct Used {\n  __device__ Used() : a{1}, b{2} {}\n  Used(std::string) : a{3} {}\n  int a, b;\n};\n"
      "__global__ void f(Used* x) {}\n");
  EXPECT_THAT(left, HasSubstr("Used() : a{1}, b{2} {}"));
  EXPECT_THAT(left, Not(HasSubstr("a{3}")));
}

TEST(DeviceCode, AHeaderIsReadWithTheSourceThatNamesIt) {
  const auto left =
      device_code({"#include \"h.h\"\n__global__ void f(int* x) { *x = SIZE + used; }",
                   "#define SIZE other\nconst int used = 1, other = 2;\nvoid host() { exit(1); }\n"});
  EXPECT_EQ(left[1], "#define SIZE other\nconst int used = 1, other = 2;\n" + std::string(24, ' ') + "\n");
}

TEST(DeviceCode, BundledKernelsHaveNothingElse) {
  for (const Manifest& kernel : platform::load_catalogue_with({}).kernels) {
    if (kernel.library.empty()) {
      const std::string code = platform::read_text(kernel.source).value();
      EXPECT_EQ(left_of(code), code) << kernel.name;
    }
  }
}

}  // namespace
}  // namespace rooftile
