// The pipes of an SM that compute, as roofs, manifests and points name them; those of the tensor cores by the
// type of their inputs.
#pragma once

#include <array>
#include <string_view>

namespace rooftile {

inline constexpr const char* fp64_pipe = "FP64 FMA";
inline constexpr const char* fp32_pipe = "FP32 FMA";
inline constexpr const char* fp16_pipe = "FP16 FMA";
inline constexpr const char* int32_pipe = "INT32 MAD";
inline constexpr const char* fp64_tensor_pipe = "FP64 tensor";
inline constexpr const char* tf32_tensor_pipe = "TF32 tensor";
inline constexpr const char* bf16_tensor_pipe = "BF16 tensor";
inline constexpr const char* fp16_tensor_pipe = "FP16 tensor";
inline constexpr const char* fp8_tensor_pipe = "FP8 tensor";
inline constexpr const char* int8_tensor_pipe = "INT8 tensor";
inline constexpr std::array pipes = {fp64_pipe,        fp32_pipe,        fp16_pipe,        int32_pipe,
                                     fp64_tensor_pipe, tf32_tensor_pipe, bf16_tensor_pipe, fp16_tensor_pipe,
                                     fp8_tensor_pipe,  int8_tensor_pipe};

// No pipe, but a roof too: warp instructions that the schedulers can issue.
inline constexpr const char* warp_issue = "warp issue";

constexpr bool is_tensor(std::string_view pipe) {
  return pipe.ends_with(" tensor");
}

// "FP32", "BF16 tensor": for a table or a sentence.
constexpr std::string_view short_name(std::string_view pipe) {
  return pipe.substr(0, pipe.find(" FMA"));
}

}  // namespace rooftile
