#include "analysis/chip/roofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr std::array origins_by_evidence = {Origin::measured, Origin::spec, Origin::datasheet};

template <class Roof, class Matches>
const Roof* best(const std::vector<Roof>& roofs, std::optional<Origin> wanted, Matches matches) {
  for (const Origin origin : origins_by_evidence) {
    const auto roof =
        std::ranges::find_if(roofs, [&](const Roof& each) { return each.origin == origin && matches(each); });
    if (roof != roofs.end() && (!wanted || *wanted == origin)) {
      return &*roof;
    }
  }
  return nullptr;
}

// Measured at 1.98 GHz (2026-11): chases of pointers, and empty kernels of 2^16 and 2^20 blocks. The whole chip
// starts one block at a time, whatever its size up to 512 threads (1.35 cycles with 1,024), while the SMs work:
// recorded copies of 2^18 and 2^19 blocks take 1.02 and 1.00 of that time. Atomics and
// clusters: as the worker measures them (2026-11-28).
const std::array<PaceFigure, all_paces.size()>& paces_of_h200() {
  static const auto figure = [](Pace pace, double cycles) {
    return PaceFigure{pace, cycles, Origin::datasheet, "measured on an H200"};
  };
  static const std::array<PaceFigure, all_paces.size()> all = {figure(Pace::l1_load, 43),
                                                               figure(Pace::l2_load, 287),
                                                               figure(Pace::dram_load, 665),
                                                               figure(Pace::block_start, 1.2),
                                                               figure(Pace::cluster_barrier, 364),
                                                               figure(Pace::l2_atomic, 2.48),
                                                               figure(Pace::l2_atomic_of_one_word, 1.45),
                                                               figure(Pace::remote_atomic, 3.16),
                                                               figure(Pace::remote_atomic_of_one_word, 1.5)};
  return all;
}

std::string quoted(const Gpu& gpu, const std::string& figure) {
  const auto note = gpu.notes.find(figure);
  return "quoted: " + gpu.source + (note == gpu.notes.end() ? "" : "; " + note->second);
}

MemoryRoof roof_per_clock(const Gpu& gpu, MemoryLevel level, double bytes_of_sm) {
  return {
      level, Bytes{gpu.sm_count * bytes_of_sm} * gpu.boost_clock, Origin::datasheet,
      fmt::format("{} SMs x {} B per clock x {}", gpu.sm_count, number(bytes_of_sm), text(gpu.boost_clock))};
}

ComputeRoof roof_per_clock(const Gpu& gpu, const char* pipe, double of_sm, const char* what) {
  return {pipe,
          Flops{gpu.sm_count * of_sm} * gpu.boost_clock,
          Origin::datasheet,
          fmt::format("{} SMs x {} {} x {}", gpu.sm_count, number(of_sm), what, text(gpu.boost_clock)),
          {}};
}

// Source: CUDA Programming Guide, throughput of arithmetic instructions: 64 multiply-adds of 32 bits per clock
// and SM since Volta, several instructions each before. NVIDIA's whitepapers: tensor cores take INT8 at twice
// the rate of FP16, since Turing.
void add_integer_roofs(const Gpu& gpu, Roofs& roofs) {
  constexpr ComputeCapability volta{7, 0}, turing{7, 5};
  if (gpu.cc >= volta) {
    roofs.compute.push_back(roof_per_clock(gpu, int32_pipe, 128, "operations per clock"));
  }
  const auto fast = gpu.quoted_peaks.find("FP16 tensor, FP16 accumulate");
  const auto halves = fast != gpu.quoted_peaks.end() ? fast : gpu.quoted_peaks.find("FP16 tensor");
  if (gpu.cc >= turing && halves != gpu.quoted_peaks.end()) {
    roofs.compute.push_back(
        {int8_tensor_pipe, 2 * halves->second, Origin::datasheet, "twice the FP16 tensor peak", {}});
  }
}

}  // namespace

std::string_view key(Origin origin) {
  constexpr std::array<std::string_view, origins_by_evidence.size()> keys = {"measured", "spec", "datasheet"};
  return keys[static_cast<std::size_t>(origin)];
}

std::string_view key(Pace pace) {
  constexpr std::array<std::string_view, all_paces.size()> keys = {"l1_load",
                                                                   "l2_load",
                                                                   "dram_load",
                                                                   "block_start",
                                                                   "cluster_barrier",
                                                                   "l2_atomic",
                                                                   "l2_atomic_of_one_word",
                                                                   "remote_atomic",
                                                                   "remote_atomic_of_one_word"};
  return keys[static_cast<std::size_t>(pace)];
}

std::string_view title(Pace pace) {
  constexpr std::array<std::string_view, all_paces.size()> titles = {
      "load that hits L1",
      "load that hits L2",
      "load from DRAM",
      "start of a block",
      "barrier of a cluster",
      "atomic in L2, a lane",
      "atomic in L2 on one word, a lane",
      "atomic on another block, a lane",
      "atomic on one word of another block, a lane"};
  return titles[static_cast<std::size_t>(pace)];
}

bool needs_clusters(Pace pace) {
  return pace == Pace::cluster_barrier || pace == Pace::remote_atomic ||
         pace == Pace::remote_atomic_of_one_word;
}

const MemoryRoof* Roofs::find(MemoryLevel level, std::optional<Origin> origin) const {
  return best(memory, origin, [&](const MemoryRoof& roof) { return roof.level == level; });
}

const ComputeRoof* Roofs::find(const std::string& pipe, std::optional<Origin> origin) const {
  return best(compute, origin, [&](const ComputeRoof& roof) { return roof.pipe == pipe; });
}

const PaceFigure& Roofs::find(Pace pace) const {
  const PaceFigure* const known = best(paces, {}, [&](const PaceFigure& each) { return each.pace == pace; });
  return known != nullptr ? *known : paces_of_h200()[static_cast<std::size_t>(pace)];
}

void Roofs::add(const Roofs& more) {
  paces.insert(paces.end(), more.paces.begin(), more.paces.end());
  memory.insert(memory.end(), more.memory.begin(), more.memory.end());
  compute.insert(compute.end(), more.compute.begin(), more.compute.end());
}

std::string text(FlopsPerSecond rate, std::string_view pipe) {
  std::string words = text(rate);
  if (pipe == warp_issue) {
    return words.replace(words.find("FLOP"), 4, "inst");
  }
  return pipe.starts_with("INT") ? words.erase(words.find("FL"), 2) : words;
}

Roofs datasheet_roofs(const Gpu& gpu) {
  Roofs roofs{gpu.name, {}, {}};
  roofs.memory.push_back({MemoryLevel::dram, gpu.quoted_dram, Origin::datasheet, quoted(gpu, "DRAM")});
  const Architecture& architecture = closest_architecture(gpu.cc);
  roofs.memory.push_back(roof_per_clock(gpu, MemoryLevel::l2, architecture.l2_bytes_per_clock));
  roofs.memory.push_back(roof_per_clock(gpu, MemoryLevel::l1, architecture.l1_bytes_per_clock));
  roofs.memory.push_back(roof_per_clock(gpu, MemoryLevel::shared, architecture.l1_bytes_per_clock));
  for (const char* pipe : pipes) {
    const std::string figure(short_name(pipe));
    if (const auto peak = gpu.quoted_peaks.find(figure); peak != gpu.quoted_peaks.end()) {
      roofs.compute.push_back({pipe, peak->second, Origin::datasheet, quoted(gpu, figure)});
    }
  }
  for (const Pace pace : all_paces) {
    if (const auto cycles = gpu.quoted_cycles.find(key(pace)); cycles != gpu.quoted_cycles.end()) {
      roofs.paces.push_back({pace, cycles->second, Origin::datasheet, "quoted: " + gpu.cycles_source});
    }
  }
  add_integer_roofs(gpu, roofs);
  roofs.compute.push_back(roof_per_clock(gpu, warp_issue, gpu.sm.sub_partitions, "warp schedulers"));
  return roofs;
}

}  // namespace rooftile
