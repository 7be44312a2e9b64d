#include "kernels/worker/measure/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <functional>

#include "analysis/format.hpp"
#include "analysis/records.hpp"

namespace rooftile::worker {
namespace {

// The fastest counts: a roof is what can be reached. Runs of a millisecond, many of them: a window that draws
// on the same GPU takes its turns between some, and would take them inside every longer one.
constexpr int repeats = 20;
constexpr std::int64_t bytes_per_lane = 16;

class Ceilings {
 public:
  Ceilings(const Device& device, const Compiler& compiler, const std::filesystem::path& sources)
      : device_(device), compiler_(compiler), source_(sources / "ceilings/ceilings.cu") {
    // Many times L2, so that nothing of one run is left for the next, and within the smallest device.
    const double wanted = std::min(20 * device.gpu().l2_size.value, device.free_memory().value / 8);
    const auto bytes = static_cast<std::size_t>(wanted) / 4096 * 4096;
    for (DeviceMemory& buffer : buffers_) {
      buffer = DeviceMemory(device, bytes);
      buffer.fill_bytes(0);
    }
  }

  Roofs measure() {
    Roofs roofs;
    roofs.gpu = device_.gpu().name;
    roofs.memory = {dram(), l2(), l1(), shared()};
    roofs.compute = {fp32()};
    return roofs;
  }

 private:
  Seconds fastest(const std::string& entry, const Launch& launch, Arguments arguments) {
    const Binary binary = compiler_.compile(source_, entry, {}, device_.gpu().cc);
    const Kernel kernel(device_, binary.cubin, entry);
    const Event begin(device_), end(device_);
    Seconds best{1e9};
    for (int i = 0; i < repeats; ++i) {
      begin.record();
      kernel.launch(launch, arguments);
      end.record();
      best = std::min(best, end.since(begin));
    }
    return best;
  }

  // Blocks that fill every SM.
  Launch whole_device(int threads) const {
    Launch launch;
    launch.block.x = threads;
    launch.grid.x = device_.gpu().sm_count * (device_.gpu().sm.threads / threads);
    return launch;
  }
  double threads(const Launch& launch) const {
    return static_cast<double>(launch.grid.count() * launch.block.count());
  }

  // The best of four mixes: which one a memory system likes most differs from chip to chip.
  MemoryRoof dram() {
    struct Mix {
      const char* name;
      double buffers;
    };
    const double bytes = static_cast<double>(buffers_[0].bytes());
    MemoryRoof best{MemoryLevel::dram, {}, Origin::measured, ""};
    for (const Mix mix : {Mix{"read", 1}, Mix{"write", 1}, Mix{"copy", 2}, Mix{"triad", 3}}) {
      Arguments arguments;
      for (const DeviceMemory& buffer : buffers_) {
        arguments.add(buffer.pointer());
      }
      arguments.add(static_cast<std::int64_t>(buffers_[0].bytes()) / bytes_per_lane);
      const BytesPerSecond rate =
          Bytes{mix.buffers * bytes} / fastest(std::string("dram_") + mix.name, whole_device(512), arguments);
      if (rate > best.bandwidth) {
        best.bandwidth = rate;
        best.source = fmt::format("{} of {} buffers, the best of read, write, copy and triad", mix.name,
                                  text(Bytes{bytes}));
      }
    }
    return best;
  }

  MemoryRoof l2() {
    const int rounds = 200;
    // A quarter of L2: half of one part where it has two, so that every SM finds it near.
    const auto bytes = std::bit_floor(static_cast<unsigned>(device_.gpu().l2_size.value) / 4);
    Arguments arguments;
    arguments.add(buffers_[0].pointer());
    arguments.add(buffers_[2].pointer());
    arguments.add(static_cast<unsigned>(bytes / bytes_per_lane));
    arguments.add(rounds);
    const Launch launch = whole_device(1024);
    const Bytes moved{threads(launch) * rounds * 8 * bytes_per_lane};
    return {MemoryLevel::l2, moved / fastest("l2_read", launch, arguments), Origin::measured,
            fmt::format("{} read again and again past L1", text(Bytes{static_cast<double>(bytes)}))};
  }

  MemoryRoof l1() {
    const int rounds = 1000;
    Arguments arguments;
    arguments.add(buffers_[0].pointer());
    arguments.add(buffers_[2].pointer());
    arguments.add(rounds);
    const Launch launch = whole_device(1024);
    const Bytes moved{threads(launch) * rounds * 8 * bytes_per_lane};
    return {MemoryLevel::l1, moved / fastest("l1_read", launch, arguments), Origin::measured,
            "16 KB of global memory read again and again, 16 bytes a lane"};
  }

  MemoryRoof shared() {
    const int rounds = 1000;
    Arguments arguments;
    arguments.add(buffers_[2].pointer());
    arguments.add(rounds);
    const Launch launch = whole_device(1024);
    const Bytes moved{threads(launch) * rounds * 8 * bytes_per_lane};
    return {MemoryLevel::shared, moved / fastest("shared_read", launch, arguments), Origin::measured,
            "16-byte reads a lane without conflicts"};
  }

  ComputeRoof fp32() {
    const int rounds = 1000;
    Arguments arguments;
    arguments.add(buffers_[2].pointer());
    arguments.add(0.999f);
    arguments.add(0.001f);
    arguments.add(rounds);
    const Launch launch = whole_device(512);
    const Flops work{threads(launch) * rounds * 64 * 2};
    return {std::string(fp32_pipe), work / fastest("fp32_fma", launch, arguments), Origin::measured,
            "eight independent FMA chains a thread"};
  }

  const Device& device_;
  const Compiler& compiler_;
  std::filesystem::path source_;
  std::array<DeviceMemory, 3> buffers_;
};

}  // namespace

Roofs measure_ceilings(const Device& device, const Compiler& compiler, const std::filesystem::path& sources) {
  return Ceilings(device, compiler, sources).measure();
}

Roofs kept_ceilings(const Device& device, const Compiler& compiler, const std::filesystem::path& sources,
                    const std::filesystem::path& folder, bool again) {
  const std::string key = device.gpu().name + " driver " + device.driver().version();
  const std::filesystem::path file = folder / fmt::format("roofs-{:016x}.jsonl", std::hash<std::string>{}(key));
  std::string line;
  if (std::ifstream in(file); !again && std::getline(in, line)) {
    try {
      if (const auto record = parse_record(line); record && std::holds_alternative<RoofsRecord>(*record)) {
        return std::get<RoofsRecord>(*record).roofs;
      }
    } catch (const Error&) {
      // Written by an older version: measured anew below.
    }
  }
  Roofs roofs = measure_ceilings(device, compiler, sources);
  std::ofstream(file) << to_line(Record{RoofsRecord{roofs}}) << '\n';
  return roofs;
}

}  // namespace rooftile::worker
