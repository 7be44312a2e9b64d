// A table of GPUs from a stranger: it is read, and every chip in it gets roofs and an occupancy.
#include <cstddef>
#include <cstdint>

#include "analysis/chip/occupancy.hpp"
#include "analysis/model/fit.hpp"
#include "analysis/roofline/roof_table.hpp"
#include "analysis/text/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rooftile;
  try {
    const GpuTable table = read_gpu_table({reinterpret_cast<const char*>(data), size}, "gpus.toml");
    for (const Gpu& gpu : table.gpus) {
      roof_table(datasheet_roofs(gpu));
      const BlockResources block{.threads = 256, .registers_per_thread = 64, .static_shared_bytes = 4096};
      occupancy(block, gpu.sm);
      next_cliff(block, gpu.sm);
      why_unfit(block, gpu);
      find_gpu(table.gpus, gpu.name);
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
