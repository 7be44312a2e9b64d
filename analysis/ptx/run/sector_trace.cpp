#include "analysis/ptx/run/sector_trace.hpp"

#include <algorithm>

namespace rooftile::ptx {

void SectorTrace::add(std::int32_t instruction, const std::uint64_t* addresses, std::uint32_t lanes,
                      int bytes) {
  constexpr std::uint64_t bytes_of_sector = 32;
  const std::size_t first = sectors.size();
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) != 0) {
      const std::uint64_t last = (addresses[lane] + static_cast<std::uint64_t>(bytes) - 1) / bytes_of_sector;
      for (std::uint64_t sector = addresses[lane] / bytes_of_sector; sector <= last; ++sector) {
        if (sectors.size() == first || sectors.back() != sector) {
          sectors.push_back(sector);
        }
      }
    }
  }
  const auto begin = sectors.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, sectors.end());
  sectors.erase(std::unique(begin, sectors.end()), sectors.end());
  requests.push_back({warps_[warp_].time, instruction, first, static_cast<int>(sectors.size() - first)});
  ++warps_[warp_].requests;
}

bool SectorTrace::moves_on(const Mark& begin, const Mark& middle) const {
  const std::size_t period = middle.request - begin.request;
  if (requests.size() - middle.request != period || mark().time - middle.time != middle.time - begin.time) {
    return false;
  }
  for (std::size_t i = middle.request; i < requests.size(); ++i) {
    const SectorRequest &now = requests[i], &before = requests[i - period];
    if (now.instruction != before.instruction || now.count != before.count) {
      return false;
    }
    const std::uint64_t step = now.count > 0 ? sectors[now.first] - sectors[before.first] : 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(now.count); ++k) {
      if (sectors[now.first + k] - sectors[before.first + k] != step) {
        return false;
      }
    }
  }
  return true;
}

void SectorTrace::go_on(const Mark& begin, const Mark& middle, std::int64_t times) {
  const std::size_t period = middle.request - begin.request;
  const std::uint32_t duration = middle.time - begin.time;
  for (std::size_t left = static_cast<std::size_t>(times) * period; left > 0 && !is_full(); --left) {
    const SectorRequest before = requests[requests.size() - 2 * period],
                        now = requests[requests.size() - period];
    const std::size_t first = sectors.size();
    for (std::size_t k = 0; k < static_cast<std::size_t>(now.count); ++k) {
      sectors.push_back(2 * sectors[now.first + k] - sectors[before.first + k]);
    }
    requests.push_back({now.time + duration, now.instruction, first, now.count});
    ++warps_[warp_].requests;
  }
  warps_[warp_].time += static_cast<std::uint32_t>(times) * duration;
}

}  // namespace rooftile::ptx
