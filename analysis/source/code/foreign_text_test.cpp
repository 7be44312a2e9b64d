#include "analysis/source/code/foreign_text.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

TEST(ForeignText, IsCalledByItsName) {
  using namespace std::string_view_literals;
  const std::pair<std::string_view, const char*> rows[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
       " is a pointer of Git LFS: fetch the file that it stands for, with git lfs pull."},
      {"\xff\xfe_\0_\0"sv, " is UTF-16: save it as UTF-8."},
      {"\n<!DOCTYPE html>\n<html>", " is a page of the web: download the source that the page shows."},
      {"```cpp\n__global__ void f(int* x) {}\n```\n", " is Markdown: keep the lines between two ``` alone."},
      {"{% extends 'common.cu' %}\n",
       " is a pattern that another program fills in: open the file that it writes."},
      {"int a;\n<<<<<<< HEAD\nint b;\n=======\nint c;\n>>>>>>> other\n",
       "(2): the marks of an unfinished merge stand here: keep one of the two sides."},
      {"__kernel void f(__global int* x) {}",
       " is OpenCL: write the kernel for CUDA, as a __global__ void function."},
      {"#include <metal_stdlib>\nkernel void f() {}",
       " is Metal: write the kernel for CUDA, as a __global__ void function."},
      {"__global__ void f(int* x) {}\nvoid run(int* x) { f<<<1, 32>>>(x); }\n", ""},
      {"// __kernel\n__global__ void f(int* x) {}", ""},
      {"", ""},
  };
  for (const auto& [code, why] : rows) {
    EXPECT_EQ(why_no_cuda(code), why) << code;
  }
}

}  // namespace
}  // namespace rooftile
