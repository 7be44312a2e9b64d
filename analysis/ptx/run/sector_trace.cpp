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

}  // namespace rooftile::ptx
