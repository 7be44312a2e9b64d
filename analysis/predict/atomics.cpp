#include "analysis/predict/atomics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "analysis/banks.hpp"

namespace rooftile {
namespace {

constexpr int word_bytes = 4, words_of_sector = 8, drawn_warps = 64;
constexpr double bytes_of_slice_turn = 512;

class RandomWarps {
 public:
  explicit RandomWarps(const AtomicModel& atomic) : atomic_(atomic) {}

  LaneAddresses next() {
    LaneAddresses addresses;
    for (auto& address : addresses) {
      if (chance() < atomic_.active) {
        const double word = chance() < atomic_.same ? 0 : std::floor(chance() * atomic_.addresses);
        address = static_cast<std::int64_t>(word) * word_bytes;
      }
    }
    return addresses;
  }

 private:
  double chance() {
    return static_cast<double>(engine_() - engine_.min()) / static_cast<double>(engine_.max());
  }

  const AtomicModel& atomic_;
  std::minstd_rand engine_{1};
};

double mean_of_warps(const AtomicModel& atomic, auto cost) {
  RandomWarps warps(atomic);
  double sum = 0;
  for (int i = 0; i < drawn_warps; ++i) {
    sum += cost(warps.next());
  }
  return sum / drawn_warps;
}

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

}  // namespace

double wavefronts(const AtomicModel& atomic) {
  return atomic.requests * mean_of_warps(atomic, [](const LaneAddresses& addresses) {
           return bank_pattern(addresses, word_bytes, false).wavefronts;
         });
}

double l2_operations(const AtomicModel& atomic) {
  return atomic.requests * mean_of_warps(atomic, turns_in_l2);
}

double l2_operation_rate(const AtomicModel& atomic, double sectors_per_cycle) {
  const double met =
      std::max(1.0, atomic.addresses * word_bytes / bytes_of_slice_turn) * (1 - atomic.same) + atomic.same;
  const double most = l2_operations_of_sector_rate * sectors_per_cycle;
  return met * most / (met + most);
}

}  // namespace rooftile
