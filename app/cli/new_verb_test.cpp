// rooftile-cli new: from a source of somebody's own to a kernel that every verb knows.
#include <gmock/gmock.h>

#include "analysis/platform/text_file.hpp"
#include "app/cli/test_program.hpp"

namespace rooftile::cli {
namespace {

using ::testing::HasSubstr;

using NewVerb = CommandLine;

constexpr const char* description =
    R"({"kernels":[{"name":"sum","types":["float const*","float*","int"],"dimensions":1,"dynamic_shared":false}]})";

TEST_F(NewVerb, MakesAKernelThatOtherVerbsKnow) {
  write("own/mine.cu",
        "extern \"C\" __global__ void sum(const float* in, float* out, int n) { out[threadIdx.x] = in[n]; }");
  write("description", description);
  const std::string source = file("own/mine.cu").string();
  const Outcome made =
      run_scripted({"new", "mine", "--from", source}, "--description " + file("description").string());
  ASSERT_EQ(made.how, ok) << made.err;
  EXPECT_THAT(made.out, HasSubstr("measure mine"));
  EXPECT_THAT(platform::read_text(file("own/mine/kernel.toml")).value(), HasSubstr("{ buffer = \"in\" }"));
  const Outcome listed = run({"--kernels", file("own").string(), "kernels", "mine"});
  EXPECT_EQ(listed.how, ok) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("n "));
  const Outcome measured = run_scripted({"--kernels", file("own").string(), "measure", "mine"});
  EXPECT_EQ(measured.how, ok) << measured.err;
}

TEST_F(NewVerb, ASourceIsAKernelWhereverOneIsNamed) {
  write("description", description);
  write("own/mine.cu", "__global__ void sum(const float* in, float* out, int n) {}");
  const std::string source = file("own/mine.cu").string(),
                    script = "--description " + file("description").string();
  for (int i = 0; i < 2; ++i) {  // made, and found
    const Outcome measured = run_scripted({"measure", source, "n=1024"}, script);
    EXPECT_EQ(measured.how, ok) << measured.err;
    EXPECT_THAT(measured.out, HasSubstr("mine  n=1024"));
  }
  write("own/broken.cu", "");
  const Outcome refused = run_scripted({"measure", file("own/broken.cu").string()});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("broken.cu(1): error"));
}

TEST_F(NewVerb, OfSeveralKernelsOneIsChosen) {
  write("description", R"({"kernels":[{"name":"a","types":[],"dimensions":1,"dynamic_shared":false},
                                      {"name":"b","types":[],"dimensions":1,"dynamic_shared":false}]})");
  std::string one_line = platform::read_text(file("description")).value();
  std::erase(one_line, '\n');
  write("description", one_line);
  write("own/mine.cu", "");
  const Outcome refused = run_scripted({"new", "mine", "--from", file("own/mine.cu").string()},
                                       "--description " + file("description").string());
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("has 2 kernels, a, b. Choose one: rooftile-cli new NAME --from"));
}

TEST_F(NewVerb, WhatIsThereAlreadyIsLeftAlone) {
  write("own/mine.cu", "");
  write("own/mine/kernel.toml", "mine");
  write("description", description);
  const Outcome refused = run_scripted({"new", "mine", "--from", file("own/mine.cu").string()},
                                       "--description " + file("description").string());
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("kernel.toml is there already"));
  EXPECT_EQ(platform::read_text(file("own/mine/kernel.toml")), "mine");
}

TEST_F(NewVerb, WhatTheCompilerSaysIsToldAndNothingIsMade) {
  write("own/mine.cu", "broken");
  const Outcome refused = run_scripted({"new", "mine", "--from", file("own/mine.cu").string()});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("mine.cu(1): error: the source does not compile"));
  EXPECT_FALSE(fs::exists(file("own/mine")));
}

}  // namespace
}  // namespace rooftile::cli
