#include "analysis/ptx/program/copy_waits.hpp"

#include <gtest/gtest.h>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

TEST(CopyWaits, GroupsUnderWayAreThoseThatTheWaitAllowsAndTheOneBeforeTheArithmetic) {
  const std::string copy = "cp.async.ca.shared.global [%r10], [%rd1], 4;\ncp.async.commit_group;\n";
  const std::string work = "fma.rn.f32 %f1, %f2, %f3, %f1;\nfma.rn.f32 %f4, %f2, %f3, %f4;\n";
  const auto wait = [](int groups) { return "cp.async.wait_group " + std::to_string(groups) + ";\n"; };
  const struct {
    const char* what;
    std::string body;
    int ahead;
  } rows[] = {{"copies, waits for them, computes", copy + wait(0) + work, 0},
              {"copies the next tile, waits for this one, computes", copy + wait(1) + work, 1},
              {"waits for this tile, copies the next one, computes", wait(0) + copy + work, 1},
              {"four stages", wait(2) + copy + work, 3},
              {"computes, then waits for what was copied before", copy + work + wait(0), 1},
              {"waits for all", copy + "cp.async.wait_all;\n" + work, 0}};
  for (const auto& row : rows) {
    const Program program = parse_ptx(kernel_text(
        "$trip:\n" + row.body + "add.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $trip;\nret;"));
    const std::vector<CopyWait> waits = copy_waits(program);
    ASSERT_EQ(waits.size(), 1U) << row.what;
    EXPECT_EQ(waits[0].ahead, row.ahead) << row.what;
  }
}

// A sanitizer sees what is read beyond the instructions.
TEST(CopyWaits, OutsideOfALoopNoGroupIsAheadOfItsWait) {
  const Program program = parse_ptx(kernel_text(
      "cp.async.ca.shared.global [%r10], [%rd1], 4;\ncp.async.commit_group;\ncp.async.wait_group 0;\nret;"));
  const std::vector<CopyWait> waits = copy_waits(program);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0].ahead, 0);
}

}  // namespace
}  // namespace rooftile::ptx
