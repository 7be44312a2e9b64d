#include "analysis/ptx/text/debug_types.hpp"

#include <gmock/gmock.h>

namespace rooftile::ptx {
namespace {

using testing::ElementsAre;

// A kernel with these parameters, as nvcc -G describes it:
// struct Inner { float v[3]; bool b; };
// struct Matrix { int width; const float* data; Inner in; };
// __global__ void mul(Matrix a, const Inner* b, int n) {}
constexpr const char* mul_with_debug_information = R"(.section	.debug_abbrev
{
.b8 1,17,1,37,8,19,5,3,8,16,6,27,8,17,1,0,0,2,19,1,3,8,11,11,58,11,59,11,0,0,3,13,0,3,8,73,19,58,11,59,11,56
.b8 10,0,0,4,1,1,73,19,0,0,5,33,0,73,19,55,11,0,0,6,36,0,3,8,62,11,11,11,0,0,7,36,0,3,8,11,11,62,11,0,0,8,15,0
.b8 73,19,51,6,0,0,9,38,0,73,19,0,0,10,46,1,17,1,18,1,64,10,135,64,8,3,8,58,11,59,11,73,19,63,12,0,0,11,5,0,51
.b8 11,2,10,3,8,58,11,59,11,73,19,0,0,12,5,0,2,10,51,11,3,8,58,11,59,11,73,19,0,0,13,59,0,3,8,0,0,0
}
.section	.debug_info
{
.b32 355
.b8 2,0
.b32 .debug_abbrev
.b8 8,1,108,103,101,110,102,101,58,32,69,68,71,32,54,46,54,0,4,0,98,46,99,117,0
.b32 .debug_line
.b8 47,116,109,112,47,115,114,99,95,101,120,112,0
.b64 0
.b8 2,73,110,110,101,114,0,16,1,1,3,118,0
.b32 95
.b8 1,1,2,35,0,3,98,0
.b32 139
.b8 1,1,2,35,12,0,4
.b32 107
.b8 5
.b32 116
.b8 3,0,6,102,108,111,97,116,0,4,4,7,95,95,65,82,82,65,89,95,83,73,90,69,95,84,89,80,69,95,95,0,8,7,6,98,111
.b8 111,108,0,2,1,2,77,97,116,114,105,120,0,32,1,2,3,119,105,100,116,104,0
.b32 203
.b8 1,2,2,35,0,3,100,97,116,97,0
.b32 210
.b8 1,2,2,35,8,3,105,110,0
.b32 60
.b8 1,2,2,35,16,0,6,105,110,116,0,5,4,8
.b32 219
.b32 12
.b8 9
.b32 107
.b8 10
.b64 $L__func_begin0
.b64 $L__func_end0
.b8 1,156,95,90,51,109,117,108,54,77,97,116,114,105,120,80,75,53,73,110,110,101,114,105,0,109,117,108,0,1,3
.b32 338
.b8 1,11,6,11,3
.b64 __local_depot0
.b8 35,0,97,0,1,3
.b32 147
.b8 11,6,11,3
.b64 __local_depot0
.b8 35,32,98,0,1,3
.b32 344
.b8 12,5,144,179,228,149,1,2,110,0,1,3
.b32 203
.b8 0,13,118,111,105,100,0,8
.b32 353
.b32 12
.b8 9
.b32 60
.b8 0
}
)";

TEST(DebugTypes, MembersStandWhereTheCompilerPutsThem) {
  const std::vector<StructLayout> layouts =
      parameter_layouts(mul_with_debug_information, "_Z3mul6MatrixPK5Inneri");
  const StructLayout inner{16, {{"v", "float", 0, 3}, {"b", "bool", 12}}};
  const StructLayout matrix{
      32, {{"width", "int", 0}, {"data", "float const*", 8}, {"in_v", "float", 16, 3}, {"in_b", "bool", 28}}};
  EXPECT_THAT(layouts, ElementsAre(matrix, inner, StructLayout{}));
}

TEST(DebugTypes, WhatIsCutOffOrOfAnotherKernelIsUnknown) {
  const std::string_view whole = mul_with_debug_information;
  EXPECT_THAT(parameter_layouts(whole, "another"), testing::IsEmpty());
  EXPECT_THAT(parameter_layouts("", "mul"), testing::IsEmpty());
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    EXPECT_LE(parameter_layouts(whole.substr(0, size), "_Z3mul6MatrixPK5Inneri").size(), 3U) << size;
  }
}

}  // namespace
}  // namespace rooftile::ptx
