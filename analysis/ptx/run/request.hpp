// The cost of one access of a warp, from the addresses of its lanes. It is remembered by instruction, since a
// loop repeats the same pattern.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/model/coalescing.hpp"
#include "analysis/ptx/lanes/arithmetic.hpp"

namespace rooftile::ptx {

enum class AccessKind : std::uint8_t { load, store, atomic };

struct Request {
  Coalescing global = {};         // of global memory; sectors of an atomic: as often as it moves them
  int of_one_word = 0;            // of an atomic: the most lanes that mean one word
  int wavefronts = 0, ideal = 0;  // of shared memory
};

// bytes: that a lane moves.
Request global_request(const std::uint64_t* addresses, std::uint32_t lanes, int bytes, AccessKind kind);
Request shared_request(const std::uint64_t* addresses, std::uint32_t lanes, int bytes, bool store);
// From the start of the `modulus` bytes that the first of these lanes is in. The lanes that are left out are
// empty.
LaneAddresses lane_addresses(const std::uint64_t* addresses, std::uint32_t lanes, std::uint64_t modulus);

class RequestMemo {
 public:
  // The result of `work_out`, or an earlier result for the same pattern of lanes, shifted by a multiple of
  // `repeats` bytes.
  const Request& find(const std::uint64_t* addresses, std::uint32_t lanes, int bytes, int repeats,
                      auto&& work_out) {
    Entry seen;
    normalise(addresses, lanes, bytes, repeats, seen);
    for (const Entry& known : entries_) {
      if (known.lanes == lanes && known.bytes == bytes && known.offsets == seen.offsets) {
        return known.request;
      }
    }
    seen.request = work_out();
    if (entries_.size() < most) {
      return entries_.emplace_back(seen).request;
    }
    next_ = (next_ + 1) % most;
    entries_[next_] = seen;
    return entries_[next_].request;
  }

 private:
  static constexpr std::size_t most = 8;
  struct Entry {
    std::uint32_t lanes = 0;
    int bytes = 0;
    std::array<std::uint32_t, lanes_of_warp> offsets{};
    Request request;
  };
  static void normalise(const std::uint64_t* addresses, std::uint32_t lanes, int bytes, int repeats,
                        Entry& entry);
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
};

}  // namespace rooftile::ptx
