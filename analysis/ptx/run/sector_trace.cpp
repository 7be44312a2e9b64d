#include "analysis/ptx/run/sector_trace.hpp"

#include <algorithm>
#include <tuple>

namespace rooftile::ptx {

void SectorTrace::add(std::int32_t instruction, const std::uint64_t* addresses, std::uint32_t lanes,
                      int bytes) {
  const std::size_t first = sectors.size();
  for_lanes(lanes, [&](int lane) { add_sectors(addresses[lane], static_cast<std::uint64_t>(bytes), first); });
  add_request(instruction, first);
}

void SectorTrace::add_rows(std::int32_t instruction, std::uint64_t begin, std::uint64_t bytes,
                           std::int64_t rows, std::uint64_t apart) {
  const std::size_t first = sectors.size();
  for (std::int64_t row = 0; row < rows; ++row) {
    add_sectors(begin + static_cast<std::uint64_t>(row) * apart, bytes, first);
  }
  add_request(instruction, first);
}

void SectorTrace::add_sectors(std::uint64_t address, std::uint64_t bytes, std::size_t first) {
  constexpr std::uint64_t bytes_of_sector = 32;
  const std::uint64_t last = (address + bytes - 1) / bytes_of_sector;
  for (std::uint64_t sector = address / bytes_of_sector; sector <= last; ++sector) {
    if (sectors.size() == first || sectors.back() != sector) {
      sectors.push_back(sector);
    }
  }
}

void SectorTrace::add_request(std::int32_t instruction, std::size_t first) {
  const auto begin = sectors.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, sectors.end());
  sectors.erase(std::unique(begin, sectors.end()), sectors.end());
  requests.push_back({warps_[warp_].time, instruction, first, static_cast<int>(sectors.size() - first)});
  ++warps_[warp_].requests;
}

bool SectorTrace::is_moved(const SectorRequest& from, const SectorRequest& to) const {
  const auto same = [](const SectorRequest& x) {
    return std::tuple(x.instruction, x.count, x.times, x.time_step, x.sector_step);
  };
  if (same(from) != same(to)) {
    return false;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(from.count); ++i) {
    if (sectors[to.first + i] - sectors[from.first + i] != step(from, to)) {
      return false;
    }
  }
  return true;
}

bool SectorTrace::repeats(const Mark& begin, const Mark& middle, const Mark& end) const {
  const auto at = [&](const Mark& mark) {
    return requests.begin() + static_cast<std::ptrdiff_t>(mark.requests);
  };
  return end.time - middle.time == middle.time - begin.time &&
         std::equal(at(begin), at(middle), at(middle), at(end),
                    [&](const SectorRequest& from, const SectorRequest& to) { return is_moved(from, to); });
}

void SectorTrace::repeat(const Mark& begin, const Mark& end, std::int64_t times) {
  OfWarp& warp = warps_[warp_];
  const std::size_t many = end.requests - begin.requests;
  const std::uint32_t period = end.time - begin.time;
  std::size_t of_period = 0;
  for (std::size_t i = begin.requests; i < end.requests; ++i) {
    of_period += requests[i].times;
  }
  const std::size_t left = most_ - std::min(most_, warp.requests);
  const auto wanted = static_cast<std::uint32_t>(
      of_period == 0 ? times : std::min<std::int64_t>(times, static_cast<std::int64_t>(left / of_period + 1)));
  for (std::size_t i = begin.requests; i < end.requests; ++i) {
    const std::uint64_t moved = step(requests[i - many], requests[i]);
    const bool single = requests[i].times == 1;
    for (std::uint32_t k = 1; k <= (single ? 1 : wanted); ++k) {
      append(requests[i], k * period, k * moved);
    }
    if (single) {
      requests.back().times = wanted;
      requests.back().time_step = period;
      requests.back().sector_step = moved;
    }
  }
  warp.time += wanted * period;
  warp.requests += wanted * of_period;
}

void SectorTrace::append(SectorRequest request, std::uint32_t later, std::uint64_t moved) {
  const std::size_t from = request.first;
  request.time += later;
  request.first = sectors.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(request.count); ++i) {
    sectors.push_back(sectors[from + i] + moved);
  }
  requests.push_back(request);
}

}  // namespace rooftile::ptx
