// rooftile-cli kernels and doctor: what is there, and what works.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using KernelsVerb = CommandLine;

TEST_F(KernelsVerb, KernelsDescribesOne) {
  EXPECT_EQ(
      run({"kernels", "sgemm_tiled"}).out,
      "sgemm_tiled  Tiled matrix multiply: a square tile in shared memory\n"
      "  TILE   Tile           dial (macro)       4 8 16 32                                 default 16\n"
      "  PAD_A  Padding of A   dial (macro)       0 1 2 3 4 5 6 7 8                         default 0     "
      "floats\n"
      "  PAD_B  Padding of B   dial (macro)       0 1 2 3 4 5 6 7 8                         default 0     "
      "floats\n"
      "  N      Size           size (argument)    256 512 1024 2048 4096 8192 (1 to 32768)  default 2048\n"
      "  M      Rows of C      size (argument)    256 512 1024 2048 4096 8192 (1 to 32768)  default N\n"
      "  K      Inner size     size (argument)    256 512 1024 2048 4096 8192 (1 to 32768)  default N\n"
      "  EXTRA  Extra columns  size (argument)    0 1 4 32 (0 to 4096)                      default 0\n"
      "  alpha  alpha          scalar (argument)  1 2 0.5 -1                                default 1\n"
      "  beta   beta           scalar (argument)  0 1 0.5 -1                                default 0\n");
  const json kernel = json::parse(run({"kernels", "sgemm_tiled", "--json"}).out).at("kernels").at(0);
  EXPECT_EQ(kernel.at("family"), "multiply");
  EXPECT_EQ(kernel.at("constraints").at(0),
            json({{"require", "TILE * TILE <= 1024"}, {"reason", "A block has at most 1,024 threads."}}));
  std::vector<std::string> roles, places;
  for (const json& parameter : kernel.at("parameters")) {
    roles.push_back(parameter.at("role"));
    places.push_back(parameter.at("where"));
  }
  EXPECT_THAT(roles, ElementsAre("dial", "dial", "dial", "size", "size", "size", "size", "scalar", "scalar"));
  EXPECT_THAT(places, ElementsAre("macro", "macro", "macro", "argument", "argument", "argument", "argument",
                                  "argument", "argument"));
  EXPECT_EQ(kernel.at("parameters").at(3).at("range"), json({1, 32768}));
  EXPECT_FALSE(kernel.at("parameters").at(0).contains("range"));
  EXPECT_EQ(kernel.at("parameters").at(0).at("default"), 16);
  EXPECT_EQ(kernel.at("parameters").at(4).at("default"), "N") << "it follows another one";
}

TEST_F(KernelsVerb, AFolderOfKernelsIsOneWordWhereverItStands) {
  fs::create_directories(file("mine"));
  const std::string mine = file("mine").string(), expected = run({"kernels", "sgemm_tiled"}).out;
  for (const Arguments& words : {Arguments{"kernels", "--kernels", mine, "sgemm_tiled"},
                                 Arguments{"kernels", "sgemm_tiled", "--kernels", mine},
                                 Arguments{"--kernels", mine, "--kernels", mine, "kernels", "sgemm_tiled"}}) {
    EXPECT_EQ(run(words).out, expected);
  }
}

TEST_F(KernelsVerb, CombinationsAreALineEachAndAllLegal) {
  const auto lines = lines_of(run({"kernels", "sgemm_tiled", "--combinations"}).out);
  EXPECT_EQ(lines.size(), 4u * 9 * 9);
  const json document = json::parse(run({"kernels", "sgemm_tiled", "--combinations", "--json"}).out);
  EXPECT_EQ(document.at("combinations").size(), lines.size());
  for (const std::string& line : lines) {
    const json one = json::parse(line);
    const double tile = one.at("parameters").at("TILE");
    EXPECT_EQ(one.at("kernel"), "sgemm_tiled");
    EXPECT_EQ(one.at("launch").at("block"), json({tile, tile, 1})) << line;
    EXPECT_EQ(one.at("launch").at("cluster"), json({1, 1, 1})) << line;
  }
  EXPECT_EQ(lines_of(run({"kernels", "histogram_cluster", "--combinations"}).out).empty(), false);
  const Outcome softmax = run({"kernels", "row_softmax", "--combinations"});
  EXPECT_EQ(
      lines_of(softmax.out).at(0),
      R"({"kernel":"row_softmax","launch":{"block":[32,1,1],"cluster":[1,1,1]},"parameters":{"BLOCK":32,"CARVEOUT":-1,)"
      R"("M":16384,"N":4096,"STAGED":0}})");
}

TEST_F(KernelsVerb, DoctorShowsEachPartWithItsFix) {
  const auto parts = lines_of(run_scripted({"doctor"}, "--no-device").out);
  ASSERT_EQ(parts.size(), 6u);
  EXPECT_THAT(parts.at(0),
              testing::MatchesRegex("data      ready    [0-9]+ kernels and [0-9]+ GPUs are known."));
  EXPECT_EQ(parts.at(2), "compiler  ready    The compiler is ready.");
  EXPECT_EQ(parts.at(3), "                   libnvrtc.so.13");
  EXPECT_EQ(parts.at(4), "device    missing  There is no GPU.");
  EXPECT_EQ(parts.at(5), "                   Use a machine with a GPU.");
  const json all = json::parse(run_scripted({"doctor", "--json"}).out).at("facilities");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all.at(2), json({{"name", "device"},
                             {"state", "ready"},
                             {"sentence", "Test GPU is ready."},
                             {"fix", ""},
                             {"detail", ""}}));
}

TEST_F(KernelsVerb, DoctorTellsWhyAWorkerDidNotStart) {
  const Outcome outcome = run_scripted({"doctor"}, "--crash-at-start");
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("worker"), HasSubstr("failed"), HasSubstr("cannot open the device")));
}

}  // namespace
}  // namespace rooftile::cli
