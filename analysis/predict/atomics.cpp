#include "analysis/predict/atomics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "analysis/model/banks.hpp"

namespace rooftile {
namespace {

constexpr int word_bytes = 4, words_of_sector = 8, drawn_warps = 64;
constexpr double bytes_of_slice_turn = 512;

class RandomWarps {
 public:
  explicit RandomWarps(const AtomicModel& atomic) : atomic_(atomic) {}

  LaneAddresses next() {
    LaneAddresses addresses;
    for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
      if (chance() < atomic_.active) {
        addresses[lane] = word_of(lane) * word_bytes;
      }
    }
    return addresses;
  }

 private:
  std::int64_t word_of(std::size_t lane) {
    if (atomic_.lanes == AtomicLanes::neighbours) {
      return static_cast<std::int64_t>(lane);
    }
    return static_cast<std::int64_t>(chance() < atomic_.same ? 0 : std::floor(chance() * atomic_.addresses));
  }

  double chance() {
    return static_cast<double>(engine_() - engine_.min()) / static_cast<double>(engine_.max());
  }

  const AtomicModel& atomic_;
  std::minstd_rand engine_{1};
};

int turns_in_l2(const LaneAddresses& addresses) {
  std::map<std::int64_t, int> lanes_of_word, turns_of_sector;
  for (const auto& address : addresses) {
    if (address) {
      int& turns = turns_of_sector[*address / (word_bytes * words_of_sector)];
      turns = std::max(turns, ++lanes_of_word[*address]);
    }
  }
  int sum = 0;
  for (const auto& [sector, turns] : turns_of_sector) {
    sum += turns;
  }
  return sum;
}

struct MeanWarp {
  double wavefronts = 0, l2_turns = 0;
};

MeanWarp drawn(const AtomicModel& atomic) {
  RandomWarps warps(atomic);
  MeanWarp sum;
  for (int i = 0; i < drawn_warps; ++i) {
    const LaneAddresses addresses = warps.next();
    sum.wavefronts += bank_pattern(addresses, word_bytes, false).wavefronts;
    sum.l2_turns += turns_in_l2(addresses);
  }
  return {sum.wavefronts / drawn_warps, sum.l2_turns / drawn_warps};
}

// Drawing takes 0.2 ms, and a forecast of every place of a kernel's dials asks thousands of times for few
// atomics.
const MeanWarp& mean_warp(const AtomicModel& atomic) {
  constexpr std::size_t most_kept = 1000;
  thread_local std::map<std::tuple<AtomicLanes, double, double, double>, MeanWarp> kept;
  if (kept.size() > most_kept) {
    kept.clear();
  }
  const auto [found, is_new] = kept.try_emplace({atomic.lanes, atomic.addresses, atomic.same, atomic.active});
  if (is_new) {
    found->second = drawn(atomic);
  }
  return found->second;
}

}  // namespace

double wavefronts(const AtomicModel& atomic) {
  return atomic.requests * mean_warp(atomic).wavefronts;
}

double l2_operations(const AtomicModel& atomic) {
  return atomic.requests * mean_warp(atomic).l2_turns;
}

double l2_operation_rate(const AtomicModel& atomic, double sectors_per_cycle) {
  const double met =
      std::max(1.0, atomic.addresses * word_bytes / bytes_of_slice_turn) * (1 - atomic.same) + atomic.same;
  const double most = l2_operations_of_sector_rate * sectors_per_cycle;
  return met * most / (met + most);
}

}  // namespace rooftile
