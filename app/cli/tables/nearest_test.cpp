#include "app/cli/tables/nearest.hpp"

#include <gtest/gtest.h>

namespace rooftile::cli {
namespace {

TEST(Nearest, SentenceListsWhatIsKnown) {
  EXPECT_EQ(no_such("kernel", "sgem", {"sgemm", "scan"}),
            "There is no kernel \"sgem\"; did you mean sgemm? Known are: sgemm, scan.");
  EXPECT_EQ(no_such("kernel", "fft", {"sgemm"}), "There is no kernel \"fft\". Known are: sgemm.");
}

}  // namespace
}  // namespace rooftile::cli
