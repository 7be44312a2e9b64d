#include "kernels/worker/roofs/pipe_benchmarks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/chip/pipe.hpp"
#include "kernels/worker/compile/compiler.hpp"

namespace rooftile::worker {
namespace {

template <class T>
Arguments operands(T a, T b) {
  Arguments arguments;
  arguments.add(a);
  arguments.add(b);
  return arguments;
}

// 64 multiply-adds per thread and round, on `width` numbers in one register.
PipeBenchmark arithmetic(const char* pipe, const char* entry, int width, Arguments operands) {
  return {pipe,
          "arithmetic_roofs.cu",
          entry,
          {},
          512,
          64.0 * 2 * width,
          std::move(operands),
          "eight independent chains of multiply-adds per thread"};
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

// One type of operand, as the tensor instructions write it.
struct TensorType {
  const char* pipe;
  int k;               // per instruction: 32 bytes of a row
  const char* types;   // of result and operands
  const char* scales;  // what wgmma takes after its operands
};
constexpr TensorType tensor_types[] = {
    {bf16_tensor_pipe, 16, "f32.bf16.bf16", ", 1, 1, 0, 0"},
    {fp16_tensor_pipe, 16, "f32.f16.f16", ", 1, 1, 0, 0"},
    {tf32_tensor_pipe, 8, "f32.tf32.tf32", ", 1, 1"},
    {fp8_tensor_pipe, 32, "f32.e4m3.e4m3", ", 1, 1"},
    {int8_tensor_pipe, 32, "s32.s8.s8", ""},
};

std::string accumulator(const TensorType& type) {
  return std::string(type.types).substr(0, 3);
}

std::string integers(const TensorType& type) {
  return fmt::format("-DINTEGERS={:d}", accumulator(type) == "s32");
}

// Eight products of 16 x 8 x k per warp and round.
PipeBenchmark mma(const TensorType& type) {
  const std::string instruction = fmt::format("m16n8k{}.row.col.{}.{}", type.k, type.types, accumulator(type));
  return {type.pipe, "mma_roofs.cu",
          "mma",     {"-DINSTRUCTION=" + quoted(instruction), integers(type)},
          256,       8 * 2.0 * 16 * 8 * type.k / 32,
          {},        "mma.sync." + instruction + " on random numbers, from registers"};
}

// Four products of 64 x 128 x k per group of four warps and round.
PipeBenchmark wgmma(const TensorType& type, ComputeCapability cc) {
  const std::string instruction = fmt::format("m64n128k{}.{}", type.k, type.types);
  return {type.pipe,
          "wgmma_roofs.cu",
          "wgmma",
          {architecture_option(cc, true), "-DINSTRUCTION=" + quoted(instruction),
           "-DSCALES=" + quoted(type.scales), integers(type)},
          256,
          4 * 2.0 * 64 * 128 * type.k / 128,
          {},
          "wgmma." + instruction + " on random numbers, from shared memory"};
}

// Eight products per warp and round.
PipeBenchmark fp64_mma(const std::string& shape, int products) {
  return {fp64_tensor_pipe,
          "mma_fp64_roof.cu",
          "fp64_mma",
          {fmt::format("-DM16N8K16={:d}", shape == "m16n8k16")},
          256,
          8 * 2.0 * products / 32,
          {},
          fmt::format("mma.sync.{} in FP64, from registers", shape)};
}

const std::vector<PipeBenchmark>& arithmetic_benchmarks() {
  static const std::vector<PipeBenchmark> table = {
      arithmetic(fp32_pipe, "fp32_fma", 1, operands(0.999f, 0.001f)),
      arithmetic(fp64_pipe, "fp64_fma", 1, operands(0.999, 0.001)),
      arithmetic(fp16_pipe, "fp16_fma", 2, operands(0x3bff3bffu, 0x14001400u)),
      arithmetic(int32_pipe, "int32_mad", 1, operands(0x9e3779b9u, 0x85ebca6bu)),
  };
  return table;
}

std::optional<PipeBenchmark> fp64_tensor_benchmark(const Architecture& architecture) {
  switch (architecture.fp64_mma) {
    case Fp64Mma::m8n8k4:
      return fp64_mma("m8n8k4", 8 * 8 * 4);
    case Fp64Mma::m16n8k16:
      return fp64_mma("m16n8k16", 16 * 8 * 16);
    case Fp64Mma::absent:
      break;
  }
  return {};
}

std::optional<PipeBenchmark> tensor_benchmark(const TensorType& type, const Architecture& architecture) {
  if (type.pipe == std::string_view(fp8_tensor_pipe) && !architecture.fp8) {
    return {};
  }
  switch (architecture.tensor) {
    case TensorInstruction::mma:
      return mma(type);
    case TensorInstruction::wgmma:
      return wgmma(type, architecture.cc);
    case TensorInstruction::none:
    case TensorInstruction::tcgen05:
      break;
  }
  return {};
}

}  // namespace

std::optional<PipeBenchmark> pipe_benchmark(const std::string& pipe, const Architecture& architecture) {
  if (pipe == fp64_tensor_pipe) {
    return fp64_tensor_benchmark(architecture);
  }
  if (const auto type = std::ranges::find(tensor_types, std::string_view(pipe), &TensorType::pipe);
      type != std::end(tensor_types)) {
    return tensor_benchmark(*type, architecture);
  }
  const auto known = std::ranges::find(arithmetic_benchmarks(), pipe, &PipeBenchmark::pipe);
  return known != arithmetic_benchmarks().end() ? std::optional(*known) : std::nullopt;
}

}  // namespace rooftile::worker
