#include "analysis/model/banks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/chip/memory_level.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

std::int64_t floor_div(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

// take(word, lane): for each word that each of these lanes touches.
template <class Take>
void each_word(const LaneAddresses& addresses, int first, int lanes, int width_bytes, const Take& take) {
  for (int lane = first; lane < first + lanes; ++lane) {
    if (const auto& address = addresses[lane]) {
      const std::int64_t last = floor_div(*address + width_bytes - 1, bank_bytes);
      for (std::int64_t word = floor_div(*address, bank_bytes); word <= last; ++word) {
        take(word, lane);
      }
    }
  }
}

int bank_of(std::int64_t word) {
  return static_cast<int>(word - floor_div(word, bank_count) * bank_count);
}

// The words of one access, each once, by bank: a lane touches at most 5, when it starts within a word.
class DistinctWords {
 public:
  void add(std::int64_t word) {
    const auto bank = static_cast<std::size_t>(bank_of(word));
    for (std::size_t i = newest_[bank]; i != 0; i = older_[i]) {
      if (words_[i] == word) {
        return;
      }
    }
    words_[++count_] = word;
    older_[count_] = std::exchange(newest_[bank], count_);
    ++per_bank_[bank];
  }
  std::size_t count() const { return count_; }
  const std::array<int, bank_count>& per_bank() const { return per_bank_; }

 private:
  static constexpr std::size_t most = 5 * warp_size + 1;  // the first place stays empty
  std::array<std::int64_t, most> words_{};
  std::array<std::size_t, most> older_{};
  std::array<std::size_t, bank_count> newest_{};
  std::array<int, bank_count> per_bank_{};
  std::size_t count_ = 0;
};

DistinctWords words_of_lanes(const LaneAddresses& addresses, int first, int lanes, int width_bytes) {
  DistinctWords words;
  each_word(addresses, first, lanes, width_bytes, [&](std::int64_t word, int) { words.add(word); });
  return words;
}

// Whether lanes that differ in this bit of their number read the same; inactive lanes do not matter.
bool pairs_agree(const LaneAddresses& addresses, int bit) {
  for (int lane = 0; lane < warp_size; ++lane) {
    const auto &mine = addresses[lane], &other = addresses[lane ^ bit];
    if (mine && other && *mine != *other) {
      return false;
    }
  }
  return true;
}

// How many lanes' words go out together.
int lanes_at_once(const LaneAddresses& addresses, int width_bytes, bool store) {
  if (width_bytes <= bank_bytes) {
    return warp_size;
  }
  const bool paired = !store && (pairs_agree(addresses, 1) || pairs_agree(addresses, 2));
  return bank_count * bank_bytes / width_bytes * (paired ? 2 : 1);
}

}  // namespace

std::vector<BankWord> bank_words(const LaneAddresses& addresses, int width_bytes, bool store) {
  const int lanes = lanes_at_once(addresses, width_bytes, store);
  std::vector<BankWord> all;
  int wavefronts = 0;
  for (int first = 0; first < warp_size; first += lanes) {
    std::map<std::int64_t, std::vector<int>> lanes_of;
    each_word(addresses, first, lanes, width_bytes,
              [&](std::int64_t word, int lane) { lanes_of[word].push_back(lane); });
    std::array<int, bank_count> served{};
    for (auto& [word, who] : lanes_of) {
      const int bank = bank_of(word);
      all.push_back({word, bank, wavefronts + served[bank]++, std::move(who)});
    }
    wavefronts += std::ranges::max(served);
  }
  return all;
}

std::vector<BankWord> sector_words(const LaneAddresses& addresses, int width_bytes) {
  constexpr auto words_of_sector = static_cast<std::int64_t>(sector_bytes) / bank_bytes;
  std::map<std::int64_t, std::vector<int>> lanes_of;
  each_word(addresses, 0, warp_size, width_bytes, [&](std::int64_t word, int lane) {
    const std::int64_t first = floor_div(word, words_of_sector) * words_of_sector;
    for (std::int64_t moved = first; moved < first + words_of_sector; ++moved) {
      lanes_of[moved];
    }
    lanes_of[word].push_back(lane);
  });
  std::vector<BankWord> all;
  for (auto& [word, who] : lanes_of) {
    all.push_back({word, bank_of(word), 0, std::move(who)});
  }
  return all;
}

BankPattern bank_pattern(const LaneAddresses& addresses, int width_bytes, bool store) {
  constexpr std::array legal_widths = {1, 2, 4, 8, 16};
  if (std::ranges::find(legal_widths, width_bytes) == legal_widths.end()) {
    throw Error(fmt::format("A lane moves 1, 2, 4, 8 or 16 bytes in one instruction, not {}.", width_bytes));
  }
  const int lanes = lanes_at_once(addresses, width_bytes, store);
  BankPattern pattern;
  for (int first = 0; first < warp_size; first += lanes) {
    const DistinctWords words = words_of_lanes(addresses, first, lanes, width_bytes);
    pattern.wavefronts += std::ranges::max(words.per_bank());
    pattern.ideal_wavefronts += (static_cast<int>(words.count()) + bank_count - 1) / bank_count;
    pattern.distinct_words_per_bank = words.per_bank();
  }
  if (lanes < warp_size) {
    pattern.distinct_words_per_bank = words_of_lanes(addresses, 0, warp_size, width_bytes).per_bank();
  }
  return pattern;
}

}  // namespace rooftile
