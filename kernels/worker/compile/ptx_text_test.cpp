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
    EXPECT_EQ(instructions_in_ptx(entry("mine", row.instruction), "mine").half_arithmetic, row.in_half)
        << row.instruction;
  }
}

TEST(PtxText, TensorPipesAreThoseOfTheTypesThatAreMultiplied) {
  using Pipes = std::optional<std::set<std::string>>;
  const struct {
    const char* instruction;
    Pipes pipes;
  } rows[] = {
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1}, {%r2}, {%r3}, {%f4};", {{bf16_tensor_pipe}}},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r2}, {%r3}, {%f4};", {{tf32_tensor_pipe}}},
      {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1}, {%fd2}, {%fd3}, {%fd4};", {{fp64_tensor_pipe}}},
      {"mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%r1}, {%r2}, {%r3}, {%r4};", {{int8_tensor_pipe}}},
      {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r2}, {%r3}, {%f4};", {{fp16_tensor_pipe}}},
      {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, p, 1, 1;", {{fp16_tensor_pipe}}},
      {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%f1}, %rd1, %rd2, p, 1, 1;", {{fp8_tensor_pipe}}},
      {"@%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p2;", {}},
      {"wgmma.fence.sync.aligned;", Pipes{std::in_place}},
      {".file 1 \"/home/mine/mma.cu\"", Pipes{std::in_place}},
      {".file 1 \"/home/mine/attention_mma.cu\"", Pipes{std::in_place}},
      {"fma.rn.f32 %f1, %f2, %f3, %f4;", Pipes{std::in_place}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(instructions_in_ptx(entry("mine", row.instruction), "mine").tensor_pipes, row.pipes)
        << row.instruction;
  }
}

TEST(PtxText, OtherBlocksAreReachedByAccessesNotByBarriersOrCopies) {
  const struct {
    const char* instruction;
    bool reached;
  } rows[] = {
      {"mapa.u64 %rd3, %rd1, %r2;", true},
      {"ld.shared::cluster.f32 %f1, [%r1];", true},
      {"st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r1], %r2, [%r3];", true},
      {"@%p1 atom.shared::cluster.add.u32 %r1, [%r2], 1;", true},
      {"mapa.shared::cluster.u32 %r3, %r1, %r2;", false},
      {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];", false},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], "
       "[%r4];",
       false},
      {"ld.shared.f32 %f1, [%r1];", false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(instructions_in_ptx(entry("mine", row.instruction), "mine").other_blocks, row.reached)
        << row.instruction;
  }
}

TEST(PtxText, ArithmeticOfAnotherKernelDoesNotCount) {
  const std::string half = "mul.f16 %rs1, %rs2, %rs3;";
  const std::string both = entry("plain", "ret;") + entry("packed", half);
  EXPECT_FALSE(instructions_in_ptx(both, "plain").half_arithmetic);
  EXPECT_TRUE(instructions_in_ptx(both, "packed").half_arithmetic);
  const std::string function = ".func f()\n{\n\t" + half + "\n}\n";
  const std::string calls = entry("plain", "ret;") + function + entry("caller", "call.uni f, ();");
  EXPECT_FALSE(instructions_in_ptx(calls, "plain").half_arithmetic);
  EXPECT_TRUE(instructions_in_ptx(calls, "caller").half_arithmetic);
}

}  // namespace
}  // namespace rooftile::worker
