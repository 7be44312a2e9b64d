#include "kernels/worker/compile/ptx_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rooftile::worker {
namespace {

std::string entry(const std::string& symbol, const std::string& body) {
  return fmt::format(".visible .entry {}(\n\t.param .u64 p\n)\n{{\n\t{}\n}}\n", symbol, body);
}

TEST(PtxText, EntriesAreFoundInTheirOrder) {
  const std::string ptx = ".version 9.0\n" + entry("_Z3sumPf", "ret;") + entry("copy", "bar.sync 0;");
  const std::vector<PtxEntry> entries = entries_of(ptx);
  ASSERT_EQ(entries.size(), 2);
  EXPECT_EQ(entries[0].symbol, "_Z3sumPf");
  EXPECT_EQ(entries[1].symbol, "copy");
  EXPECT_EQ(entries[0].body.find("bar.sync"), std::string_view::npos);
  EXPECT_NE(entries[1].body.find("bar.sync"), std::string_view::npos);
  EXPECT_TRUE(entries_of("").empty());
}

TEST(PtxText, AKernelOfAnAnonymousNamespaceIsFoundInEveryCompilation) {
  const std::string symbol = "_ZN34_GLOBAL__N__00000000_4_a_cu_cfa37d3sumEPf",
                    lasting = "_ZN12_GLOBAL__N_13sumEPf";
  EXPECT_EQ(lasting_symbol(symbol), lasting);
  EXPECT_EQ(lasting_symbol(lasting), lasting);
  EXPECT_EQ(lasting_symbol("_Z3sumPf"), "_Z3sumPf");
  EXPECT_EQ(symbol_in(entry("_Z3sumPf", "ret;") + entry(symbol, "ret;"), lasting), symbol);
  EXPECT_EQ(symbol_in(entry("_Z3sumPf", "ret;"), lasting), lasting);
}

TEST(PtxText, ADeclarationBeforeTheDefinitionIsNoOtherEntry) {
  const std::string ptx = ".entry _Z3sumPf\n(\n.param .u64 p\n)\n.maxntid 128\n;\n" + entry("_Z3sumPf", "ret;");
  const std::vector<PtxEntry> entries = entries_of(ptx);
  ASSERT_EQ(entries.size(), 1);
  EXPECT_NE(entries[0].body.find("ret;"), std::string_view::npos);
}

TEST(PtxText, ArithmeticInHalfIsToldFromAllThatOnlyMovesIt) {
  struct Row {
    const char* instruction;
    bool in_half;
  };
  const Row rows[] = {
      {"{fma.rn.f16x2 %r6,%r7,%r8,%r9;\n}", true},
      {"add.bf16 %rs1, %rs2, %rs3;", true},
      {"sub.ftz.f16 %rs1, %rs2, %rs3;", true},
      {"@%p1 mul.bf16x2 %r1, %r2, %r3;", true},
      {"cvt.f32.f16 %f1, %rs4;", false},
      {"cvt.rn.bf16x2.f32 %r1, %f1, %f2;", false},
      {"add.f32.f16 %f1, %rs1, %f2;", false},
      {"fma.rn.f32 %f1, %f2, %f3, %f4;", false},
      {"setp.gt.f16 %p1, %rs1, %rs2;", false},
      {"max.f16x2 %r1, %r2, %r3;", false},
      {"red.global.add.noftz.f16x2 [%rd1], %r1;", false},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1}, {%r2}, {%r3}, {%r4};", false},
      {"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1}, %rd1, %rd2, p, 1, 1;", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(computes_in_half(entry("mine", row.instruction), "mine"), row.in_half) << row.instruction;
  }
}

TEST(PtxText, ArithmeticOfAnotherKernelDoesNotCount) {
  const std::string half = "mul.f16 %rs1, %rs2, %rs3;";
  const std::string both = entry("plain", "ret;") + entry("packed", half);
  EXPECT_FALSE(computes_in_half(both, "plain"));
  EXPECT_TRUE(computes_in_half(both, "packed"));
  const std::string function = ".func f()\n{\n\t" + half + "\n}\n";
  const std::string calls = entry("plain", "ret;") + function + entry("caller", "call.uni f, ();");
  EXPECT_FALSE(computes_in_half(calls, "plain"));
  EXPECT_TRUE(computes_in_half(calls, "caller"));
}

}  // namespace
}  // namespace rooftile::worker
