#include "analysis/source/kernels/kernel_guards.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

TEST(KernelGuards, AreMacrosThatEachKernelStandsBehind) {
  const std::string kernel = "\n__global__ void f(float* x) {}\n";
  const struct {
    std::string code;
    std::vector<std::string> guards;
  } rows[] = {
      {"#ifdef HAVE_CUDA" + kernel + "#endif\n", {"HAVE_CUDA"}},
      {"#if defined(USE_A) && USE_B" + kernel + "#endif\n", {"USE_A", "USE_B"}},
      {"#ifdef A\n#else" + kernel + "#endif\n", {}},
      {"#ifndef MINE_H\n#define MINE_H" + kernel + "#endif\n", {}},
      {"#ifdef __CUDACC__" + kernel + "#endif\n", {}},
      {"#define OWN 1\n#if OWN" + kernel + "#endif\n", {}},
      {"#if LEVEL > 3" + kernel + "#endif\n", {}},
      {"#ifdef A" + kernel + "#endif" + kernel, {}},
      {kernel, {}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(guards_of_kernels(row.code), row.guards) << row.code;
  }
}

}  // namespace
}  // namespace rooftile
