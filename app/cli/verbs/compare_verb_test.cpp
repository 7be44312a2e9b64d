// rooftile-cli compare, with the scripted worker.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using CompareVerb = CommandLine;

const Arguments two_tiles = {"compare", "sgemm_tiled", "sgemm_tiled", "--a=TILE=16", "--b=TILE=32"};

TEST_F(CompareVerb, SaysWhichIsSlowerAndEndsWithOne) {
  const Outcome outcome = run_scripted(two_tiles, "--slow TILE=32");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.out, HasSubstr("B takes 1.1 times as long as A (95 %: 1.1 to 1.1): slower."));
  EXPECT_THAT(outcome.out, HasSubstr("20 rounds"));
}

TEST_F(CompareVerb, LetsBBeSlowerWithinTheTolerance) {
  Arguments tolerant = two_tiles;
  tolerant.push_back("--tolerance=0.15");
  const Outcome outcome = run_scripted(tolerant, "--slow TILE=32");
  EXPECT_EQ(outcome.how, ok);
  EXPECT_THAT(outcome.out, HasSubstr("no difference"));
}

TEST_F(CompareVerb, AFasterBIsNoFailure) {
  EXPECT_THAT(run_scripted(two_tiles, "--slow TILE=16").out, HasSubstr("faster."));
  EXPECT_EQ(run_scripted(two_tiles, "--slow TILE=16").how, ok);
}

TEST_F(CompareVerb, LaunchesInTurnsEachFirstInEveryOtherRound) {
  Arguments six = two_tiles;
  six.push_back("--rounds=6");
  run_scripted(six, "--heard " + file("heard").string());
  std::string order;
  for (const std::string& line : lines_of(text_of("heard"))) {
    const json request = json::parse(line);
    if (request.value("request", "") == "measure") {
      order += request.at("parameters").at("TILE") == 16 ? 'A' : 'B';
    }
  }
  EXPECT_EQ(order, "ABBAABBAABBA");
}

TEST_F(CompareVerb, JsonHoldsTheRatioAndBothLaunches) {
  Arguments words = two_tiles;
  words.insert(words.begin(), "--json");
  const json all = json::parse(run_scripted(words, "--slow TILE=32").out);
  EXPECT_DOUBLE_EQ(all.at("ratio"), 1.1);
  EXPECT_EQ(all.at("answer"), "slower");
  EXPECT_EQ(all.at("a").at("point").at("parameters").at("TILE"), 16);
  EXPECT_EQ(all.at("b").at("point").at("parameters").at("TILE"), 32);
}

TEST_F(CompareVerb, TakesASourceAsARevisionHasIt) {
  write("repo/mine.cu",
        "#include \"common/factor.cuh\"\nextern \"C\" __global__ void mine(float* a) { *a = factor; }\n");
  write("repo/common/factor.cuh", "constexpr float factor = 2;\n");
  write("repo/mine/kernel.toml",
        "source = \"../mine.cu\"\nbuffer = [{ name = \"a\", count = 1, role = \"output\" }]\n[launch]\n"
        "arguments = [{ buffer = \"a\" }]\ngrid = [1]\nblock = [1]\n");
  const std::string repository = file("repo").string();
  for (const Arguments& words :
       {Arguments{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "-m", "first"}}) {
    Arguments command = {"git", "-C", repository, "-c", "user.name=t", "-c", "user.email=t@example.org"};
    command.insert(command.end(), words.begin(), words.end());
    ASSERT_EQ(platform::run_program(command, {}).status, 0);
  }
  const std::string now = file("repo/mine.cu").string();
  const Outcome seen = run_scripted({"--json", "compare", now + "@HEAD", now, "--rounds=6"});
  ASSERT_EQ(seen.how, ok) << seen.err;
  EXPECT_EQ(json::parse(seen.out).at("a").at("point").at("kernel"), "mine@HEAD");
  EXPECT_EQ(json::parse(seen.out).at("b").at("point").at("kernel"), "mine");
  EXPECT_THAT(run_scripted({"compare", now + "@nowhere", now}).err,
              HasSubstr("mine.cu cannot be taken from revision nowhere"));
  EXPECT_THAT(run_scripted({"compare", file("repo/other.cu").string() + "@HEAD", now}).err,
              HasSubstr("HEAD had no"));
}

TEST_F(CompareVerb, ComparesNothingThatIsWrongOrCannotBeAsked) {
  const Outcome wrong = run_scripted(two_tiles, "--wrong TILE=32");
  EXPECT_EQ(wrong.how, failed);
  EXPECT_THAT(wrong.err, HasSubstr("sgemm_tiled cannot be compared: The result is wrong"));
  EXPECT_EQ(run_scripted({"compare", "sgemm_tiled", "nope"}).how, misused);
  EXPECT_EQ(run_scripted({"compare", "sgemm_tiled", "sgemm_tiled", "--b=TYLE=8"}).how, misused);
  EXPECT_EQ(run_scripted({"compare", "sgemm_tiled", "sgemm_tiled", "--rounds=5"}).how, misused);
  EXPECT_THAT(run_scripted(two_tiles, "--no-device").err, HasSubstr("no device"));
}

}  // namespace
}  // namespace rooftile::cli
