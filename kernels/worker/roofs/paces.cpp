#include "kernels/worker/roofs/paces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/chip/architecture.hpp"
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

constexpr double steps_a_round = 8;

Seconds step(const Microbenchmark& bench, const Kernel& kernel, const Launch& launch,
             const Arguments& arguments) {
  return Seconds{1 / (steps_a_round * bench.rounds_per_second(kernel, launch, arguments))};
}

PaceFigure atomic_in_l2(const Microbenchmark& bench, Pace pace) {
  const Device& device = bench.device();
  const bool on_one_word = pace == Pace::l2_atomic_of_one_word;
  constexpr unsigned many = 1 << 20;
  const unsigned words = on_one_word ? 1 : many;
  const DeviceMemory memory(device, words * sizeof(unsigned));
  memory.fill_bytes(0);
  Arguments arguments;
  arguments.add(memory.pointer());
  arguments.add(words - 1);
  const Launch launch = bench.whole_device(1024);
  const Seconds time = step(bench, bench.kernel("atomic_paces.cu", "add_at_random"), launch, arguments);
  const double lanes = thread_count(launch) / (on_one_word ? 1 : device.gpu().sm_count);
  return {pace, cycles(device, time) / lanes, Origin::measured,
          fmt::format("all SMs add to {}", counted(words, "random word"))};
}

// On half of the SMs, so that there is room for every cluster.
Launch clusters_of_eight(const Device& device, int threads) {
  Launch launch;
  launch.block.x = threads;
  launch.grid.x = std::max(1, device.gpu().sm_count / 16) * 8;
  return launch;
}

PaceFigure cluster_barrier(const Microbenchmark& bench) {
  const Seconds time = step(bench, bench.kernel("cluster_paces.cu", "meet_often"),
                            clusters_of_eight(bench.device(), 256), Arguments());
  return {Pace::cluster_barrier, cycles(bench.device(), time), Origin::measured,
          "8 blocks of 256 threads that meet again and again"};
}

PaceFigure remote_atomic(const Microbenchmark& bench, Pace pace) {
  constexpr int threads = 1024, senders = 7;
  const bool on_one_word = pace == Pace::remote_atomic_of_one_word;
  const Kernel kernel = bench.kernel("cluster_paces.cu", on_one_word ? "add_to_one_word" : "add_to_others");
  Arguments arguments;
  if (on_one_word) {
    arguments.add(0u);
  }
  const Seconds time = step(bench, kernel, clusters_of_eight(bench.device(), threads), arguments);
  return {pace, cycles(bench.device(), time) / (threads * (on_one_word ? senders : 1)), Origin::measured,
          on_one_word ? "7 blocks of a cluster add to a word of the eighth"
                      : "8 blocks of a cluster add to 1,024 words of each other"};
}

}  // namespace

std::vector<Pace> measurable_paces(const Gpu& gpu) {
  std::vector<Pace> paces(all_paces.begin(), all_paces.end());
  if (!closest_architecture(gpu.cc).clusters) {
    std::erase_if(paces, needs_clusters);
  }
  return paces;
}

PaceFigure measured_pace(const Microbenchmark& bench, Pace pace) {
  switch (pace) {
    case Pace::l1_load:
    case Pace::l2_load:
    case Pace::dram_load:
      return load(bench, pace);
    case Pace::block_start:
      return block_start(bench);
    case Pace::cluster_barrier:
      return cluster_barrier(bench);
    case Pace::l2_atomic:
    case Pace::l2_atomic_of_one_word:
      return atomic_in_l2(bench, pace);
    case Pace::remote_atomic:
    case Pace::remote_atomic_of_one_word:
      break;
  }
  return remote_atomic(bench, pace);
}

}  // namespace rooftile::worker
