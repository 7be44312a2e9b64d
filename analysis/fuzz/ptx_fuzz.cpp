// PTX from a stranger: whatever it is, it is followed to an end within its budget, or refused with a sentence.
#include <cstddef>
#include <cstdint>

#include "analysis/ptx/text/ptx_text.hpp"
#include "analysis/ptx/work/kernel_work.hpp"
#include "analysis/ptx/work/memory_traffic.hpp"
#include "analysis/ptx/work/races.hpp"
#include "analysis/text/error.hpp"

namespace {

rooftile::ptx::ProgramLaunch some_launch() {
  rooftile::ptx::ProgramLaunch launch;
  launch.launch.grid = {2, 2, 1};
  launch.launch.block = {32, 2, 1};
  launch.launch.dynamic_shared_bytes = 4096;
  for (std::size_t i = 0; i < 3; ++i) {
    launch.buffers.push_back({"buffer", 65536, 4, [](std::uint64_t index) { return index * 7; }});
    const std::uint64_t address = rooftile::ptx::buffer_address(i);
    launch.arguments.append(reinterpret_cast<const char*>(&address), sizeof address);
  }
  launch.arguments.append(64, '\x10');
  return launch;
}

rooftile::Gpu some_gpu() {
  rooftile::Gpu gpu;
  gpu.cc = {9, 0};
  gpu.sm_count = 4;
  gpu.l2_size = {1 << 20};
  return gpu;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rooftile::ptx;
  static const ProgramLaunch launch = some_launch();
  constexpr Budget small{.warp_instructions = 20'000, .register_bytes = 16 << 20};
  try {
    const Program program = parse_ptx({reinterpret_cast<const char*>(data), size});
    const KernelWork work = work_of(program, launch, small);
    constexpr Residency full{.blocks = 4, .sms = 4, .l1_bytes = 1 << 16};
    static_cast<void>(memory_traffic(program, launch, work, full, some_gpu(), rooftile::Caches::cold));
    static_cast<void>(races_of(program, launch, small));
  } catch (const rooftile::Error&) {
    return 0;
  }
  return 0;
}
