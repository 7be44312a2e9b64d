#include "kernels/worker/measure/known_answer.hpp"

#include <fmt/format.h>

#include "analysis/text/format.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

std::optional<Counters> count_known_answer(const Device& device, const Compiler& compiler,
                                           const std::filesystem::path& sources, Counting& counting) {
  const int rounds = 256, fmas_a_round = 64;
  Launch launch;
  launch.block.x = 256;
  launch.grid.x = device.gpu().sm_count;
  const Binary binary =
      compiler.compile(sources / "worker/device_code/arithmetic_roofs.cu", "fp32_fma", {}, device.gpu().cc);
  const DeviceMemory never(device, sizeof(float));
  Arguments arguments;
  arguments.add(never.pointer());
  arguments.add(0.999f);
  arguments.add(0.001f);
  arguments.add(rounds);
  counting.settle();
  const Kernel kernel(device, binary.cubin, "fp32_fma");
  const std::vector<Counters> counted =
      counting.count({}, {{[] {}, [&] { kernel.launch(launch, arguments); }}});
  if (counted.empty()) {
    return std::nullopt;
  }
  const Counters& counters = counted.front();
  const double expected =
      static_cast<double>(launch.grid.count() * launch.block.count()) * rounds * fmas_a_round;
  if (counters.ffma && *counters.ffma != expected) {
    counting.distrust(
        fmt::format("a chain of {} FMAs was counted as {}", count(expected), count(*counters.ffma)));
    return std::nullopt;
  }
  return counters;
}

}  // namespace rooftile::worker
