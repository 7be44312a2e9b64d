// The launches that a program made by itself, brought together from all its processes.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/record/session_file.hpp"

namespace rooftile {

// The identity of a point: GPU, kernel, grid, block and dynamic shared memory.
using ProgramIdentity = std::tuple<std::string, std::string, std::array<int, 3>, std::array<int, 3>, int>;
ProgramIdentity program_identity(const Point& point);

// One point for each GPU, kernel and shape, those that took most time first, with ids of their own. The median
// is that of the processes, weighted by their launches, and the counters are those of the process that counted
// most launches; notes say so. Processes whose launches took another time than the counted ones are set aside.
std::vector<Point> merged_program_points(const std::deque<SessionLog>& processes);

// The name of a program's kernel: its readable C++ name, and "copy()" where it is a C function, so that no name
// is mistaken for a kernel of the catalogue.
std::string program_kernel_name(std::string readable);

// In so many characters at most: "void mine::gemm<float, 16>(float const*)" -> "gemm<float, 16>".
std::string short_kernel_name(const std::string& name, std::size_t most = 48);

// "(64,64,1)x(32,32,1)"
std::string shape_text(const Launch& launch);

// Whether launches were counted, each in one pass, and too few of them.
bool is_incomplete(const Point& point);

// Whether a kernel of this name waits for kernels of its kind on other GPUs: NCCL's and NVSHMEM's do. It is
// replayed alone, so it would wait for ever.
bool waits_for_others(const std::string& kernel);

// Whether a kernel of this name runs until the program says that it may end: XLA's does, before kernels that it
// times. Nothing can be counted meanwhile.
bool waits_for_program(const std::string& kernel);

// Totals over all points of a program.
struct ProgramTotals {
  double launches = 0, counted = 0, in_graphs = 0;
  Seconds time, counting;  // on the GPU; and of the program, beyond what it takes by itself
  int kernels = 0, counted_kernels = 0, passes = 0;
  double in_one_pass = 0;      // of the counted launches; the others were replayed
  int incomplete_kernels = 0;  // launched too seldom for all passes
  std::map<std::string, Seconds> uncounted =
      {};  // time of kernels without counters, by why: "launched by CUDA graphs alone"
  std::map<std::string, Seconds> by_range = {};  // time of all kernels by the open NVTX ranges
};
ProgramTotals totals_of(const std::vector<Point>& points);

}  // namespace rooftile
