#include "analysis/ptx/run/shared_touches.hpp"

#include <algorithm>

namespace rooftile::ptx {

void SharedTouches::touch(std::int32_t instruction, int warp, std::uint32_t lanes,
                          const std::uint64_t* addresses, int bytes, AccessKind kind) {
  const std::uint64_t* before = nullptr;
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) == 0) {
      continue;
    }
    const bool is_broadcast = kind == AccessKind::load && before && *before == addresses[lane];
    before = &addresses[lane];
    if (is_broadcast) {
      continue;  // the first of these lanes stands for all
    }
    const Touch touch{instruction, warp, lane, barriers_};
    const std::uint64_t last = (addresses[lane] + static_cast<std::uint64_t>(bytes) - 1) / bytes_of_word;
    for (std::uint64_t word = addresses[lane] / bytes_of_word; word <= last && word < words_.size(); ++word) {
      kind == AccessKind::load    ? load(words_[word], touch)
      : kind == AccessKind::store ? store(words_[word], touch)
                                  : combine(words_[word], touch);
    }
  }
}

void SharedTouches::load(Word& word, const Touch& touch) {
  if (word.write.instruction < 0 && word.atomic.instruction < 0) {
    tell({}, touch);
  }
  meet(word, word.write, touch);
  meet(word, word.atomic, touch);
  if (word.read.warp != touch.warp) {
    word.other_read = word.read;
  }
  word.read = touch;
}

void SharedTouches::store(Word& word, const Touch& touch) {
  for (const Touch& earlier : {word.write, word.atomic, word.read, word.other_read}) {
    meet(word, earlier, touch);
  }
  word.write = touch;
}

// Atomics among themselves are in order.
void SharedTouches::combine(Word& word, const Touch& touch) {
  for (const Touch& earlier : {word.write, word.read, word.other_read}) {
    meet(word, earlier, touch);
  }
  word.atomic = touch;
}

void SharedTouches::meet(const Word& word, const Touch& earlier, const Touch& later) {
  constexpr std::size_t most = 4096;
  if (earlier.barriers != later.barriers || earlier.warp == later.warp || earlier.instruction < 0) {
    return;
  }
  tell(earlier, later);
  const auto number = static_cast<std::uint64_t>(&word - words_.data());
  if (meetings_.size() < most && met_.insert(number).second) {
    meetings_.push_back({earlier, later, number});
  }
}

void SharedTouches::tell(const Touch& earlier, const Touch& later) {
  constexpr std::size_t most = 100;
  if (races_.size() < most && told_.insert(std::minmax(earlier.instruction, later.instruction)).second) {
    races_.push_back({earlier, later, 0});
  }
}

}  // namespace rooftile::ptx
