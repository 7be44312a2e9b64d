#include "analysis/ptx/program/machine_instructions.hpp"

#include <gtest/gtest.h>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

double count_of(const std::string& body) {
  double sum = 0;
  for (const Instruction& x : parse_ptx(kernel_text(body + "\n\tret;")).instructions) {
    sum += x.machine_instructions;
  }
  return sum;
}

TEST(MachineInstructions, FollowFromWhatTheMachineHas) {
  const std::string load = "ld.global.f32 %f1, [%rd6];\n";
  const struct {
    const char* what;
    std::string body;
    double added;
  } rows[] = {
      {"an addition", "add.s32 %r10, %r2, %r3;", 1},
      {"a copy", "mov.u32 %r10, %r2;", 0},
      {"a constant", "mov.u32 %r10, 7;", 0},
      {"a joined comparison", "setp.lt.s32 %p1, %r2, 5;\nsetp.lt.s32 %p2, %r3, 5;\nor.pred %p3, %p1, %p2;", 2},
      {"a long sum", "add.s64 %rd6, %rd1, %rd2;\n" + load, 3},
      {"a long sum of a constant", "add.s64 %rd6, %rd1, 8;\n" + load, 1},
      {"a sum of three", "add.s32 %r10, %r2, %r3;\nadd.s32 %r11, %r10, %r4;", 1},
      {"a sum of four", "add.s32 %r10, %r2, %r3;\nadd.s32 %r11, %r10, %r4;\nadd.s32 %r12, %r11, %r5;", 2},
      {"a product of whole numbers and its sum", "mul.lo.s32 %r10, %r2, %r3;\nadd.s32 %r11, %r10, %r4;", 1},
      {"three joined words", "and.b32 %r10, %r2, %r3;\nxor.b32 %r11, %r10, %r4;", 1},
      {"a division", "div.rn.f32 %f2, %f1, %f3;", 9},
      {"a product and its sum", "mul.wide.s32 %rd5, %r2, 4;\nadd.s64 %rd6, %rd1, %rd5;\n" + load, 2},
      {"a shifted sum", "shl.b64 %rd5, %rd2, 2;\nadd.s64 %rd6, %rd1, %rd5;\n" + load, 3},
      {"a step through rows",
       "shl.b64 %rd5, %rd2, 2;\nsetp.lt.s32 %p1, %r2, 5;\n@%p1 bra $on;\n$on:\nadd.s64 %rd6, %rd1, %rd5;\n" +
           load,
       5},
      {"a load that is skipped over",
       "setp.lt.s32 %p1, %r2, 5;\n@%p1 bra $on;\n" + load + "$on:\nadd.s32 %r9, %r2, %r3;", 3},
      {"a long way around",
       "setp.lt.s32 %p1, %r2, 5;\n@%p1 bra $on;\nbar.sync 0;\n$on:\nadd.s32 %r9, %r2, %r3;", 5}};
  for (const auto& row : rows) {
    EXPECT_EQ(count_of(row.body) - count_of(""), row.added) << row.what;
  }
}

}  // namespace
}  // namespace rooftile::ptx
