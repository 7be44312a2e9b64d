// Single instructions of one lane, against the results that the PTX manual asks for.
#include "analysis/ptx/lanes/arithmetic.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "analysis/ptx/program/instruction_name.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::uint64_t minus(std::uint64_t value, int bits = 32) {
  return (0 - value) & (~std::uint64_t{0} >> (64 - bits));
}

std::uint64_t f32(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

TEST(Arithmetic, OfOneLaneIsThatOfTheManual) {
  const struct {
    const char* name;
    std::array<std::uint64_t, 4> sources;
    std::uint64_t result;
  } rows[] = {
      {"add.s32", {0xffffffff, 2}, 1},
      {"sub.s32", {1, 2}, minus(1)},
      {"sub.u16", {1, 2}, 0xffff},
      {"mul.lo.s32", {minus(3), 5}, minus(15)},
      {"mul.wide.s32", {minus(3), 5}, minus(15, 64)},
      {"mul.wide.u32", {0xffffffff, 2}, 0x1fffffffe},
      {"mul.hi.s32", {minus(1), 5}, 0xffffffff},
      {"mul.hi.u32", {0x80000000, 4}, 2},
      {"mul.hi.u64", {~std::uint64_t{0}, 2}, 1},
      {"mul.hi.s64", {~std::uint64_t{0}, 2}, ~std::uint64_t{0}},
      {"mad.lo.s32", {3, 4, 5}, 17},
      {"mad.wide.s32", {minus(3), 4, 5}, minus(7, 64)},
      {"div.s32", {minus(7), 2}, minus(3)},
      {"rem.s32", {minus(7), 2}, minus(1)},
      {"div.u32", {minus(7), 2}, 0x7ffffffc},
      {"div.s32", {0x80000000, minus(1)}, 0x80000000},
      {"min.s32", {minus(1), 1}, minus(1)},
      {"min.u32", {minus(1), 1}, 1},
      {"max.s64", {minus(1, 64), 1}, 1},
      {"abs.s32", {minus(4)}, 4},
      {"neg.s32", {4}, minus(4)},
      {"sad.u32", {3, 10, 100}, 107},
      {"shl.b32", {1, 31}, 0x80000000},
      {"shl.b32", {1, 32}, 0},
      {"shr.u32", {0x80000000, 31}, 1},
      {"shr.s32", {0x80000000, 40}, 0xffffffff},
      {"not.b16", {1}, 0xfffe},
      {"cnot.b32", {0}, 1},
      {"popc.b32", {0xff00}, 8},
      {"clz.b32", {1}, 31},
      {"clz.b64", {1}, 63},
      {"brev.b32", {1}, 0x80000000},
      {"bfind.u32", {0x10}, 4},
      {"bfind.shiftamt.u32", {0x10}, 27},
      {"bfind.shiftamt.u32", {0}, 0xffffffff},
      {"bfind.s32", {0xffffffff}, 0xffffffff},
      {"bfe.u32", {0xabcd, 4, 8}, 0xbc},
      {"bfe.s32", {0x80, 4, 4}, 0xfffffff8},
      {"bfi.b32", {0xf, 0, 4, 2}, 0x30},
      {"prmt.b32", {0x33221100, 0x77665544, 0x7531}, 0x77553311},
      {"lop3.b32", {0xf0, 0xcc, 0xaa, 0x80}, 0x80},
      {"shf.l.wrap.b32", {0x80000000, 1, 1}, 3},
      {"shf.r.clamp.b32", {0, 1, 32}, 1},
      {"cvt.s64.s32", {minus(2)}, minus(2, 64)},
      {"cvt.u64.u32", {minus(2)}, 0xfffffffe},
      {"cvt.u16.u32", {0x12345}, 0x2345},
      {"cvt.rzi.s32.f32", {f32(-2.7F)}, minus(2)},
      {"cvt.rni.s32.f32", {f32(2.5F)}, 2},
      {"cvt.rpi.s32.f32", {f32(2.1F)}, 3},
      {"cvt.rzi.u32.f32", {f32(-1)}, 0},
      {"cvt.rzi.s32.f32", {f32(1e20F)}, 0x7fffffff},
      {"cvt.rn.f32.s32", {minus(3)}, f32(-3)},
      {"cvt.f32.f16", {0x3e00}, f32(1.5F)},
      {"cvt.f64.f32", {f32(0.5F)}, std::bit_cast<std::uint64_t>(0.5)},
      {"add.f32", {f32(1.5F), f32(2)}, f32(3.5F)},
      {"fma.rn.f32", {f32(2), f32(3), f32(4)}, f32(10)},
      {"max.f32", {f32(-1), f32(2)}, f32(2)},
      {"rcp.approx.ftz.f32", {f32(4)}, f32(0.25F)},
      {"cvta.to.shared.u64", {shared_window + 12}, 12},
      {"cvta.shared.u64", {12}, shared_window + 12},
      {"cvta.to.global.u64", {buffer_address(1)}, buffer_address(1)},
  };
  for (const auto& row : rows) {
    const Instruction instruction = instruction_named(row.name);
    ASSERT_TRUE(is_computed(instruction)) << row.name;
    std::uint64_t result = 0;
    compute(instruction, 1, {{&row.sources[0], &row.sources[1], &row.sources[2], &row.sources[3]}}, 0, &result);
    EXPECT_EQ(result, row.result) << row.name << " of " << row.sources[0] << ", " << row.sources[1];
  }
}

TEST(Arithmetic, ComparisonsKnowSignsAndWhatIsNoNumber) {
  const std::uint64_t nan = 0x7fc00000;
  const struct {
    const char* name;
    std::uint64_t a, b;
    bool holds;
  } rows[] = {
      {"setp.lt.s32", minus(1), 0, true}, {"setp.lt.u32", minus(1), 0, false},
      {"setp.lo.u32", 0, minus(1), true}, {"setp.ge.s64", minus(1, 64), 0, false},
      {"setp.eq.f32", nan, nan, false},   {"setp.neu.f32", nan, 0, true},
      {"setp.ltu.f32", nan, 0, true},     {"setp.lt.f32", f32(-1), f32(1), true},
      {"setp.nan.f32", nan, 0, true},     {"setp.num.f32", 0, 0, true},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(compared(instruction_named(row.name), 1, {{&row.a, &row.b}}) != 0, row.holds) << row.name;
  }
}

TEST(Arithmetic, OfAllLanesIsThatOfEach) {
  Lanes a, b, result;
  for (std::size_t lane = 0; lane < lanes_of_warp; ++lane) {
    a.bits[lane] = lane;
    b.bits[lane] = 100;
  }
  compute(instruction_named("add.s32"), lanes_of_warp, {{a.bits.data(), b.bits.data()}}, 0, result.bits.data());
  EXPECT_EQ(result.bits[31], 131u);
  EXPECT_EQ(compared(instruction_named("setp.lt.u32"), lanes_of_warp, {{a.bits.data(), b.bits.data()}}),
            all_lanes);
}

TEST(InstructionName, SaysTypesSpacesAndShapes) {
  const Instruction load = instruction_named("ld.volatile.shared::cta.v4.f32");
  EXPECT_EQ(load.op, Op::ld);
  EXPECT_EQ(load.space, Space::shared);
  EXPECT_EQ(load.vector, 4);
  EXPECT_EQ(load.type, (Type{'f', 4}));
  EXPECT_EQ(instruction_named("ld.u32").space, Space::generic);
  EXPECT_EQ(instruction_named("cp.async.commit_group").op, Op::cp_async_group);
  EXPECT_EQ(instruction_named("wgmma.fence.sync.aligned").op, Op::other);
  EXPECT_EQ(shape_flops("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"), 2.0 * 16 * 8 * 16);
  EXPECT_EQ(shape_flops("mma.sync"), 0);
}

}  // namespace
}  // namespace rooftile::ptx
