#include "kernels/worker/measure/ways.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/roofline.hpp"

namespace rooftile::worker {
namespace {

constexpr ComputeCapability ampere{8, 0}, ada{8, 9}, hopper{9, 0};
constexpr ComputeCapability first_of_all{0, 0}, last_of_all{99, 0};

template <class T>
Arguments operands(T a, T b) {
  Arguments arguments;
  arguments.add(a);
  arguments.add(b);
  return arguments;
}

// 64 multiply-adds a thread and round, on `width` numbers in one register.
Way arithmetic(const char* pipe, const char* entry, int width, Arguments operands) {
  return {pipe,
          first_of_all,
          last_of_all,
          "arithmetic.cu",
          entry,
          {},
          512,
          64.0 * 2 * width,
          std::move(operands),
          "eight independent chains of multiply-adds a thread"};
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

// Eight products of 16 x 8 x k a warp and round.
Way mma(const char* pipe, ComputeCapability from, int k, const std::string& types) {
  const std::string instruction = fmt::format("m16n8k{}.row.col.{}", k, types);
  const bool integers = types.starts_with("s32");
  return {pipe,        from,
          last_of_all, "tensor_mma.cu",
          "mma",       {"-DINSTRUCTION=" + quoted(instruction), fmt::format("-DINTEGERS={:d}", integers)},
          256,         8 * 2.0 * 16 * 8 * k / 32,
          {},          "mma.sync." + instruction + " on random numbers, from registers"};
}

// Four products of 64 x 128 x k a group of four warps and round.
Way wgmma(const char* pipe, int k, const std::string& types, const char* scales) {
  const std::string instruction = fmt::format("m64n128k{}.{}", k, types);
  const bool integers = types.starts_with("s32");
  return {pipe,
          hopper,
          hopper,
          "tensor_wgmma.cu",
          "wgmma",
          {"-arch=sm_90a", "-DINSTRUCTION=" + quoted(instruction), "-DSCALES=" + quoted(scales),
           fmt::format("-DINTEGERS={:d}", integers)},
          256,
          4 * 2.0 * 64 * 128 * k / 128,
          {},
          "wgmma." + instruction + " on random numbers, from shared memory"};
}

}  // namespace

const std::vector<Way>& ways() {
  static const std::vector<Way> table = {
      arithmetic(fp32_pipe, "fp32_fma", 1, operands(0.999f, 0.001f)),
      arithmetic(fp64_pipe, "fp64_fma", 1, operands(0.999, 0.001)),
      arithmetic(fp16_pipe, "fp16_fma", 2, operands(0x3bff3bffu, 0x14001400u)),
      arithmetic(int32_pipe, "int32_mad", 1, operands(0x9e3779b9u, 0x85ebca6bu)),
      wgmma(bf16_tensor_pipe, 16, "f32.bf16.bf16", ", 1, 1, 0, 0"),
      wgmma(fp16_tensor_pipe, 16, "f32.f16.f16", ", 1, 1, 0, 0"),
      wgmma(tf32_tensor_pipe, 8, "f32.tf32.tf32", ", 1, 1"),
      wgmma(fp8_tensor_pipe, 32, "f32.e4m3.e4m3", ", 1, 1"),
      wgmma(int8_tensor_pipe, 32, "s32.s8.s8", ""),
      mma(bf16_tensor_pipe, ampere, 16, "f32.bf16.bf16.f32"),
      mma(fp16_tensor_pipe, ampere, 16, "f32.f16.f16.f32"),
      mma(tf32_tensor_pipe, ampere, 8, "f32.tf32.tf32.f32"),
      mma(fp8_tensor_pipe, ada, 32, "f32.e4m3.e4m3.f32"),
      mma(int8_tensor_pipe, ampere, 32, "s32.s8.s8.s32"),
      {fp64_tensor_pipe,
       hopper,
       last_of_all,
       "tensor_mma_fp64.cu",
       "fp64_mma",
       {},
       256,
       8 * 2.0 * 16 * 8 * 16 / 32,
       {},
       "mma.sync.m16n8k16 in FP64, from registers"},
      {fp64_tensor_pipe,
       ampere,
       ampere,
       "tensor_mma_fp64.cu",
       "fp64_mma",
       {},
       256,
       8 * 2.0 * 8 * 8 * 4 / 32,
       {},
       "mma.sync.m8n8k4 in FP64, from registers"},
  };
  return table;
}

const Way* find_way(const std::string& pipe, ComputeCapability cc) {
  const auto way = std::ranges::find_if(
      ways(), [&](const Way& each) { return each.pipe == pipe && each.from <= cc && cc <= each.to; });
  return way != ways().end() ? &*way : nullptr;
}

}  // namespace rooftile::worker
