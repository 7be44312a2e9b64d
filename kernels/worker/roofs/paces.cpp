#include "kernels/worker/roofs/paces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/text/format.hpp"

namespace rooftile::worker {
namespace {

constexpr const char* paces_file = "paces.cu";
constexpr double line_bytes = 128, loads_a_round = 8;

// The ring's length, a power of two. In DRAM it is so long that L2 has lost a line before it comes again, and
// short enough for the smallest device.
unsigned lines_of(Pace pace, const Device& device) {
  constexpr double of_l1 = 16384;
  const double l2 = device.gpu().l2_size.value;
  const double bytes = pace == Pace::l1_load   ? of_l1
                       : pace == Pace::l2_load ? l2 / 8
                                               : std::min(16 * l2, device.free_memory().value / 8);
  return std::bit_floor(static_cast<unsigned>(bytes / line_bytes));
}

double cycles(const Device& device, Seconds time) {
  return time.value * device.gpu().boost_clock.value;
}

PaceFigure load(const Microbenchmark& bench, Pace pace) {
  const Device& device = bench.device();
  const unsigned lines = lines_of(pace, device);
  const DeviceMemory ring(device, static_cast<std::size_t>(lines * line_bytes));
  const DeviceMemory place(device, sizeof(unsigned));
  place.fill_bytes(0);
  Arguments arguments;
  arguments.add(ring.pointer());
  Arguments to_link = arguments;
  to_link.add(lines);
  bench.kernel(paces_file, "link_lines").launch(bench.whole_device(512), to_link);
  arguments.add(place.pointer());
  const char* const entry = pace == Pace::l1_load ? "follow_through_l1" : "follow_past_l1";
  const Kernel kernel = bench.kernel(paces_file, entry);
  const Seconds round{1 / bench.rounds_per_second(kernel, Launch{}, arguments)};
  return {pace, cycles(device, round) / loads_a_round, Origin::measured,
          fmt::format("loads of one thread that wait for each other, in {}", text(Bytes{lines * line_bytes}))};
}

// The start of the launch itself is about a hundredth of it (H200).
PaceFigure block_start(const Microbenchmark& bench) {
  constexpr int blocks = 1 << 18;
  Launch launch;
  launch.block.x = 64;
  launch.grid.x = blocks;
  const Seconds time = bench.fastest(bench.kernel(paces_file, "do_nothing"), launch, {});
  return {Pace::block_start, cycles(bench.device(), time) / blocks, Origin::measured,
          fmt::format("a launch of {} that do nothing", counted(blocks, "block"))};
}

}  // namespace

PaceFigure measured_pace(const Microbenchmark& bench, Pace pace) {
  return pace == Pace::block_start ? block_start(bench) : load(bench, pace);
}

}  // namespace rooftile::worker
