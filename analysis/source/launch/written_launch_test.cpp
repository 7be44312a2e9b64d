#include "analysis/source/launch/written_launch.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Texts = std::vector<std::string>;

const SourceKernel sum{"sum", {"float const*", "float*", "int"}};
const std::string sum_code = "__global__ void sum(const float* in, float* out, int n) { out[0] = in[n]; }\n";

WrittenLaunch read(const std::string& host, const std::vector<SourceMacro>& dials = {}) {
  return written_launch(sum_code + host, sum, {"in", "out", "n"}, dials).value_or(WrittenLaunch{});
}

TEST(WrittenLaunch, GridAndBlockAreExpressionsOfTheKernelsParameters) {
  const struct {
    const char* host;
    Texts grid, block;
  } rows[] = {
      {"int main() { sum<<<4, 256>>>(a, b, 1024); }", {"4"}, {"256"}},
      {"int main() { int N = 1 << 20; int threads = 256; int blocks = (N + threads - 1) / threads;\n"
       "sum<<<blocks, threads>>>(a, b, N); }",
       {"ceil_div(n, 256)"},
       {"256"}},
      {"int main() { dim3 block(16, 16); dim3 grid((w + block.x - 1) / block.x, h / 16); sum <<< grid, block "
       ">>> (a, b, w); }",
       {"ceil_div(n, 16)", "floor_div(h, 16)"},
       {"16", "16"}},
      {"#define THREADS 128\nint main() { sum<<<dim3(N / THREADS), dim3(THREADS, 1, 1), 0, stream>>>(a, b, N); "
       "}",
       {"floor_div(n, 128)"},
       {"128"}},
      {"const int tile = 8;\nvoid go(int m) { dim3 b = dim3(tile, tile); sum<<<CEIL_DIV(m * m, tile), b>>>(a, "
       "b, m * m); }",
       {"ceil_div(n, 8)"},
       {"8", "8"}},
      {"void go(float* a, int m, const int block_size) { sum<<<ceil_div(m, block_size), block_size>>>(a, b, "
       "m); }",
       {"ceil_div(n, block_size)"},
       {"block_size"}},
      {"void go(int m, int size) { sum<<<m / size, size>>>(a, b, m); }\nint main() { int s = 64; go(100, s); }",
       {"floor_div(n, 64)"},
       {"64"}},
      {"int main() { cudaDeviceProp prop; sum<<<2 * prop.multiProcessorCount, 512>>>(a, b, 5); }",
       {"2 * sms"},
       {"512"}},
      {"int main() { cudaLaunchCooperativeKernel((void*)sum, dim3(8), 64, args, 0); }", {"8"}, {"64"}},
      {"int main() { int blocks = 3; blocks = 5; sum<<<blocks, 32>>>(a, b, 1); blocks = 9; }", {"5"}, {"32"}},
      {"int main() { sum<<<count(), 32>>>(a, b, 1); }", {"count"}, {"32"}},
      {"int main() { sum<<<prop.maxGridSize[1], 32>>>(a, b, 1); }", {"prop_maxGridSize_1"}, {"32"}},
      {"int main() { int best = 0; cudaOccupancyMaxPotentialBlockSize(&blocks, &best, sum);\n"
       "sum<<<8, best>>>(a, b, 1); }",
       {"8"},
       {"best"}},
      {"#define RUN(N, ...) N##m<<<4, \\\n 64>>>(__VA_ARGS__)\nint main() { RUN(su, a, b, 1); }",
       {"4"},
       {"64"}},
      {"int main() { auto kernel = &sum; kernel<<<5, 32>>>(a, b, 1); }", {"5"}, {"32"}},
      {"void run(void (*f)(float*), int t) { f<<<6, t>>>(a, b, 1); }\n"
       "int main() { run(other, 8); run(sum, 16); }",
       {"6"},
       {"16"}},
      {"dim3 grid_of(int m) { return dim3(m / 32, 2); }\nint main() { int N = 64; sum<<<grid_of(N), 32>>>(a, "
       "b, 7); }",
       {"2", "2"},
       {"32"}},
      {"template <int A, int B> void run(int m) { sum<<<m / A, B>>>(a, b, m); }\n"
       "int main() { run<64, 32>(1024); }",
       {"floor_div(n, 64)"},
       {"32"}},
      {"int main() { int t = 0; choose(t); sum<<<8, t>>>(a, b, 1); }", {"8"}, {"t"}},
      {"int main() { dim3 g; g.x = 3; g.y = 4; sum<<<g, 32>>>(a, b, 1); }", {"3", "4"}, {"32"}},
      {"int main() { cudaLaunchConfig_t c; c.gridDim = dim3(9); c.blockDim = 128;\n"
       "cudaLaunchKernelEx(&c, sum, a, b, 1); }",
       {"9"},
       {"128"}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(read(row.host).grid, row.grid) << row.host;
    EXPECT_EQ(read(row.host).block, row.block) << row.host;
  }
}

TEST(WrittenLaunch, WhatTheSourceFixesAndWhatItDoesNot) {
  const WrittenLaunch launch = read(
      "// sum<<<1, 1>>>(a, b, 2)\nint main() {\n  int N = 1000;\n  size_t bytes = N * sizeof(float);\n"
      "  cudaMalloc(&d_in, bytes);\n  CHECK(cudaMalloc((void**)&d_out, (N + 1) * 4));\n"
      "  sum<<<rows, threads, threads * sizeof(float)>>>(d_in, d_out, N);\n}\n");
  EXPECT_EQ(launch.line, 8);
  EXPECT_EQ(launch.values.at("n"), 1000);
  EXPECT_EQ(manifest_text(elements_of(launch.bytes.at("in"), 4)), "n");
  EXPECT_EQ(manifest_text(elements_of(launch.bytes.at("out"), 4)), "n + 1");
  EXPECT_EQ(launch.shared_bytes, "threads_ * 4");
  EXPECT_THAT(launch.free, ElementsAre("rows", "threads_")) << "threads are those of a launch in a kernel.toml";
}

TEST(WrittenLaunch, APointerMayPointBehindTheBeginningOfItsMemory) {
  const struct {
    const char* given;
    std::string skipped;  // before it; empty: nothing, or not to be read
  } rows[] = {{"d_in + RADIUS", "RADIUS"},
              {"&d_in[2 * RADIUS]", "2 * RADIUS"},
              {"d_in + n * RADIUS", "n * RADIUS"},
              {"d_in", ""},
              {"&d_in[0]", ""},
              {"d_in + start", ""}};
  for (const auto& row : rows) {
    const WrittenLaunch launch = read(
        fmt::format(
            "int main() {{ cudaMalloc(&d_in, (n + 2 * RADIUS) * sizeof(float));\n sum<<<4, 32>>>({}, b, n); }}",
            row.given),
        {{"RADIUS", 3}});
    ASSERT_TRUE(launch.bytes.contains("in")) << row.given;
    const auto skipped = launch.skipped.find("in");
    EXPECT_EQ(skipped == launch.skipped.end() ? "" : manifest_text(skipped->second), row.skipped) << row.given;
  }
}

TEST(WrittenLaunch, DialsStayInTheExpressions) {
  const WrittenLaunch launch = read(
      "#define TILE 16\nint main() { dim3 b(TILE, TILE); sum<<<m / TILE, b>>>(a, b, m); }", {{"TILE", 16}});
  EXPECT_THAT(launch.grid, ElementsAre("floor_div(n, TILE)"));
  EXPECT_THAT(launch.block, ElementsAre("TILE", "TILE"));
  EXPECT_THAT(launch.free, IsEmpty());
}

TEST(WrittenLaunch, InstancesThatAreLaunchedAreOfferedBeforeGuesses) {
  const std::string code =
      "template <class T, int N> __global__ void reduce(T* x) {}\ntemplate <int N> __global__ void other(int* "
      "x) {}\n"
      "template <class T> void run(T* x) { reduce<T, 64><<<1, 2>>>(x); }\n"
      "int main() { const int size = 4 * 32; reduce<float, size><<<1, size>>>(a);\n"
      "reduce<unsigned int, 8><<<1, 2>>>(b); reduce<float, 128><<<1, 2>>>(b); }";
  EXPECT_THAT(instances_to_offer(code),
              ElementsAre("reduce<float, 128>", "reduce<unsigned int, 8>", "other<4>"));
  EXPECT_THAT(instances_to_offer("template <int N> __global__ void a(int* x) {}\n"
                                 "template <int N> __global__ void b(int* x) {}\n"
                                 "int main() { b<8><<<1, 2>>>(x); }"),
              ElementsAre("b<8>", "a<4>"));
  EXPECT_THAT(instances_to_offer(
                  "template <int N, bool WIDE> __global__ void a(int* x) {}\n"
                  "int main() { const int n = 4; const bool wide = false; a<2 * n, wide> <<<1, 2>>>(x); }"),
              ElementsAre("a<8, false>"));
  EXPECT_THAT(instances_to_offer("template <class T> __global__ void a(T* x) {}\n"
                                 "int main() { typedef long real; a<real><<<1, 2>>>(x); }"),
              ElementsAre("a<long>"));
  EXPECT_THAT(instances_to_offer("template <class T, class I, int TILE> __global__ void a(T* x, I* i) {}\n"
                                 "template <class T> void run(T* x) { constexpr unsigned tile{64U}; a<T, "
                                 "idx_t, tile><<<1, 2>>>(x, i); }\n"
                                 "template <class T> void go(T* x) { a<T, int, 8><<<1, 2>>>(x, i); }\n"
                                 "template void go<double>(double* x);"),
              ElementsAre("a<double, int, 8>"))
      << "an explicit instantiation names what the function's launch is compiled for";
  EXPECT_THAT(
      instances_to_offer("template <class T, class Index, int TILE> __global__ void a(T* x, Index* i) {}\n"
                         "template <class T> void run(T* x) { constexpr unsigned tile{64U}; a<T, idx_t, "
                         "tile><<<1, 2>>>(x, i); }\n"),
      ElementsAre("a<float, int, 64>"))
      << "guesses stand for what the launch leaves open";
  EXPECT_THAT(instances_to_offer("a << b; c >>> d; x<<<"), IsEmpty());
}

TEST(WrittenLaunch, ATypeOrATruthThatTheHostNamesIsThatOfTheInstance) {
  const std::string code =
      "template <class T, bool WIDE> __global__ void copy(T* c) {}\n"
      "void run(char* c) { typedef char T; const bool WIDE = true; copy<T, WIDE><<<1, 1>>>(c); }\n";
  EXPECT_EQ(written_launch(code, {"copy<char, true>", {"char*"}}, {"c"}, {}).value().kernel,
            "copy<char, true>");
}

TEST(WrittenLaunch, AnInstanceWithFewerArgumentsThanTheLaunchIsNoFault) {
  const std::string code =
      "template <class T, class U = int> __global__ void copy(T* c) {}\n"
      "void run(char* c) { typedef char T; copy<T, T><<<1, 1>>>(c); }\n";
  const auto launch = written_launch(code, {"copy<char>", {"char*"}}, {"c"}, {});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->kernel, "copy<char>");
}

TEST(WrittenLaunch, NumbersOfATemplateThatTheSourceNamesAreDials) {
  const std::string code =
      "template <class T, int BM, const int BN> __global__ void mm(T* c, int n) {}\n"
      "void run(float* c, int n) { const uint rows = 64, BN = 32; mm<float, 8, 8><<<1, 1>>>(c, n);\n"
      "mm<float, rows, BN><<<CEIL_DIV(n, rows), dim3(rows * BN / 8)>>>(c, n); }\n";
  const SourceKernel kernel{"mm<float, 64, 32>", {"float*", "int"}};
  const WrittenLaunch launch = written_launch(code, kernel, {"c", "n"}, {}).value();
  EXPECT_EQ(launch.line, 3);
  EXPECT_EQ(launch.kernel, "mm<float, BM, BN>");
  EXPECT_THAT(launch.template_dials, ElementsAre(SourceMacro{"BM", 64}, SourceMacro{"BN", 32}));
  EXPECT_THAT(launch.grid, ElementsAre("ceil_div(n, BM)"));
  EXPECT_THAT(launch.block, ElementsAre("floor_div(BM * BN, 8)"));
}

TEST(WrittenLaunch, ANumberOfATemplateMayRestOnWhatTheKernelIsGiven) {
  const std::string code =
      "template <int BLOCK, int PER_THREAD> __global__ void reduce(float* x, int n) {}\n"
      "int main() { int N = 1 << 20; const int threads = 256; const int each = N / 1024 / threads;\n"
      "reduce<threads, each><<<1024, threads>>>(x, N); }\n";
  const WrittenLaunch launch =
      written_launch(code, {"reduce<256, 4>", {"float*", "int"}}, {"x", "n"}, {}).value();
  EXPECT_EQ(launch.kernel, "reduce<BLOCK, PER_THREAD>");
  EXPECT_THAT(launch.template_dials, ElementsAre(SourceMacro{"BLOCK", 256}, SourceMacro{"PER_THREAD", 4}));
}

TEST(WrittenLaunch, OneArgumentMayStandForSeveralParameters) {
  const WrittenLaunch launch =
      written_launch("__global__ void f(int m, int n) {}\nint main() { int N = 8; f<<<N, N>>>(N, N); }",
                     {"f", {"int", "int"}}, {"m", "n"}, {})
          .value();
  EXPECT_EQ(launch.values, (std::map<std::string, double>{{"m", 8}, {"n", 8}}));
  EXPECT_THAT(launch.grid, ElementsAre("m"));
}

TEST(WrittenLaunch, AKernelIsLaunchedByItsName) {
  const std::string code = "void f() { ours::add<float><<<1, 2>>>(a); }  // sum<<<1, 2>>>(a)";
  EXPECT_TRUE(is_launched(code, "add<float>"));
  EXPECT_FALSE(is_launched(code, "sum"));
}

TEST(WrittenLaunch, AnExpressionThatNobodyCouldReadIsNotFollowed) {
  std::string host = "int main() { int b0 = z;";
  for (int i = 1; i < 10; ++i) {
    host += fmt::format(" int b{} = b{} + b{};", i, i - 1, i - 1);
  }
  EXPECT_THAT(read(host + " sum<<<b3, 32>>>(x, y, 1); }").grid,
              ElementsAre("((z + z) + (z + z)) + ((z + z) + (z + z))"));
  EXPECT_THAT(read(host + " sum<<<b9, 32>>>(x, y, 1); }").grid, IsEmpty());
}

TEST(WrittenLaunch, NamesThatLeadInACircleEnd) {
  EXPECT_THAT(read("int main() { int a = b; int b = a; sum<<<a, 32>>>(x, y, 1); }").block, ElementsAre("32"));
}

TEST(InstancesToOffer, AStructOfTheSourceMayStandForAType) {
  const std::string code =
      "template <typename Traits, int THREADS> __global__ void norm(int n) {}\n"
      "template <class T> void run() { norm<T, 64><<<1, 64>>>(3); }\n"
      "void go() { using Mine = Pair<Half>; norm<Half, 320><<<1, 320>>>(3); norm<Mine, 320><<<1, 320>>>(3); "
      "SWITCH(norm<scalar_t, 320><<<1, 320>>>(3)); }\n";
  EXPECT_THAT(instances_to_offer(code), ElementsAre("norm<Half, 320>"));
}

}  // namespace
}  // namespace rooftile
