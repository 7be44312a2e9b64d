#include "analysis/ptx/run/request.hpp"

#include <bit>

namespace rooftile::ptx {

LaneAddresses lane_addresses(const std::uint64_t* addresses, std::uint32_t lanes, std::uint64_t modulus) {
  LaneAddresses result;
  const std::uint64_t base = addresses[std::countr_zero(lanes)] / modulus * modulus;
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) != 0) {
      result[static_cast<std::size_t>(lane)] = static_cast<std::int64_t>(addresses[lane] - base);
    }
  }
  return result;
}

Request global_request(const std::uint64_t* addresses, std::uint32_t lanes, int bytes, AccessKind kind) {
  // Lanes below the first one count back from a line, which must not be line 0.
  constexpr std::uint64_t far = std::uint64_t{1} << 60, most = (std::uint64_t{1} << 62) - 1;
  LaneAddresses at = lane_addresses(addresses, lanes, line_bytes);
  for (auto& address : at) {
    if (address) {
      address = static_cast<std::int64_t>((static_cast<std::uint64_t>(*address) + far) & most);
    }
  }
  Request request{.global = coalescing(at, bytes, kind != AccessKind::load)};
  if (kind == AccessKind::atomic) {
    request.global.sectors = atomic_sectors(at);
    request.of_one_word = lanes_of_one_word(at);
  }
  return request;
}

Request shared_request(const std::uint64_t* addresses, std::uint32_t lanes, int bytes, bool store) {
  const BankPattern pattern =
      bank_pattern(lane_addresses(addresses, lanes, bank_count * bank_bytes), bytes, store);
  return {.wavefronts = pattern.wavefronts, .ideal = pattern.ideal_wavefronts};
}

void RequestMemo::normalise(const std::uint64_t* addresses, std::uint32_t lanes, int bytes, int repeats,
                            Entry& entry) {
  entry.lanes = lanes;
  entry.bytes = bytes;
  const std::uint64_t base = addresses[std::countr_zero(lanes)] & ~static_cast<std::uint64_t>(repeats - 1);
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    const std::uint32_t active = 0 - (lanes >> lane & 1);
    entry.offsets[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(addresses[lane] - base) & active;
  }
}

}  // namespace rooftile::ptx
