#include "analysis/source/manifest/launch_version.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

constexpr const char* versioned_toml = R"toml(
title = "Sum"
source = "sum.cu"
[[parameter]]
name = "N"
role = "size"
values = [16]
default = 16
[[buffer]]
name = "in"
count = "N"
role = "input"
[launch]
arguments = [{ buffer = "in" }, { int = "N" }]
grid = ["ceil_div(N, 64)"]
block = [64]
)toml";

std::string version_with(const std::string& before, const std::string& after, const char* code = "code") {
  std::string text = versioned_toml;
  text.replace(text.find(before), before.size(), after);
  return launch_version(read_manifest("sum/kernel.toml",
                                      [&](const std::filesystem::path& file) {
                                        return std::optional(file.extension() == ".toml" ? text : code);
                                      }),
                        code);
}

TEST(LaunchVersion, ChangesWithALetThatALaunchUses) {
  const auto with_let = [](const char* value) {
    return version_with("grid = [\"ceil_div(N, 64)\"]\nblock = [64]",
                        std::string("grid = [\"tiles\"]\nblock = [64]\n[let]\ntiles = ") + value);
  };
  EXPECT_NE(with_let("1"), with_let("2"));
}

TEST(LaunchVersion, ChangesWithAllThatALaunchDependsOnAndNothingElse) {
  const std::string version = version_with("Sum", "Sum");
  EXPECT_EQ(version.size(), 16u);
  EXPECT_NE(version_with("Sum", "Sum", "other code"), version);
  const struct {
    const char *before, *after;
    bool same;
  } rows[] = {
      {"Sum", "Another title", true},
      {"values = [16]", "values = [16, 32]", true},
      {"[[buffer]]", "# a comment\n[[buffer]]", true},
      {"block = [64]", "block = [32]", false},
      {"block = [64]", "block = [64]\ndynamic_shared_bytes = 16", false},
      {"int = \"N\"", "int = \"2 * N\"", false},
      {"count = \"N\"", "count = \"2 * N\"", false},
      {"role = \"input\"", "role = \"in_out\"", false},
      {"role = \"input\"", "role = \"input\"\nbelow = 4", false},
      {"source =", "options = [\"-use_fast_math\"]\nsource =", false},
      {"source =", "entry = \"other\"\nsource =", false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(version_with(row.before, row.after) == version, row.same) << row.after;
  }
}

}  // namespace
}  // namespace rooftile
