#include "app/cli/bench/readme_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::cli {
namespace {

class ReadmeTable : public testing::Test {
 protected:
  ~ReadmeTable() override { std::filesystem::remove(file_); }

  std::string rewritten(const std::string& before, const std::string& table) {
    std::ofstream(file_) << before;
    rewrite_table(file_, "measured", table);
    std::ostringstream after;
    after << std::ifstream(file_).rdbuf();
    return after.str();
  }

  std::filesystem::path file_ =
      testing::TempDir() + "/readme_table_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ReadmeTable, ReplacesOnlyWhatStandsBetweenTheMarkers) {
  EXPECT_EQ(rewritten("above\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nbelow\n", "| new |\n"),
            "above\n<!-- measured: begin -->\n| new |\n<!-- measured: end -->\nbelow\n");
}

TEST_F(ReadmeTable, APageOfWindowsStaysOne) {
  EXPECT_EQ(
      rewritten("above\r\n<!-- measured: begin -->\r\nold\r\n<!-- measured: end -->\r\n", "| a |\n| b |\n"),
      "above\r\n<!-- measured: begin -->\r\n| a |\r\n| b |\r\n<!-- measured: end -->\r\n");
}

TEST_F(ReadmeTable, APageWithoutMarkersIsLeftAsItIs) {
  for (const char* page : {"no markers\n", "<!-- measured: begin -->\nonly one\n",
                           "<!-- measured: end -->\n<!-- measured: begin -->\nturned around\n"}) {
    EXPECT_THROW(rewritten(page, "| new |\n"), Error) << page;
    std::ostringstream after;
    after << std::ifstream(file_).rdbuf();
    EXPECT_EQ(after.str(), page);
  }
}

TEST_F(ReadmeTable, OnlyTheTableOfThatNameIsReplaced) {
  const std::string other = "<!-- speed: begin -->\nkept\n<!-- speed: end -->\n";
  EXPECT_EQ(rewritten(other + "<!-- measured: begin -->\n<!-- measured: end -->", "new\n"),
            other + "<!-- measured: begin -->\nnew\n<!-- measured: end -->");
}

LaunchReport launched(const std::string& kernel, const Parameters& given) {
  static const Catalogue all = platform::load_catalogue_with({});
  LaunchReport found;
  found.point.kernel = kernel;
  found.point.parameters = all.knows(kernel) ? complete(find_kernel(all, kernel), given) : given;
  found.placement.emplace();
  found.placement->time = {2e-3};
  found.placement->levels = {{MemoryLevel::dram, Bytes{4e9}, {2e12}, {}, 0.5, true, false, {}}};
  found.verdict = Verdict{"", "", "DRAM"};
  return found;
}

// The row without its kernel.
std::string cells_of(const LaunchReport& found) {
  const auto kernels = platform::load_catalogue_with({}).kernels;
  const std::string table = measured_table({found}, kernels, "G");
  const std::string begin = "\n| `" + found.point.kernel + "` | ";
  const std::size_t at = table.find(begin);
  return at == std::string::npos ? table : table.substr(at + begin.size());
}

TEST(MeasuredTable, NamesTheGpuInItsHead) {
  EXPECT_EQ(
      measured_table({}, {}, "Test GPU"),
      "| kernel | what it shows | problem | best dials on Test GPU | time | rate | of its roof | bound by |\n"
      "| --- | --- | --- | --- | --: | --: | --: | --- |\n");
}

TEST(MeasuredTable, TheProblemIsWhatWasSetAndTheDialsStandApart) {
  EXPECT_EQ(cells_of(launched("sgemm_tiled", {{"N", 1024}, {"TILE", 32}, {"PAD_A", 1}})),
            "a square tile in shared memory | N=1024 | PAD_A=1 PAD_B=0 TILE=32 | 2.00 ms | 2.00 TB/s | 50 % | "
            "DRAM |\n")
      << "K and M follow N, EXTRA is off";
  EXPECT_EQ(cells_of(launched("transpose_tiled", {{"BYTES", 4}, {"N", 8192}, {"PAD", 1}})).substr(0, 63),
            "a square turned in shared memory | BYTES=4 N=8192 | PAD=1 ROWS=");
}

TEST(MeasuredTable, TheRateIsInFlopsWhereThereAreAny) {
  LaunchReport found = launched("sgemm_tiled", {});
  found.placement->performance = FlopsPerSecond{12e12};
  found.placement->compute_share = 0.8;
  EXPECT_NE(cells_of(found).find("| 2.00 ms | 12.0 TFLOP/s | 80 % | DRAM |\n"), std::string::npos)
      << cells_of(found);
  found.placement->performance.reset();
  found.placement->levels.clear();
  found.verdict.bound_by = unknown_text;
  EXPECT_NE(cells_of(found).find("| 2.00 ms | – | 80 % | – |\n"), std::string::npos) << cells_of(found);
}

TEST(MeasuredTable, AnInstanceOfATemplateIsNamedAsTheSourceDoes) {
  EXPECT_EQ(cells_of(launched("reduce<float>", {})), " |  |  | 2.00 ms | 2.00 TB/s | 50 % | DRAM |\n");
}

TEST(MeasuredTable, AKernelThatIsNotKnownAnyMoreShowsAllItsParametersAsTheProblem) {
  EXPECT_EQ(cells_of(launched("gone", {{"A", 1}, {"B", 2}})),
            " | A=1 B=2 |  | 2.00 ms | 2.00 TB/s | 50 % | DRAM |\n");
}

}  // namespace
}  // namespace rooftile::cli
