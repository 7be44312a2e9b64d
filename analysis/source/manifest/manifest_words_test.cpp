#include "analysis/source/manifest/manifest_words.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ManifestWords, SayWhatTheTextSaysAlsoWhereItIsWrong) {
  const ManifestWords words = words_of_manifest(R"toml(
source = "../sum.cu"
entry = "sum<float>"
[[parameter]]
name = "n"
role = "size"
values = [1, "many", 2.5]
default = "2 *"
[[parameter]]
name = "TILE"
values = 16
[[buffer]]
name = "in"
count = "m"
role = "none"
below = "k +"
[[tensor_map]]
name = "map"
[launch]
arguments = [{ buffer = "in", offset = "4 * n" }, { tensor_map = "map" }, { int = 4 }, 7, { float = "x" }]
grid = ["n", 2]
block = 256
)toml");
  EXPECT_EQ(words.source, "../sum.cu");
  EXPECT_EQ(words.entry, "sum<float>");
  ASSERT_EQ(words.parameters.size(), 2u);
  EXPECT_EQ(words.parameters[0].role, "size");
  EXPECT_EQ(words.parameters[0].values, "1, many, 2.5");
  EXPECT_EQ(words.parameters[0].default_value, "2 *");
  EXPECT_EQ(words.parameters[0].where, "argument");
  EXPECT_EQ(words.parameters[1].role, "dial");
  EXPECT_EQ(words.parameters[1].where, "macro");
  EXPECT_EQ(words.parameters[1].values, "16");
  ASSERT_EQ(words.buffers.size(), 1u);
  EXPECT_EQ(words.buffers[0].element, "float");
  EXPECT_EQ(words.buffers[0].count, "m");
  EXPECT_EQ(words.buffers[0].role, "none");
  EXPECT_EQ(words.buffers[0].below, "k +");
  EXPECT_EQ(words.buffers[0].order, "random");
  EXPECT_THAT(words.tensor_maps, ElementsAre("map"));
  EXPECT_THAT(words.grid, ElementsAre("n", "2", "1"));
  EXPECT_THAT(words.block, ElementsAre("256", "1", "1"));
  EXPECT_EQ(words.dynamic_shared_bytes, "0");
  std::vector<std::string> arguments;
  for (const auto& [type, value, offset] : words.arguments) {
    arguments.push_back(type + " " + value + (offset.empty() ? "" : " from " + offset));
  }
  EXPECT_THAT(arguments, ElementsAre("buffer in from 4 * n", "tensor_map map", "int 4", " ", "float x"));
}

TEST(ManifestWords, OfATextWithoutALaunchThereAreNone) {
  EXPECT_THAT(words_of_manifest("title = \"none\"").arguments, IsEmpty());
  EXPECT_THROW(words_of_manifest("title = "), Error);
}

TEST(ManifestWords, SayWhatAParameterIsAndWhereItGoes) {
  const struct {
    const char *lines, *role, *where;
    bool is_compiled;
  } rows[] = {
      {"", "dial", "macro", true},
      {"role = 'variant'", "size", "macro", true},
      {"role = 'size'", "size", "argument", false},
      {"role = 'scalar'", "scalar", "argument", false},
      {"where = 'launch'", "dial", "launch", false},
      {"role = 'size'\nwhere = 'template'", "size", "template", true},
  };
  for (const auto& row : rows) {
    const auto words = words_of_manifest(std::string("[[parameter]]\nname = 'P'\n") + row.lines);
    EXPECT_EQ(words.parameters.at(0).role, row.role) << row.lines;
    EXPECT_EQ(words.parameters.at(0).where, row.where) << row.lines;
    EXPECT_EQ(words.parameters.at(0).is_compiled(), row.is_compiled) << row.lines;
  }
}

}  // namespace
}  // namespace rooftile
