#include "analysis/source/kernels/header_constants.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

TEST(HeaderConstants, AreThoseThatTheSourceMentions) {
  const std::vector<std::string> headers = {
      "#pragma once\n#define WARP_SIZE 32\n#define CEIL(a, b) 3\n#define UNUSED 7\n",
      "static constexpr int tile = 2 * SIDE; // of a block\n#define SIDE (8)\n#define NAME \"x\"\n"};
  const struct {
    const char *source, *constants;
  } rows[] = {{"f<<<1, WARP_SIZE>>>(x);", "#define WARP_SIZE 32\n"},
              {"f<<<1, tile>>>(x);", "constexpr int tile = 2 * SIDE;\n#define SIDE (8)\n"},
              {"f<<<CEIL(3, 4), NAME>>>(x);", ""},
              {"// UNUSED\nf<<<1, 1>>>(x);", ""}};
  for (const auto& row : rows) {
    EXPECT_EQ(header_constants(row.source, headers), row.constants) << row.source;
  }
}

TEST(HeaderConstants, ANameWithTwoValuesHasNone) {
  EXPECT_EQ(header_constants("f<<<1, WARP>>>(x);",
                             {"#ifdef __HIP__\n#define WARP 64\n#else\n#define WARP 32\n#endif\n"}),
            "");
}

}  // namespace
}  // namespace rooftile
