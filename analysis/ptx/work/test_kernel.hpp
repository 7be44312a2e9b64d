// For tests: small kernels in PTX, and launches of them.
#pragma once

#include <fmt/format.h>

#include <cstring>

#include "analysis/ptx/text/ptx_text.hpp"
#include "analysis/ptx/work/kernel_work.hpp"

namespace rooftile::ptx {

// Two buffers and a number as parameters; %rd1, %rd2 and %r1 hold them, %r2 the index of the thread in the
// grid.
inline std::string kernel_text(const std::string& body, const std::string& declarations = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + declarations +
         R"(
.visible .entry kernel(
	.param .u64 kernel_param_0,
	.param .u64 kernel_param_1,
	.param .u32 kernel_param_2
)
.maxntid 1024, 1, 1
{
	.reg .pred 	%p<20>;
	.reg .f32 	%f<20>;
	.reg .b32 	%r<40>;
	.reg .b64 	%rd<40>;
	.loc	1 3 0
	ld.param.u64 	%rd1, [kernel_param_0];
	ld.param.u64 	%rd2, [kernel_param_1];
	ld.param.u32 	%r1, [kernel_param_2];
	mov.u32 	%r3, %ctaid.x;
	mov.u32 	%r4, %ntid.x;
	mov.u32 	%r5, %tid.x;
	mad.lo.s32 	%r2, %r3, %r4, %r5;
)" + body +
         "\n}\n\t.file\t1 \"/somewhere/kernel.cu\"\n";
}

inline void add_argument(ProgramLaunch& launch, auto value) {
  std::string& all = launch.arguments;
  all.resize((all.size() + sizeof value - 1) / sizeof value * sizeof value);
  all.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Two buffers of so many floats each, and a number.
inline ProgramLaunch launch_with(Dim3 grid, Dim3 block, std::uint64_t floats, int number) {
  ProgramLaunch launch;
  launch.launch.grid = grid;
  launch.launch.block = block;
  launch.buffers = {{"in", 4 * floats, 4, {}}, {"out", 4 * floats, 4, {}}};
  add_argument(launch, buffer_address(0));
  add_argument(launch, buffer_address(1));
  add_argument(launch, number);
  return launch;
}

inline KernelWork work_of_body(const std::string& body, const ProgramLaunch& launch) {
  constexpr Budget small{.warp_instructions = 100'000};
  return work_of(parse_ptx(kernel_text(body)), launch, small);
}

}  // namespace rooftile::ptx
