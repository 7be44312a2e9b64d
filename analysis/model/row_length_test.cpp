#include "analysis/model/row_length.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

TEST(RowLength, IsTheLastFactorOfTheCount) {
  const std::vector<std::string> names = {"M", "N", "EXTRA"};
  const Substitutes lets = {{"ldc", "N + EXTRA"}};
  const struct {
    const char* count;
    std::int64_t row;
  } table[] = {
      {"M * N", 100},           {"M * ldc", 107},
      {"M * (N + EXTRA)", 107}, {"2 * M * N", 100},
      {"M * N / 2", 50},        {"N", 100},
      {"M * N + 1", 3001},      {"ceil_div(M * N, 7)", 429},
      {"(M + 1) * N", 100},     {"M > 1 ? N : M * N", 100},
  };
  for (const auto& [count, row] : table) {
    Buffer buffer;
    buffer.count = Expression(count, names, lets);
    EXPECT_EQ(row_length(buffer, {{"M", 30}, {"N", 100}, {"EXTRA", 7}}), row) << count;
  }
}

}  // namespace
}  // namespace rooftile
