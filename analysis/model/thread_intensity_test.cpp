#include "analysis/model/thread_intensity.hpp"

#include <gtest/gtest.h>

#include "analysis/platform/catalogue_files.hpp"

namespace rooftile {
namespace {

double intensity(const char* kernel, Parameters given) {
  given["N"] = 8192;
  const Manifest manifest = find_kernel(platform::load_catalogue_with({}).kernels, kernel);
  const Parameters parameters = complete(manifest, given);
  return thread_intensity(manifest, parameters, model(manifest, parameters, 108))
      .value_or(FlopsPerByte{})
      .value;
}

// Per FMA two loads of four bytes, which the side of a tile divides. Less than 1 % of the bytes are C.
TEST(ThreadIntensity, IsThatOfTheTextbook) {
  const struct {
    const char* kernel;
    Parameters given;
    double expected;
  } rows[] = {
      {"sgemm_tiled", {{"TILE", 8}}, 2},
      {"sgemm_tiled", {{"TILE", 16}}, 4},
      {"sgemm_tiled", {{"TILE", 32}}, 8},
      {"sgemm_register_2d", {{"BM", 64}, {"BN", 64}}, 16},
      {"sgemm_register_2d", {{"BM", 128}, {"BN", 128}}, 32},
      {"transpose_tiled", {}, 0},
  };
  for (const auto& row : rows) {
    EXPECT_NEAR(intensity(row.kernel, row.given), row.expected, 0.01 * row.expected) << row.kernel;
  }
}

}  // namespace
}  // namespace rooftile
