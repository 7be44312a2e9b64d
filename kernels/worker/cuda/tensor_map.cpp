#include "kernels/worker/cuda/tensor_map.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "analysis/text/format.hpp"

namespace rooftile::worker {
namespace {

// TMA copies elements without a look at their values: apart from the name of the type, only its size counts.
CUtensorMapDataType type_of(const Buffer& buffer) {
  constexpr std::pair<std::string_view, CUtensorMapDataType> types[] = {
      {"float", CU_TENSOR_MAP_DATA_TYPE_FLOAT32}, {"double", CU_TENSOR_MAP_DATA_TYPE_FLOAT64},
      {"half", CU_TENSOR_MAP_DATA_TYPE_FLOAT16},  {"bfloat16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
      {"char", CU_TENSOR_MAP_DATA_TYPE_UINT8},    {"fp8_e4m3", CU_TENSOR_MAP_DATA_TYPE_UINT8},
      {"short", CU_TENSOR_MAP_DATA_TYPE_UINT16},  {"long_long", CU_TENSOR_MAP_DATA_TYPE_INT64},
  };
  for (const auto& [element, type] : types) {
    if (element == buffer.element) {
      return type;
    }
  }
  return CU_TENSOR_MAP_DATA_TYPE_INT32;
}

CUtensorMapSwizzle swizzle_of(const TensorMap& map) {
  switch (map.swizzle_bytes) {
    case 32:
      return CU_TENSOR_MAP_SWIZZLE_32B;
    case 64:
      return CU_TENSOR_MAP_SWIZZLE_64B;
    case 128:
      return CU_TENSOR_MAP_SWIZZLE_128B;
    default:
      return CU_TENSOR_MAP_SWIZZLE_NONE;
  }
}

}  // namespace

CUtensorMap encode(const Driver& driver, const TensorMap& map, const Buffer& buffer, CUdeviceptr memory,
                   const Parameters& parameters) {
  const auto whole = [&](const Expression& expression) {
    return static_cast<cuuint64_t>(std::llround(expression.evaluate(parameters)));
  };
  const cuuint64_t size[] = {whole(map.columns), whole(map.rows)};  // the innermost dimension first
  const cuuint64_t stride[] = {whole(map.row_stride) * static_cast<cuuint64_t>(buffer.element_bytes)};
  const cuuint32_t box[] = {static_cast<cuuint32_t>(whole(map.box_columns)),
                            static_cast<cuuint32_t>(whole(map.box_rows))};
  const cuuint32_t every[] = {1, 1};
  CUtensorMap encoded{};
  // Fetching 256 bytes at a time makes L2 slower where rows start between multiples of 128 bytes: BF16 of
  // 10272 x 2232 x 7944 takes 588 us instead of 537 us (H200). Where they start at such multiples both are as
  // fast.
  const CUresult result =
      driver.cuTensorMapEncodeTiled(&encoded, type_of(buffer), 2, reinterpret_cast<void*>(memory), size, stride,
                                    box, every, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle_of(map),
                                    CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw Error(
        fmt::format("TMA cannot copy boxes of {} x {} from {}, whose rows start every {} bytes: rows must "
                    "start at multiples of "
                    "16 bytes, and a box has at most 256 rows and as many columns as fit its swizzle.",
                    box[1], box[0], buffer.name, count(static_cast<double>(stride[0]))));
  }
  return encoded;
}

}  // namespace rooftile::worker
