#include "app/cli/shared/best.hpp"

#include <gtest/gtest.h>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/catalogue_files.hpp"

namespace rooftile::cli {
namespace {

const std::vector<Manifest>& bundled() {
  static const std::vector<Manifest> kernels = platform::load_catalogue_with({}).kernels;
  return kernels;
}

LaunchReport launch(const std::string& kernel, const Parameters& given, double milliseconds) {
  LaunchReport found;
  found.point.kernel = kernel;
  found.point.parameters = complete(find_kernel(bundled(), kernel), given);
  found.point.timing.emplace().median = Seconds{milliseconds * 1e-3};
  found.placement.emplace();
  found.placement->time = Seconds{milliseconds * 1e-3};
  return found;
}

Parameters best(const std::vector<LaunchReport>& all, const std::vector<Manifest>& kernels = bundled()) {
  const std::vector<LaunchReport> best = best_of_each_kernel(all, kernels);
  EXPECT_EQ(best.size(), 1);
  return best.at(0).point.parameters;
}

TEST(BestOfEachKernel, IsTheFastestOfTheProblemLaunchedMostOften) {
  const Parameters found = best({launch("sgemm_tiled", {{"N", 256}, {"TILE", 8}}, 0.1),
                                 launch("sgemm_tiled", {{"N", 4096}, {"TILE", 8}}, 9),
                                 launch("sgemm_tiled", {{"N", 4096}, {"TILE", 32}}, 7)});
  EXPECT_EQ(found.at("N"), 4096);
  EXPECT_EQ(found.at("TILE"), 32);
}

TEST(BestOfEachKernel, NeverComparesAVariantWithAnother) {
  const Parameters found = best({launch("transpose_tiled", {{"BYTES", 1}, {"PAD", 0}}, 0.1),
                                 launch("transpose_tiled", {{"BYTES", 4}, {"PAD", 0}}, 0.4),
                                 launch("transpose_tiled", {{"BYTES", 4}, {"PAD", 1}}, 0.3)});
  EXPECT_EQ(found.at("BYTES"), 4);
  EXPECT_EQ(found.at("PAD"), 1);
}

TEST(BestOfEachKernel, OfProblemsLaunchedEquallyOftenTakesTheDefaultOne) {
  const Parameters found = best({launch("triad", {{"OP", 1}}, 0.1), launch("triad", {{"OP", 3}}, 0.3),
                                 launch("triad", {{"OP", 2}}, 0.2)});
  EXPECT_EQ(found.at("OP"), 3);
}

TEST(BestOfEachKernel, KeepsColdAndWarmCachesApart) {
  LaunchReport warm = launch("copy", {{"BLOCK", 64}}, 0.1);
  warm.point.caches = Caches::warm;
  EXPECT_EQ(best({warm, launch("copy", {{"BLOCK", 128}}, 0.2)}).at("BLOCK"), 128);
}

TEST(BestOfEachKernel, IsNeverAWrongResult) {
  LaunchReport wrong = launch("copy", {{"BLOCK", 64}}, 0.1);
  wrong.point.verification.emplace().passed = false;
  EXPECT_EQ(best({wrong, launch("copy", {{"BLOCK", 128}}, 0.2)}).at("BLOCK"), 128);
}

TEST(BestOfEachKernel, IsPredictedOnlyWhereNothingWasMeasured) {
  LaunchReport predicted = launch("copy", {{"BLOCK", 64}}, 0.1);
  predicted.point.timing.reset();
  EXPECT_EQ(best({predicted, launch("copy", {{"BLOCK", 128}}, 0.2)}).at("BLOCK"), 128);
  EXPECT_EQ(best({predicted}).at("BLOCK"), 64);
}

TEST(BestOfEachKernel, TellsTheProblemsOfAnUnknownKernelApartByTheirWork) {
  LaunchReport small = launch("copy", {{"N", 1024}}, 0.1), large = launch("copy", {{"N", 8192}}, 0.4);
  LaunchReport faster = launch("copy", {{"N", 8192}, {"BLOCK", 64}}, 0.3);
  small.point.modelled.elements = 1;
  large.point.modelled.elements = faster.point.modelled.elements = 2;
  EXPECT_EQ(best({small, large, faster}, {}).at("BLOCK"), 64);
}

}  // namespace
}  // namespace rooftile::cli
