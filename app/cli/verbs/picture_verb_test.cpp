// Banks and sectors of compiled kernels, at known answers. The compiler needs no GPU; a build without CUDA has
// none.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class PictureVerb : public CommandLine {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(platform::executable_directory() / "rooftile-worker")) {
      GTEST_SKIP() << "no worker was built";
    }
  }
  nlohmann::json picture(Arguments words) const {
    words.insert(words.begin(), "picture");
    words.insert(words.end(), {"--gpu", "4090", "--json"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.how, ok) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }
};

TEST_F(PictureVerb, ATransposedTileTakes32WavefrontsAndPaddedOne) {
  const Arguments dearest = {"transpose_tiled", "TILE=32"};
  for (const auto& [padding, wavefronts] : {std::pair("PAD=0", 32), {"PAD=1", 1}, {"PAD=2", 2}}) {
    Arguments words = dearest;
    words.insert(words.begin() + 2, padding);
    for (const char* warp : {"0", "3"}) {
      Arguments of_warp = words;
      of_warp.insert(of_warp.end(), {"--warp", warp});
      const nlohmann::json found = picture(of_warp);
      EXPECT_EQ(found["wavefronts"], wavefronts) << padding << found;
      EXPECT_GT(found["warps"], 3);
    }
  }
}

// Eight rows of A at one column, and four words of B for all of them.
TEST_F(PictureVerb, FourThreadsWideANaiveMultiplyTakes4AndAHalfSectors) {
  double sectors = 0;
  for (const char* access : {"load, line 21: for (int k = 0; k < K; ++k) sum += a[k] * b[(lon...",
                             "load, line 21: for (int k = 0; k < K; ++k) sum += a[k] * b[(lon... (2)"}) {
    const nlohmann::json found =
        picture({"sgemm_naive", "BLOCK_X=4", "--of", "sectors", "--access", access, "--step", "7"});
    EXPECT_EQ(found["step"], 7) << found;
    EXPECT_EQ(found["steps"], 2048) << "K";
    sectors += found["sectors"].get<double>();
  }
  EXPECT_EQ(sectors / 2, 4.5);
}

TEST_F(PictureVerb, ATiledMultiplyWalksAlongKWithItsTiles) {
  const nlohmann::json found = picture({"sgemm_tiled", "TILE=32", "N=1024", "--of", "tile", "--step", "32"});
  EXPECT_EQ(found["steps"], 1024 / 32) << found;
  EXPECT_EQ(found["loaded_bytes"], 2 * 4 * 32 * 1024.0) << "a tile row of A and a tile column of B";
  EXPECT_EQ(found["tiles"][0]["extent"], "rows 512 to 543, columns 0 to 1,023");
  EXPECT_EQ(found["tiles"][1]["extent"], "rows 0 to 1,023, columns 512 to 543");
  EXPECT_EQ(found["tiles"][2]["extent"], "rows 512 to 543, columns 512 to 543");
}

// In the picture of the first access, whichever it is, warps meet only where a barrier is missing.
TEST_F(PictureVerb, ABarrierLeftOutIsARaceWhereALoadAndAStoreMeet) {
  for (const auto& [barriers, races] :
       {std::pair("BARRIERS=0", false), {"BARRIERS=1", true}, {"BARRIERS=2", true}}) {
    const nlohmann::json found = picture({"sgemm_race", barriers});
    EXPECT_EQ(found["racing_words"] > 0, races) << barriers << found;
  }
}

TEST_F(PictureVerb, TheFileIsAPictureWithTheSameWords) {
  const std::filesystem::path out = file("banks.svg");
  const nlohmann::json found = picture({"transpose_tiled", "PAD=0", "-o", out.string()});
  const std::string page = platform::read_text(out).value_or("");
  EXPECT_THAT(page, StartsWith("<svg "));
  EXPECT_THAT(found["access"], StartsWith("load, line 41: "));
  EXPECT_THAT(page, HasSubstr("load, line 41: "));
}

TEST_F(PictureVerb, AnAccessThatIsNotThereIsRefusedWithThoseThatAre) {
  const Outcome outcome = run({"picture", "transpose_tiled", "--gpu", "4090", "--access", "load x"});
  EXPECT_EQ(outcome.how, misused);
  EXPECT_THAT(outcome.err, HasSubstr("There is no access \"load x\". There are: "));
  EXPECT_THAT(outcome.err, HasSubstr("load, line 41: "));
}

}  // namespace
}  // namespace rooftile::cli
