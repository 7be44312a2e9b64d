#include "kernels/worker/roofs/memory_ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/text/format.hpp"

namespace rooftile::worker {
namespace {

constexpr const char* source_file = "memory_roofs.cu";
constexpr int words_a_round = 8;
constexpr std::int64_t widest_word = 16;

// The bandwidth of kernels that read a small part of memory again and again.
BytesPerSecond repeated(const Microbenchmark& bench, const Kernel& kernel, const Launch& launch,
                        double word_bytes, const Arguments& arguments) {
  const Bytes round{thread_count(launch) * words_a_round * word_bytes};
  return round * Hertz{bench.rounds_per_second(kernel, launch, arguments)};
}

// Many times L2, so that nothing of one run is left for the next, and within the smallest device.
std::size_t buffer_bytes(const Device& device) {
  const double wanted = std::min(20 * device.gpu().l2_size.value, device.free_memory().value / 8);
  return static_cast<std::size_t>(wanted) / 4096 * 4096;
}

// The best of four mixes: which one a memory system likes most differs from chip to chip.
MemoryRoof dram(const Microbenchmark& bench) {
  struct Mix {
    const char* name;
    double buffers;
  };
  const std::size_t bytes = buffer_bytes(bench.device());
  std::array<DeviceMemory, 3> buffers;
  Arguments arguments;
  for (DeviceMemory& buffer : buffers) {
    buffer = DeviceMemory(bench.device(), bytes);
    buffer.fill_bytes(0);
    arguments.add(buffer.pointer());
  }
  arguments.add(static_cast<std::int64_t>(bytes) / widest_word);
  MemoryRoof best{MemoryLevel::dram, {}, Origin::measured, ""};
  for (const Mix mix : {Mix{"read", 1}, Mix{"write", 1}, Mix{"copy", 2}, Mix{"triad", 3}}) {
    const Kernel kernel = bench.kernel(source_file, std::string("dram_") + mix.name);
    const Bytes moved{mix.buffers * static_cast<double>(bytes)};
    const BytesPerSecond rate = moved / bench.fastest(kernel, bench.whole_device(512), arguments);
    if (rate > best.bandwidth) {
      best.bandwidth = rate;
      best.source = fmt::format("{} of {} buffers, the best of read, write, copy and triad", mix.name,
                                text(Bytes{static_cast<double>(bytes)}));
    }
  }
  return best;
}

MemoryRoof l2(const Microbenchmark& bench) {
  // A quarter of L2: half of one part where it has two, so that every SM finds it near.
  const auto bytes = std::bit_floor(static_cast<unsigned>(bench.device().gpu().l2_size.value) / 4);
  DeviceMemory buffer(bench.device(), bytes);
  buffer.fill_bytes(0);
  Arguments arguments;
  arguments.add(buffer.pointer());
  arguments.add(bench.never());
  arguments.add(static_cast<unsigned>(bytes / widest_word));
  const Kernel kernel = bench.kernel(source_file, "l2_read");
  return {MemoryLevel::l2, repeated(bench, kernel, bench.whole_device(1024), widest_word, arguments),
          Origin::measured,
          fmt::format("{} read again and again past L1", text(Bytes{static_cast<double>(bytes)}))};
}

MemoryRoof l1(const Microbenchmark& bench) {
  DeviceMemory buffer(bench.device(), 16384);
  buffer.fill_bytes(0);
  Arguments arguments;
  arguments.add(buffer.pointer());
  arguments.add(bench.never());
  const Kernel kernel = bench.kernel(source_file, "l1_read");
  return {MemoryLevel::l1, repeated(bench, kernel, bench.whole_device(1024), widest_word, arguments),
          Origin::measured, "16 KB of global memory read again and again, 16 bytes per lane"};
}

// Some chips move 4-byte words at half the rate of wider ones.
MemoryRoof shared(const Microbenchmark& bench) {
  MemoryRoof best{MemoryLevel::shared, {}, Origin::measured, ""};
  Arguments arguments;
  arguments.add(bench.never());
  std::string rates;
  for (const int word : {4, 8, 16}) {
    const Kernel kernel = bench.kernel(source_file, fmt::format("shared_read_{}", word));
    const BytesPerSecond rate = repeated(bench, kernel, bench.whole_device(1024), word, arguments);
    best.bandwidth = std::max(best.bandwidth, rate);
    rates += fmt::format("{}{} with {}", rates.empty() ? "" : ", ", text(rate), word);
  }
  best.source = "reads without conflicts: " + rates + " bytes per lane";
  return best;
}

MemoryRoof distributed(const Microbenchmark& bench) {
  MemoryRoof best{MemoryLevel::distributed, {}, Origin::measured, ""};
  Arguments arguments;
  arguments.add(bench.never());
  std::string rates;
  for (const char* way : {"read", "write"}) {
    const Kernel kernel = bench.kernel("distributed_memory_roof.cu", std::string("distributed_") + way);
    const BytesPerSecond rate = repeated(bench, kernel, bench.whole_device(128), widest_word, arguments);
    best.bandwidth = std::max(best.bandwidth, rate);
    rates += fmt::format("{}{} {}", rates.empty() ? "" : ", ", way, text(rate));
  }
  best.source = "between two blocks of a cluster, 16 bytes per lane: " + rates;
  return best;
}

}  // namespace

std::vector<MemoryLevel> measurable_levels(const Gpu& gpu) {
  std::vector<MemoryLevel> levels(memory_levels.begin(), memory_levels.end());
  if (!closest_architecture(gpu.cc).clusters) {
    std::erase(levels, MemoryLevel::distributed);
  }
  return levels;
}

MemoryRoof memory_ceiling(const Microbenchmark& bench, MemoryLevel level) {
  switch (level) {
    case MemoryLevel::dram:
      return dram(bench);
    case MemoryLevel::l2:
      return l2(bench);
    case MemoryLevel::l1:
      return l1(bench);
    case MemoryLevel::shared:
      return shared(bench);
    case MemoryLevel::distributed:
      break;
  }
  return distributed(bench);
}

}  // namespace rooftile::worker
