#include "analysis/model/dial_occupancy.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;

const Manifest& kernel_called(const char* name) {
  static const std::vector<Manifest> all = platform::load_catalogue_with({}).kernels;
  return find_kernel(all, name);
}

Gpu table_gpu(const char* name) {
  return *find_gpu(platform::load_gpu_table().gpus, name);
}

// Two tiles and their padding, and registers that do not change.
std::optional<Compiled> tiles(const Parameters& parameters, ComputeCapability cc) {
  const double tile = parameters.at("TILE");
  const double floats = tile * (2 * tile + parameters.at("PAD_A") + parameters.at("PAD_B"));
  return Compiled{.cc = cc, .registers = 32, .static_shared_bytes = static_cast<int>(4 * floats)};
}

std::vector<DialOccupancy> dials_at(const Parameters& given, const char* gpu,
                                    const CompiledAt& compiled = tiles) {
  const Manifest& kernel = kernel_called("sgemm_tiled");
  return occupancy_by_dial(kernel, complete(kernel, given), table_gpu(gpu), compiled);
}

// A6000: 1,536 threads and 16 blocks per SM.
TEST(DialOccupancy, EachValueSaysWhatABlockTakesAndHowManyFit) {
  const DialOccupancy tile = dials_at({{"TILE", 32}}, "a6000").at(0);
  EXPECT_EQ(tile.name, "TILE");
  EXPECT_EQ(tile.present, 32);
  const struct {
    int threads, shared, blocks;
    double ratio;
  } expected[] = {{16, 128, 16, 1 / 3.0}, {64, 512, 16, 2 / 3.0}, {256, 2048, 6, 1}, {1024, 8192, 1, 2 / 3.0}};
  ASSERT_EQ(tile.places.size(), std::size(expected));
  for (std::size_t i = 0; i < tile.places.size(); ++i) {
    EXPECT_EQ(tile.places[i].block.threads, expected[i].threads);
    EXPECT_EQ(tile.places[i].block.static_shared_bytes, expected[i].shared);
    EXPECT_EQ(tile.places[i].blocks, expected[i].blocks);
    EXPECT_DOUBLE_EQ(tile.places[i].ratio, expected[i].ratio);
  }
}

TEST(DialOccupancy, StepsAreTheNearestValuesWithOtherBlocks) {
  const auto sentences = [](const Parameters& given, const char* gpu) {
    std::vector<std::string> all;
    for (const DialStep& step : dial_steps(dials_at(given, gpu))) {
      all.push_back(text(step));
    }
    return all;
  };
  EXPECT_THAT(sentences({{"TILE", 32}}, "a6000"), ElementsAre("Tile 16 would hold 6 blocks, occupancy 100 %"));
  EXPECT_THAT(sentences({{"TILE", 8}}, "a6000"), ElementsAre("Tile 4 would hold 16 blocks, occupancy 33.3 %",
                                                             "Tile 16 would hold 6 blocks, occupancy 100 %"));
}

TEST(DialOccupancy, LeavesOutWhatIsNotLegalOrNotKnown) {
  const auto only_16 = [](const Parameters& parameters, ComputeCapability cc) {
    return parameters.at("TILE") == 16 ? tiles(parameters, cc) : std::nullopt;
  };
  EXPECT_EQ(dials_at({{"TILE", 16}}, "a6000", only_16).at(0).places.size(), 1U);
  EXPECT_TRUE(dial_steps(dials_at({{"TILE", 8}}, "a6000", only_16)).empty());
}

}  // namespace
}  // namespace rooftile
