#include "analysis/model/model.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/combinations.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::HasSubstr;

constexpr int sms = 132;

Manifest bundled(const std::string& name) {
  return find_kernel(platform::load_catalogue_with({}).kernels, name);
}

Model modelled(const std::string& kernel, const Parameters& given) {
  const Manifest manifest = bundled(kernel);
  return model(manifest, complete(manifest, given), sms);
}

TEST(Model, LaunchCoversTheMatrix) {
  const Model square = modelled("sgemm_tiled", {{"TILE", 32}, {"N", 2048}});
  EXPECT_EQ(square.launch, (Launch{{64, 64, 1}, {32, 32, 1}, 0}));
  const Model ragged = modelled("sgemm_tiled", {{"TILE", 16}, {"N", 17}, {"M", 33}, {"K", 5}});
  EXPECT_EQ(ragged.launch, (Launch{{2, 3, 1}, {16, 16, 1}, 0}));
}

TEST(Model, ACarveoutIsPreferredWhereTheDialSaysOne) {
  const auto carveout = [](const Parameters& given) {
    return modelled("row_softmax", given).launch.carveout_percent;
  };
  EXPECT_EQ(carveout({{"CARVEOUT", -1}}), std::nullopt);
  EXPECT_EQ(carveout({{"CARVEOUT", 0}}), 0);
  EXPECT_EQ(carveout({{"CARVEOUT", 75}}), 75);
  EXPECT_EQ(modelled("sgemm_tiled", {}).launch.carveout_percent, std::nullopt) << "it has no such dial";
  Manifest manifest = bundled("row_softmax");
  manifest.carveout = Expression("101", {});
  EXPECT_THAT([&] { launch_of(manifest, complete(manifest, {}), sms); },
              testing::ThrowsMessage<Error>(HasSubstr("expected a whole number from -1 to 100")));
}

TEST(Model, MatrixMultiplyDoesTwoFlopsAStepAndOneAnOutput) {
  constexpr double n = 2048;
  EXPECT_EQ(modelled("sgemm_tiled", {{"N", n}}).flops, Flops{2 * n * n * n + n * n});
  EXPECT_EQ(modelled("sgemm_naive", {{"N", n}}).flops, Flops{2 * n * n * n + n * n});
  EXPECT_EQ(modelled("sgemm_tiled", {{"N", n}, {"beta", 1}}).flops, Flops{2 * n * n * n + 3 * n * n});
}

TEST(Model, WorkIsWhatRecordsCanHold) {
  const auto refused = [](const std::string& sentence) {
    return testing::ThrowsMessage<Error>(HasSubstr("sgemm_tiled: " + sentence));
  };
  for (const char* formula : {"N - 4096", "N * 1e18"}) {
    const Expression amount(formula, {"N"});
    Manifest flops = bundled("sgemm_tiled"), dram = flops, elements = flops, l2 = flops;
    flops.flops = dram.compulsory_dram_bytes = elements.elements = amount;
    l2.bytes[static_cast<std::size_t>(MemoryLevel::l2)] = amount;
    const auto modelled = [](const Manifest& manifest) {
      return [&manifest] { model(manifest, complete(manifest, {}), sms); };
    };
    EXPECT_THAT(modelled(flops), refused(std::string("flops: \"") + formula + "\" is "));
    EXPECT_THAT(modelled(dram), refused("compulsory_dram_bytes"));
    EXPECT_THAT(modelled(elements), refused("elements"));
    EXPECT_THAT(modelled(l2), refused("l2_bytes"));
  }
}

TEST(Model, TransposeMovesElementsAndNoFlops) {
  const Model transpose = modelled("transpose_tiled", {{"N", 8192}});
  EXPECT_EQ(transpose.flops, std::nullopt);
  EXPECT_EQ(transpose.elements, 8192.0 * 8192);
  EXPECT_EQ(transpose.compulsory_dram, Bytes{8.0 * 8192 * 8192});
}

TEST(Model, EveryLegalCombinationOfDialsHasOne) {
  for (const Manifest& manifest : platform::load_catalogue_with({}).kernels) {
    const auto combinations = every_combination(manifest);
    EXPECT_FALSE(combinations.empty()) << manifest.name;
    for (const Parameters& parameters : combinations) {
      EXPECT_GT(rooftile::model(manifest, parameters, sms).launch.grid.count(), 0);
    }
  }
}

TEST(Model, RefusesAGridThatEndsWithinACluster) {
  Manifest manifest = bundled("copy");
  const auto launch = [&](double blocks, double cluster) {
    manifest.grid[0] = Expression(std::to_string(blocks), {});
    manifest.cluster[0] = Expression(std::to_string(cluster), {});
    return model(manifest, complete(manifest, {}), sms).launch;
  };
  EXPECT_EQ(launch(132, 4).cluster, (Dim3{4, 1, 1}));
  EXPECT_THAT([&] { launch(132, 16); },
              testing::ThrowsMessage<Error>(
                  "A grid of 132 x 1 x 1 blocks is no multiple of its clusters of 16 x 1 x 1: round it up."));
}

TEST(Model, RefusesAShapeThatIsNotWhole) {
  EXPECT_THAT(
      [] {
        modelled("transpose_tiled", {{"TILE", 8}, {"ROWS", 16}});
      },
      testing::ThrowsMessage<Error>(HasSubstr(
          "transpose_tiled: block: \"TILE / ROWS\" is 0.5 (ROWS=16 TILE=8); expected a whole number from 1")));
}

}  // namespace
}  // namespace rooftile
