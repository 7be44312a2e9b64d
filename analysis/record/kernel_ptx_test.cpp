#include "analysis/record/kernel_ptx.hpp"

#include <gtest/gtest.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

TEST(KernelPtxLine, IsReadAsItWasWritten) {
  for (const KernelPtx& answer : {KernelPtx{7, "sum", ".entry sum()\n{\n\tret;\n}\n", {}},
                                  KernelPtx{9, "sum", "", {}, {{{1, 2, 2}, {2}, 0}, {{3}, {}, -1}}},
                                  KernelPtx{8, "", "", "mine.cu(12): error: expected a \";\""}}) {
    EXPECT_EQ(to_line(answer).find('\n'), std::string::npos);
    EXPECT_EQ(parse_kernel_ptx(to_line(answer)), answer);
  }
  EXPECT_THROW(parse_kernel_ptx("{\"id\":1}"), Error);
}

}  // namespace
}  // namespace rooftile
