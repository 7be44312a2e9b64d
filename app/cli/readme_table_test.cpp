#include "app/cli/readme_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "analysis/error.hpp"

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

  std::filesystem::path file_ = testing::TempDir() + "/readme_table_test.md";
};

TEST_F(ReadmeTable, ReplacesOnlyWhatStandsBetweenTheMarkers) {
  EXPECT_EQ(rewritten("above\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nbelow\n", "| new |\n"),
            "above\n<!-- measured: begin -->\n| new |\n<!-- measured: end -->\nbelow\n");
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

}  // namespace
}  // namespace rooftile::cli
