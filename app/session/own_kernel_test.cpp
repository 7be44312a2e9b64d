#include "app/session/own_kernel.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "analysis/ptx/work/test_kernel.hpp"
#include "app/session/sources/fitted_manifest.hpp"

namespace rooftile {
namespace {

class OwnKernelFiles : public testing::Test {
 protected:
  std::filesystem::path source(const std::string& code) const {
    std::ofstream(folder_.path() / "mine.cu") << code;
    return folder_.path() / "mine.cu";
  }

  const platform::TemporaryFolder folder_;
};

TEST_F(OwnKernelFiles, AnInstanceWhoseArgumentIsADialIsFoundAgain) {
  const auto file = source(
      "template <class T, int TILE> __global__ void sum(T* x, int n) {}\n"
      "int main() { const int tile = 16; sum<float, tile><<<8, tile>>>(x, 100); }\n");
  const SourceKernel of_16{"sum<float, 16>", {"float*", "int"}}, of_32{"sum<float, 32>", {"float*", "int"}};
  EXPECT_EQ(make_kernel(of_16, file, Named::yes).name, "sum");
  EXPECT_EQ(make_kernel(of_16, file, Named::yes).name, "sum") << "its entry is sum<float, TILE>";
  EXPECT_EQ(make_kernel(of_32, file, Named::yes).name, "sum_2");
}

TEST_F(OwnKernelFiles, FoldersOfHeadersAndMacrosStandInTheKernelToml) {
  const auto file = source("__global__ void f(float* x, int n) {}\n");
  SourceKernel kernel{"f", {"float*", "int"}};
  kernel.include_folders = {{"../common", "helper.h"}, {"inc", ""}};
  kernel.options = {"-DT=float"};
  make_kernel(kernel, file, Named::no);
  std::stringstream text;
  text << std::ifstream(folder_.path() / "mine" / "kernel.toml").rdbuf();
  EXPECT_THAT(text.str(),
              testing::HasSubstr("include = [\"../../common\", \"../inc\"]  # found for helper.h\n"));
  EXPECT_THAT(text.str(), testing::HasSubstr("options = [\"-DT=float\"]\n"));
  EXPECT_THAT(
      [&] {
        own_kernel({}, file, usual_launch_limit, {}, {{}, {"-DT=int"}});
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("kernel.toml is there already")));
}

// The thread of each of n elements works on one that is `factor` times as far, or that its number names.
std::string strided_body(const std::string& number, int factor) {
  return fmt::format(R"(
	setp.ge.s32 	%p1, %r2, %r1;
	@%p1 bra 	$end;
	mul.wide.s32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.u32 	%r6, [%rd4];
	mul.wide.s32 	%rd5, {}, {};
	add.s64 	%rd6, %rd2, %rd5;
	st.global.u32 	[%rd6], %r6;
$end:
	ret;)",
                     number, 4 * factor);
}

TEST_F(OwnKernelFiles, GuessesHoldAgainstTheCompiledCode) {
  const std::string code = "__global__ void kernel(const int* in, float* out, int n) {}\n";
  const auto file = source(code);
  SourceKernel kernel{"kernel", {"int const*", "float*", "int"}};
  kernel.symbol = "kernel";
  const struct {
    std::string body, has;
  } rows[] = {{strided_body("%r2", 1), "count = \"n\"\nrole = \"in_out\""},
              {strided_body("%r2", 3), "count = \"3 * (n)\"\nrole = \"in_out\""},
              {strided_body("%r2", 1024), "default = 524288\n"},
              {strided_body("%r6", 1), "below = \"n\""},
              {strided_body("%r6", 16), "below = \"ceil_div(n, 16)\""},
              {"this is no code", "count = \"n\"\nrole = \"in_out\""}};
  for (const auto& [body, has] : rows) {
    kernel.ptx = ptx::kernel_text(body);
    const std::string text =
        fitted_manifest(kernel, "../mine.cu", folder_.path() / "mine" / "kernel.toml", code);
    EXPECT_THAT(text, testing::HasSubstr(has)) << body;
  }
}

TEST_F(OwnKernelFiles, AMatrixOfTheSizeOfARowIsGuessedSmaller) {
  const std::string code =
      "__global__ void f(float* a, int n) { a[blockIdx.x] = 1; }\n"
      "int main(int, char** v) {\n  int n = atoi(v[1]);\n  float* a;\n"
      "  cudaMalloc(&a, sizeof(float) * n * n);\n  f<<<(n + 255) / 256, 256>>>(a, n);\n}\n";
  const auto file = source(code);
  const std::string text =
      fitted_manifest({"f", {"float*", "int"}}, "../mine.cu", folder_.path() / "mine" / "kernel.toml", code);
  EXPECT_THAT(text, testing::HasSubstr("count = \"n * n\""));
  EXPECT_THAT(text, testing::HasSubstr("default = 32768"));
}

TEST_F(OwnKernelFiles, AParameterOfATemplateIsNoMacro) {
  const auto file = source("template <class T, class U, int TILE> __global__ void sum(T* x, U* y) {}\n");
  const std::pair<const char*, const char*> rows[] = {
      {"-DU=half",
       "U is a parameter of the template sum: name the instance, --kernel \"sum<float, half, 16>\"."},
      {"-DTILE=8", "name the instance, --kernel \"sum<float, float, 8>\"."}};
  for (const auto& [option, sentence] : rows) {
    EXPECT_THAT(
        [&] {
          own_kernel({}, file, usual_launch_limit, {}, {{}, {option}});
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr(sentence)));
  }
}

TEST_F(OwnKernelFiles, AConstantIsNoMacro) {
  const struct {
    const char *line, *sentence;
  } rows[] = {
      {"static constexpr int ROWS = 4;",
       "ROWS is 4 in line 2 of mine.cu, which no macro replaces: say ROWS=8 behind the file, not -DROWS=8."},
      {"#define ROWS 4", "ROWS is 4 in line 2 of mine.cu"},
      {"static constexpr int ROWS = 2 * 2;", "ROWS is a constant in line 2 of mine.cu"},
  };
  for (const auto& row : rows) {
    const auto file =
        source(fmt::format("// ROWS = 8\n{}\n__global__ void f(float* x) {{ x[ROWS] = 1; }}\n", row.line));
    EXPECT_THAT(
        [&] {
          own_kernel({}, file, usual_launch_limit, {}, {{}, {"-DROWS=8"}});
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr(row.sentence)));
  }
}

}  // namespace
}  // namespace rooftile
