#include "analysis/source/manifest/new_manifest.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/manifest.hpp"
#include "analysis/model/model.hpp"
#include "analysis/source/manifest/guess_mark.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The made kernel.toml, read back.
Manifest made(const SourceKernel& kernel, const std::string& code = "") {
  const std::string text = new_manifest(kernel, "../mine.cu", code);
  return read_manifest("mine/kernel.toml", [&](const std::filesystem::path& file) {
    return file == "mine/kernel.toml" ? std::optional(text)
           : file == "mine.cu"        ? std::optional(code)
                                      : std::nullopt;
  });
}

std::vector<std::string> texts(const std::array<Expression, 3>& sides) {
  return {sides[0].text(), sides[1].text(), sides[2].text()};
}

TEST(NewManifest, ALaunchThatNoGpuAcceptsIsAGuessWithItsOwnNumbers) {
  const std::string kernel = "__global__ void add(float* x) { *x = 1; }\n";
  const struct {
    const char *launch, *origin;
  } rows[] = {
      {"add<<<8, 1280>>>(x);", "a guess: line 2 launches blocks of 1,280 threads, and a GPU takes 1,024"},
      {"add<<<dim3(1, 70000), 32>>>(x);",
       "a guess: line 2 launches 70,000 blocks along y, and a GPU takes 65,535"},
      {"add<<<8, 32, 300000>>>(x);",
       "a guess: line 2 asks for 300,000 bytes of shared memory per block, and a GPU has 232,448"},
      {"ad<<<8, 32>>>(x);", "a guess: line 2 launches ad instead of add"},
      {"add<<8, 32>>>(x);", "a guess: line 2 has << and >>>, and a launch has <<< and >>>"},
      {"add<<<8, 1024>>>(x);", "as in line 2 of mine.cu"},
      {"add<<<8, 8 * WARP>>>(x);", "as in line 2 of mine.cu"},
  };
  for (const auto& row : rows) {
    const std::string text =
        new_manifest({"add", {"float*"}}, "../mine.cu", kernel + "int main() { " + row.launch + " }");
    EXPECT_EQ(launch_origin(text), row.origin);
    EXPECT_TRUE(holds_guesses(text));
  }
}

TEST(NewManifest, OfARow) {
  const Manifest mine = made({"ours::sum", {"float const*", "double*", "int"}},
                             "__global__ void sum(const float* in, double* out, int n) {}");
  EXPECT_EQ(mine.entry, "ours::sum");
  EXPECT_EQ(mine.source, "mine.cu");
  EXPECT_EQ(mine.buffers.at(0).name, "in");
  EXPECT_EQ(mine.buffers.at(0).role, BufferRole::input);
  EXPECT_EQ(mine.buffers.at(1).element, "double");
  EXPECT_EQ(mine.buffers.at(1).role, BufferRole::in_out);
  EXPECT_EQ(mine.arguments.at(2).type, "int");
  EXPECT_FALSE(mine.states_work);
  const Model launched = model(mine, complete(mine, {{"n", 1000}}), 132);
  EXPECT_EQ(launched.launch.grid.x, 4);
  EXPECT_EQ(launched.launch.block.x, 256);
}

TEST(NewManifest, TheSourceMayHaveAnyName) {
  for (const std::string name : {"a \"b\".cu", "a\\b.cu", "a\nb = 1.cu", "a\x01\x7f.cu", "größe's.cu"}) {
    const std::string text = new_manifest({"f", {"float*", "int"}}, "../" + name, "");
    const Manifest read = read_manifest("mine/kernel.toml", [&](const std::filesystem::path& file) {
      return std::optional(file == "mine/kernel.toml" ? text : std::string());
    });
    EXPECT_EQ(read.source, name);
    EXPECT_TRUE(holds_guesses(text)) << name;
  }
}

TEST(NewManifest, CooperativeGroupsDoNotMakeALaunchOfThreeAxes) {
  const std::string body =
      "{ auto block = cooperative_groups::this_thread_block(); x[blockIdx.x] = block.size(); }";
  const Manifest mine = made({"f", {"float*", "int"}, 3}, "__global__ void f(float* x, int n) " + body);
  EXPECT_EQ(mine.grid[0].text(), "n");
  EXPECT_EQ(mine.grid[1].text(), "1");
  EXPECT_EQ(mine.block[0].text(), "256");
}

TEST(NewManifest, AMacroThatIsTheWidthOfAnItemMakesTheBuffersLarger) {
  const Manifest mine = made({"f", {"float*", "int"}},
                             "#ifndef DIM\n#define DIM 128\n#endif\n"
                             "__global__ void f(float* y, int n) { y[blockIdx.x * DIM + threadIdx.x] = 0; }");
  EXPECT_EQ(mine.buffers.at(0).count.text(), "n * DIM");
  EXPECT_EQ(mine.grid[0].text(), "n");
}

TEST(NewManifest, APointerBehindTheBeginningHasAnOffset) {
  const Manifest mine =
      made({"blur", {"float4 const*", "float*", "int"}},
           "__global__ void blur(const float4* in, float* out, int n) {}\n"
           "#define RADIUS 3\n"
           "int main() { cudaMalloc(&a, (n + 2 * RADIUS) * sizeof(float4)); cudaMalloc(&b, n * 4);\n"
           "  blur<<<n / 256, 256>>>(a + RADIUS, b, n); }");
  const Parameters at = {{"n", 1024}, {"RADIUS", 3}};
  EXPECT_EQ(mine.buffers.at(0).count.evaluate(at), 4 * 1030);
  EXPECT_EQ(mine.arguments.at(0).value.evaluate(at), 3 * 16);
  EXPECT_EQ(mine.arguments.at(1).value, Expression());
}

TEST(NewManifest, AScalarIsOfAnyTypeOfAnElement) {
  const Manifest mine = made({"f", {"float*", "__half", "__nv_bfloat16", "bool", "short", "int"}},
                             "__global__ void f(float* y, half a, __nv_bfloat16 b, bool c, short d, int n) {}");
  const char* const types[] = {"buffer", "half", "bfloat16", "char", "short", "int"};
  for (std::size_t i = 0; i < std::size(types); ++i) {
    EXPECT_EQ(mine.arguments.at(i).type, types[i]);
  }
}

TEST(NewManifest, WholeNumbersAreGuessedToBeIndices) {
  const Manifest mine = made(
      {"spmv", {"int const*", "int const*", "float const*", "float const*", "float*", "int", "int"}},
      "__global__ void spmv(const int* row_ptr, const int* cols, const float* vals, const float* x, float* y, "
      "int rows, int nnz) {}");
  const Parameters sizes = {{"rows", 10}, {"nnz", 40}};
  EXPECT_EQ(mine.buffers.at(0).count.evaluate(sizes), 11);
  EXPECT_EQ(mine.buffers.at(0).below.value().evaluate(sizes), 41);
  EXPECT_TRUE(mine.buffers.at(0).ascending);
  EXPECT_EQ(mine.buffers.at(1).below.value().evaluate(sizes), 40);
  EXPECT_FALSE(mine.buffers.at(1).ascending);
  EXPECT_FALSE(mine.buffers.at(2).below);
  EXPECT_EQ(mine.buffers.at(3).count.evaluate(sizes), 40) << "which columns index";
}

TEST(NewManifest, MacrosWithADefaultBecomeDials) {
  const Manifest mine =
      made({"mm", {"float const*", "float const*", "float*", "int", "int", "int"}, 2},
           "#ifndef TILE\n#define TILE 16\n#endif\n#ifndef PAD\n#define PAD 0\n#endif\n"
           "#ifndef ODD\n#define ODD 6\n#endif\n"
           "__global__ void mm(const float* A, const float* B, float* C, int M, int N, int K) {}");
  EXPECT_THAT(mine.parameter("TILE")->values, ElementsAre(4, 8, 16, 32, 64));
  EXPECT_THAT(mine.parameter("PAD")->values, ElementsAre(0, 1, 2, 4, 8));
  EXPECT_THAT(mine.parameter("ODD")->values, ElementsAre(6));
  EXPECT_THAT(texts(mine.block), ElementsAre("TILE", "TILE", "1"));
  EXPECT_THAT(texts(mine.grid), ElementsAre("ceil_div(N, TILE)", "ceil_div(M, TILE)", "1"));
  const Parameters sizes = complete(mine, {{"M", 64}, {"N", 256}, {"K", 128}});
  for (const Buffer& buffer : mine.buffers) {
    EXPECT_EQ(buffer.count.evaluate(sizes), 256 * 256) << "large enough, whichever sides are meant";
  }
}

TEST(NewManifest, NumbersThatTheSourceFixesKeepTheirValueUntilMoreAreGiven) {
  const Manifest mine = made({"mm", {"float const*", "float*"}, 2},
                             "#define TILE 16\nconstexpr int N = 1024, UNUSED = 3;\n"
                             "__global__ void mm(const float* in, float* out) { __shared__ float t[TILE]; }\n"
                             "int main() {\n"
                             "  float *a, *b;\n"
                             "  cudaMalloc(&a, N * N * sizeof(float));\n"
                             "  cudaMalloc(&b, N * N * sizeof(float));\n"
                             "  mm<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(a, b);\n"
                             "}\n");
  EXPECT_THAT(texts(mine.grid), ElementsAre("floor_div(N, TILE)", "floor_div(N, TILE)", "1"));
  EXPECT_THAT(texts(mine.block), ElementsAre("TILE", "TILE", "1"));
  EXPECT_EQ(mine.buffers.at(0).count.text(), "N * N");
  const Parameter& tile = *mine.parameter("TILE");
  EXPECT_EQ(tile.where, ParameterPlace::constant);
  EXPECT_EQ(tile.role, ParameterRole::dial);
  EXPECT_THAT(tile.values, ElementsAre(16));
  EXPECT_TRUE(tile.accepts(32));
  EXPECT_EQ(mine.parameter("N")->role, ParameterRole::size);
  EXPECT_EQ(mine.parameter("UNUSED"), nullptr);
}

TEST(NewManifest, ANumberThatTheSourceFixesIsADialWhereItLooksTuned) {
  const struct {
    const char *name, *line;
    ParameterRole role;
  } rows[] = {{"BLOCK", "", ParameterRole::dial},   {"TILE_X", "", ParameterRole::dial},
              {"BK", "", ParameterRole::dial},      {"R", "__shared__ float t[2][R + 1];", ParameterRole::dial},
              {"R", "", ParameterRole::size},       {"ROWS", "", ParameterRole::size},
              {"MAX_LOOP", "", ParameterRole::size}};
  for (const auto& row : rows) {
    const std::string name = row.name;
    const Manifest mine =
        made({"f", {"float*", "int"}}, "#define " + name + " 8\n__global__ void f(float* x, int n) { " +
                                           row.line + " x[0] = " + name + "; }");
    EXPECT_EQ(mine.parameter(name)->role, row.role) << name << row.line;
  }
}

TEST(NewManifest, BlocksFollowWhatTheKernelLooksAt) {
  const struct {
    SourceKernel kernel;
    std::vector<std::string> block;
  } rows[] = {
      {{"f", {"float*", "int"}, 1}, {"256", "1", "1"}},
      {{"f", {"float*", "int"}, 1, 128}, {"128", "1", "1"}},
      {{"f", {"float*", "int"}, 2}, {"16", "16", "1"}},
      {{"f", {"float*", "int", "int", "int"}, 3}, {"8", "8", "8"}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(texts(made(row.kernel).block), row.block) << row.kernel.dimensions;
  }
}

TEST(NewManifest, ABufferForEverySmIsGuessed) {
  const Manifest mine = made({"f", {"float*", "int"}},
                             "__global__ void f(float* out, int n) {}\n"
                             "int main() {\n  cudaDeviceProp prop; int blocks = prop.multiProcessorCount;\n"
                             "  float* out; cudaMalloc(&out, blocks * sizeof(float));\n"
                             "  f<<<blocks, 128>>>(out, 4096);\n}\n");
  EXPECT_EQ(mine.grid[0].text(), "sms");
  EXPECT_EQ(mine.buffers.at(0).count.text(), "n") << "a number of elements knows no GPU";
}

TEST(NewManifest, TheLaunchThatStandsInTheSourceIsTaken) {
  const std::string code =
      "__global__ void f(const float* in, float* out, int n, float by) {}\n"
      "int main() {\n  int N = 5000;\n  cudaMalloc(&a, N * sizeof(float));\n  dim3 block(128);\n"
      "  f<<<(N + 127) / block.x, block, 2 * sizeof(float)>>>(a, b, N, 0.5f);\n}\n";
  const SourceKernel kernel{"f", {"float const*", "float*", "int", "float"}};
  const Manifest mine = made(kernel, code);
  EXPECT_EQ(mine.grid[0].text(), "ceil_div(n, 128)");
  EXPECT_EQ(mine.block[0].text(), "128");
  EXPECT_EQ(mine.dynamic_shared_bytes.evaluate({}), 8);
  EXPECT_EQ(mine.buffers.at(0).count.text(), "n");
  const Parameters parameters = complete(mine, {});
  EXPECT_EQ(parameters.at("n"), 5000);
  EXPECT_EQ(parameters.at("by"), 0.5);
  const std::string text = new_manifest(kernel, "../mine.cu", code);
  EXPECT_THAT(text, HasSubstr("grid and block stand in its line 6"));
  EXPECT_THAT(text, HasSubstr("block = [\"128\"]  # as in line 6"));
  EXPECT_TRUE(holds_guesses(text)) << "the other buffer's size";
  EXPECT_EQ(launch_origin(text), "as in line 6 of mine.cu");
  EXPECT_EQ(launch_origin(new_manifest(kernel, "../mine.cu", "")), "a guess");
  EXPECT_EQ(launch_origin(without_guesses(text)), "");
  EXPECT_THAT(without_guesses(text), testing::StartsWith("# Made from ../mine.cu.\nsource = "));
}

TEST(NewManifest, ALaunchMayStandInAnotherFile) {
  SourceKernel kernel{"scale<16>", {"float*", "int"}};
  kernel.launched_by = {
      "../run.cu", "const int tile = 16;\nvoid run(float* x) {\n  scale<tile><<<7, tile * 4>>>(x, 448);\n}\n"};
  const std::string code = "template <int TILE>\n__global__ void scale(float* x, int n) {}\n";
  const Manifest mine = made(kernel, code);
  EXPECT_THAT(texts(mine.grid), ElementsAre("7", "1", "1"));
  EXPECT_THAT(texts(mine.block), ElementsAre("TILE * 4", "1", "1"));
  const std::string text = new_manifest(kernel, "../mine.cuh", code);
  EXPECT_EQ(launch_origin(text), "as in line 3 of ../run.cu");
  EXPECT_THAT(text, HasSubstr("grid = [\"7\"]  # as in line 3 of ../run.cu\n"));
}

TEST(NewManifest, AKernelThatWaitsForTheGridIsLaunchedCooperatively) {
  const std::string plain = "__global__ void f(float* x, int n) {}\n",
                    waits = "__global__ void f(float* x, int n) { cg::this_grid().sync(); }\n";
  const SourceKernel f{"f", {"float*", "int"}};
  EXPECT_TRUE(
      made(f, plain + "int main() { cudaLaunchCooperativeKernel((void*)f, 8, 64, args); }").cooperative);
  EXPECT_FALSE(made(f, plain + "int main() { f<<<8, 64>>>(x, n); }").cooperative);
  const Manifest waiting = made(f, waits);
  EXPECT_TRUE(waiting.cooperative);
  EXPECT_EQ(waiting.grid[0].text(), "sms") << "the blocks must be resident at once";
}

TEST(NewManifest, ParametersWithoutANameAreCalledByTheirPlace) {
  const Manifest mine = made({"f", {"float*", "float*", "int"}}, "__global__ void f(float*, float*, int) {}");
  EXPECT_EQ(mine.buffers.at(0).name, "p0");
  EXPECT_EQ(mine.buffers.at(1).name, "p1");
  EXPECT_EQ(mine.arguments.at(2).value.text(), "p2");
}

TEST(NewManifest, ASquareBeyondEveryMemoryIsARow) {
  const Manifest mine = made({"f", {"float*", "int", "int"}},
                             "__global__ void f(float* x, int n, int ranks) {}\n"
                             "int main() { int n = 20000000; f<<<8, 64>>>(x, n, ranks); }\n");
  EXPECT_EQ(mine.buffers.at(0).count.text(), "max(n, ranks)");
}

TEST(NewManifest, VariablesOfTheSourceAreListed) {
  SourceKernel kernel{"f", {"float*", "int"}};
  kernel.variables = {{"table", 36, true}, {"counter", 4, false}, {"rows", 24, true}};
  const Manifest mine = made(kernel,
                             "__constant__ float table[9];\n__device__ int counter;\n__constant__ Rows rows;\n"
                             "__global__ void f(float* x, int n) {}");
  ASSERT_EQ(mine.globals.size(), 3u);
  EXPECT_EQ(mine.globals[0].element, "float");
  EXPECT_EQ(mine.globals[0].fill, FillKind::random);
  EXPECT_EQ(mine.globals[1].element, "int");
  EXPECT_EQ(mine.globals[1].fill, FillKind::none) << "nobody knows what it counts";
  EXPECT_EQ(mine.globals[2].element, "char");
}

TEST(NewManifest, ACooperativeGridStartsAtASizeThatIsResident) {
  const std::pair<const char*, const char*> rows[] = {
      {"int main() { cudaLaunchCooperativeKernel((void*)f, blocks_by_occupancy, 64, args); }", "sms"},
      {"int main() { cudaLaunchCooperativeKernel((void*)f, 16, 64, args); }", "16"},
      {"int main() { cudaLaunchCooperativeKernel((void*)f, 100000, 64, args); }", "sms"},
      {"int main() { int n = 1 << 22; cudaLaunchCooperativeKernel((void*)f, n / 64, 64, args); }", "sms"},
      {"void run(int n) { cudaLaunchCooperativeKernel((void*)f, n / 64, 64, args); }", "floor_div(n, 64)"}};
  for (const auto& [host, grid] : rows) {
    const Manifest mine =
        made({"f", {"float*", "int"}}, std::string("__global__ void f(float* x, int n) {}\n") + host);
    EXPECT_EQ(mine.grid[0].text(), grid) << host;
    EXPECT_LE(model(mine, complete(mine, {}), 132).launch.grid.count() * 64, 132 * 1024) << host;
  }
}

TEST(NewManifest, WhatALaunchLeavesOpenBecomesADial) {
  const Manifest mine = made({"f", {"float*", "int"}},
                             "__global__ void f(float* x, int n) {}\n"
                             "void run(float* x, int n, int threads) { f<<<n / threads, threads>>>(x, n); }\n");
  EXPECT_EQ(mine.block[0].text(), "threads_");
  EXPECT_EQ(mine.parameter("threads_")->role, ParameterRole::dial);
  EXPECT_EQ(mine.parameter("threads_")->where, ParameterPlace::launch);
}

TEST(NewManifest, SharedMemoryThatGrowsWithASizeKeepsItSmall) {
  const Manifest mine =
      made({"f", {"float*", "int"}, 1, {}, true},
           "__global__ void f(float* x, int n) {}\nint main() { f<<<8, 32, 1024 * n>>>(x, n); }");
  EXPECT_EQ(mine.parameters.at(0).default_value.text(), "64");
}

TEST(NewManifest, ANumberOfAHeaderIsKnownToTheLaunch) {
  SourceKernel kernel{"f", {"float*", "int"}};
  kernel.header_constants = "#define WARP_SIZE 32\n";
  const Manifest mine =
      made(kernel, "__global__ void f(float* x, int n) {}\nint main() { f<<<n, 4 * WARP_SIZE>>>(x, n); }");
  EXPECT_EQ(mine.block[0].text(), "128");
}

TEST(NewManifest, ASizeIsNotCalledAsAParameterOfTheTemplate) {
  const Manifest mine = made({"f<10>", {"float*"}},
                             "template <int N> __global__ void f(float* x) {}\n"
                             "int main() { const int each = 10; f<each><<<4, 32>>>(x); }");
  EXPECT_EQ(mine.parameters.at(0).name, "N");
  EXPECT_EQ(mine.parameters.at(1).name, "SIZE");
}

TEST(NewManifest, DozensOfSizesAreNoTrouble) {
  SourceKernel kernel{"f", std::vector<std::string>(10, "float*")};
  std::string parameters = "float* a, float* b, float* c, float* d, float* e, float* f, float* g, float* h";
  parameters += ", float* i, float* j";
  for (int i = 0; i < 60; ++i) {
    kernel.types.emplace_back("int");
    parameters += fmt::format(", int the_number_of_elements_{}", i);
  }
  const Manifest mine = made(kernel, "__global__ void f(" + parameters + ") {}\n");
  EXPECT_GE(mine.buffers.at(0).count.evaluate(complete(mine, {})), 1024);
}

TEST(NewManifest, ABufferThatBeginsWithNoElementsIsGuessed) {
  const Manifest mine = made({"f", {"float*", "int"}},
                             "__global__ void f(float* x, int n) {}\n"
                             "int main(int, char** v) { int total = 0; float* d; for (;;) { total += 3; }\n"
                             "cudaMalloc(&d, total * 4); f<<<8, 32>>>(d, atoi(v[1])); }");
  EXPECT_EQ(mine.buffers.at(0).count.text(), "n");
}

TEST(NewManifest, ASizeOfZeroIsNoDefault) {
  const Manifest mine = made({"f", {"float*", "int"}},
                             "__global__ void f(float* x, int s) {}\nint main() { f<<<8, 64>>>(x, 0); }\n");
  EXPECT_GE(mine.buffers.at(0).count.evaluate(complete(mine, {})), 1);
}

TEST(NewManifest, SizesThatNobodyFixesAreAsLargeAsTheLaunchAllows) {
  const Manifest permute = made({"f", {"float*", "int", "int", "int", "int"}},
                                "__global__ void f(float* x, int B, int N, int H, int d) {}\n"
                                "void run(float* x, int B, int N, int H, int d) {\n"
                                "  f<<<B * N * H * d, 256>>>(x, B, N, H, d);\n}\n");
  const Parameters at = complete(permute, {});
  EXPECT_EQ(at.at("B"), 32) << "1,024 to the fourth power are too many blocks, and 64 take seconds";
  EXPECT_GE(permute.buffers.at(0).count.evaluate(at), 32.0 * 32 * 32 * 32 * 256) << "an element per thread";
  const Manifest shared = made({"f", {"float*"}},
                               "__global__ void f(float* x) {}\n"
                               "void run(float* x, int N, int ways) { f<<<N / (128 * ways), 128>>>(x); }\n");
  EXPECT_GE(model(shared, complete(shared, {}), 132).launch.grid.x, 1);
}

TEST(NewManifest, ALaunchThatNoGpuTakesIsNotRead) {
  const Manifest mine = made({"f", {"float*", "int"}},
                             "__global__ void f(float* x, int n) {}\nint main() { f<<<n, 4096>>>(x, n); }\n");
  EXPECT_EQ(mine.block[0].text(), "256");
}

TEST(NewManifest, TypesBecomeElementsAndArguments) {
  const Manifest mine =
      made({"f", {"float4 const*", "__half*", "uchar3*", "long", "float", "double"}, 1, {}, true});
  EXPECT_EQ(mine.buffers.at(0).count.evaluate({{"p3", 10}}), 40) << "four floats each";
  EXPECT_EQ(mine.buffers.at(1).element, "half");
  EXPECT_EQ(mine.buffers.at(2).element_bytes, 1);
  EXPECT_EQ(mine.buffers.at(2).count.evaluate({{"p3", 10}}), 30);
  EXPECT_EQ(mine.arguments.at(3).type, "long_long");
  EXPECT_EQ(mine.arguments.at(4).type, "float");
  EXPECT_EQ(mine.arguments.at(5).type, "double");
  EXPECT_EQ(mine.parameter("p4")->role, ParameterRole::scalar);
  EXPECT_GT(mine.dynamic_shared_bytes.evaluate({}), 0);
}

TEST(NewManifest, ItSaysThatItGuessesUntilAPersonConfirmsIt) {
  const std::string made_text = new_manifest({"f", {"float*"}}, "../mine.cu", "");
  EXPECT_TRUE(holds_guesses(made_text));
  const std::string confirmed = without_guesses(made_text);
  EXPECT_FALSE(holds_guesses(confirmed));
  EXPECT_THAT(confirmed, testing::StartsWith("# Made from ../mine.cu.\nsource = "));
  EXPECT_EQ(without_guesses(confirmed), confirmed);
}

TEST(NewManifest, ATypeThatNoArgumentHasIsNamedWithItsLine) {
  const std::string code = "template <class T>\n__global__ void f(int n,\n  X x) {}\n";
  const struct {
    const char *type, *declared, *told;
  } rows[] = {{"Params", "X x", "mine.cu(3): the parameter x of f is of the type Params"},
              {"float**", "float** x", "x of f is float**, a pointer to pointers"},
              {"Node const*", "const Node* x", "cannot fill a buffer of Node: pass its numbers"},
              {"unsigned long long", "cudaTextureObject_t x", "x of f is a texture or surface"}};
  for (const auto& row : rows) {
    const std::string here = std::string(code).replace(code.find("X x"), 3, row.declared);
    EXPECT_THAT(
        [&] {
          made({"f", {"int", row.type}}, here);
        },
        ThrowsMessage<Error>(HasSubstr(row.told)))
        << row.type;
  }
}

TEST(NewManifest, AStructByValueIsGivenMemberByMember) {
  SourceKernel kernel{"f", {"Matrix", "float4", "int"}};
  kernel.layouts = {{24, {{"width", "int", 0}, {"data", "float*", 8}, {"scale", "float", 16, 2}}},
                    {16, {{"x", "float", 0}, {"y", "float", 4}, {"z", "float", 8}, {"w", "float", 12}}},
                    {}};
  const Manifest mine = made(kernel, "__global__ void f(Matrix m, float4 v, int n) {}");
  ASSERT_EQ(mine.arguments.size(), 3U);
  const Argument& matrix = mine.arguments[0];
  EXPECT_EQ(matrix.type, "struct");
  EXPECT_EQ(matrix.bytes, 24);
  ASSERT_EQ(matrix.members.size(), 3U);
  EXPECT_EQ(matrix.members[1].name, "m_data");
  EXPECT_EQ(matrix.members[1].at, 8);
  EXPECT_EQ(matrix.members[2].times, 2);
  EXPECT_EQ(mine.parameter("m_width")->role, ParameterRole::size);
  EXPECT_EQ(mine.parameter("v_w")->role, ParameterRole::scalar);
  EXPECT_EQ(mine.arguments[2].type, "int");
}

TEST(NewManifest, ABufferOfStructsHoldsTheirNumbersOrBytesOfZero) {
  SourceKernel kernel{"f", {"Body*", "Node const*", "void*", "int"}};
  kernel.layouts = {{24, {{"at", "double", 0, 2}, {"mass", "double", 16}}},
                    {16, {{"key", "int", 0}, {"next", "double", 8}}},
                    {},
                    {}};
  const Manifest mine = made(kernel, "__global__ void f(Body* b, const Node* s, void* v, int n) {}");
  EXPECT_EQ(mine.buffers.at(0).element, "double");
  EXPECT_EQ(mine.buffers.at(0).count.text(), "3 * n");
  EXPECT_EQ(mine.buffers.at(1).element, "char");
  EXPECT_EQ(mine.buffers.at(1).count.text(), "16 * n");
  EXPECT_EQ(mine.buffers.at(1).below.value().evaluate({}), 1);
  EXPECT_EQ(mine.buffers.at(2).element, "char");
}

}  // namespace
}  // namespace rooftile
