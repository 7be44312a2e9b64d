#include "analysis/model/compiled_table.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/compiled_table_file.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

constexpr ComputeCapability cc_9_0{9, 0}, cc_8_0{8, 0};

constexpr const char* two_dials =
    "{\"record\":\"compiled_table\",\"compiler\":\"NVRTC 1.0\"}\n"
    "{\"kernel\":\"k\",\"source_key\":\"0\",\"dials\":[{\"name\":\"TILE\",\"values\":[8,16]},"
    "{\"name\":\"PAD\",\"values\":[0,1,2]}],\"made\":{\"9.0\":{\"registers_per_thread\":\"32*2 0 40 41 0\","
    "\"static_shared_bytes\":\"256*6\",\"spill_load_bytes\":\"0*4 12 0\",\"named_barriers\":\"1*6\"}}}\n";

int registers_at(const CompiledTable& table, double tile, double pad, ComputeCapability cc = cc_9_0) {
  const auto made = table.find("k", {{"TILE", tile}, {"PAD", pad}}, cc);
  return made ? made->registers : -1;
}

TEST(CompiledTable, KnowsEveryPlaceThatWasCompiled) {
  const CompiledTable table = read_compiled_table(two_dials, "t");
  const struct {
    double tile, pad;
    int registers;
  } rows[] = {{8, 0, 32},  {8, 1, 32},  {8, 2, -1},  {16, 0, 40},
              {16, 1, 41}, {16, 2, -1}, {32, 0, -1}, {8, 3, -1}};
  for (const auto& row : rows) {
    EXPECT_EQ(registers_at(table, row.tile, row.pad), row.registers) << row.tile << ' ' << row.pad;
  }
  EXPECT_EQ(registers_at(table, 8, 0, cc_8_0), -1);
  EXPECT_FALSE(table.find("other", {}, cc_9_0));
  EXPECT_FALSE(table.find("k", {{"TILE", 8}}, cc_9_0));
  EXPECT_EQ(table.compiler, "NVRTC 1.0");
}

TEST(CompiledTable, SaysEverythingThatACompilerSays) {
  const Compiled expected{.cc = cc_9_0,
                          .registers = 41,
                          .static_shared_bytes = 256,
                          .spill_load_bytes = 12,
                          .from_table = true,
                          .named_barriers = 1};
  EXPECT_EQ(read_compiled_table(two_dials, "t").find("k", {{"TILE", 16}, {"PAD", 1}}, cc_9_0), expected);
}

TEST(CompiledTable, ComplaintsNameFileAndLine) {
  const std::string good = two_dials;
  const struct {
    std::string text, complaint;
  } rows[] = {{"[", "t:1: "},
              {"{}\n", "t:1: "},
              {good + "{\"kernel\":\"x\"}", "t:3: "},
              {std::string(good).replace(good.find("32*2"), 4, "32*x"), "t:2: \"x 0 40"}};
  for (const auto& row : rows) {
    try {
      read_compiled_table(row.text, "t");
      ADD_FAILURE() << row.complaint;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::StartsWith(row.complaint));
    }
  }
}

// Values of the FNV specification.
TEST(SourceKey, IsFnv1a) {
  EXPECT_EQ(source_key(""), "cbf29ce484222325");
  EXPECT_EQ(source_key("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(source_key("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace rooftile
