#include "app/session/own_kernel.hpp"

#include <gmock/gmock.h>

#include <fstream>

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

}  // namespace
}  // namespace rooftile
