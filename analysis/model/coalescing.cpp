#include "analysis/model/coalescing.hpp"

#include <algorithm>

#include "analysis/chip/memory_level.hpp"

namespace rooftile {
namespace {

// Counts lines and sectors. Bytes come in order; a byte that comes twice counts once.
class Counting {
 public:
  void add(std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = std::max(begin, end_); at < end;) {
      const std::int64_t sector = at / bytes_of_sector;
      const std::int64_t stop = std::min(end, (sector + 1) * bytes_of_sector);
      enter(sector);
      covered_ += stop - at;
      at = stop;
    }
    end_ = std::max(end_, end);
  }

  Coalescing result() {
    enter(-1);
    return result_;
  }

 private:
  static constexpr std::int64_t bytes_of_sector = static_cast<std::int64_t>(sector_bytes);
  static constexpr std::int64_t sectors_of_line = line_bytes / bytes_of_sector;

  void enter(std::int64_t sector) {
    if (sector == sector_) {
      return;
    }
    is_partial_ = is_partial_ || (sector_ >= 0 && covered_ < bytes_of_sector);
    if (sector < 0 || sector_ < 0 || sector / sectors_of_line != sector_ / sectors_of_line) {
      result_.partial_lines += is_partial_ ? 1 : 0;
      result_.lines += sector >= 0 ? 1 : 0;
      is_partial_ = false;
    }
    result_.sectors += sector >= 0 ? 1 : 0;
    sector_ = sector;
    covered_ = 0;
  }

  Coalescing result_;
  std::int64_t sector_ = -1, covered_ = 0, end_ = 0;
  bool is_partial_ = false;  // a sector of the line
};

// The addresses of active lanes, in order.
class SortedAddresses {
 public:
  explicit SortedAddresses(const LaneAddresses& addresses) {
    for (const auto& address : addresses) {
      if (address) {
        all_[count_++] = *address;
      }
    }
    std::sort(all_.begin(), all_.begin() + count_);
  }
  const std::int64_t* begin() const { return all_.data(); }
  const std::int64_t* end() const { return all_.data() + count_; }

 private:
  std::array<std::int64_t, warp_size> all_{};
  std::ptrdiff_t count_ = 0;
};

}  // namespace

Coalescing coalescing(const LaneAddresses& addresses, int width_bytes, bool store) {
  constexpr double lines_per_cycle = 3;
  constexpr int widest = 16;  // bytes of a lane at once
  Counting counting;
  for (const std::int64_t address : SortedAddresses(addresses)) {
    counting.add(address, address + width_bytes);
  }
  Coalescing met = counting.result();
  const int wavefronts = bank_pattern(addresses, std::min(width_bytes, widest), store).wavefronts;
  met.cycles = std::max<double>(met.lines / lines_per_cycle, wavefronts * std::max(1, width_bytes / widest));
  return met;
}

int lanes_of_one_word(const LaneAddresses& addresses) {
  int most = 0, same = 0;
  std::int64_t before = -1;
  for (const std::int64_t address : SortedAddresses(addresses)) {
    same = same > 0 && address == before ? same + 1 : 1;
    most = std::max(most, same);
    before = address;
  }
  return most;
}

int atomic_sectors(const LaneAddresses& addresses) {
  constexpr auto bytes_of_sector = static_cast<std::int64_t>(sector_bytes);
  int sectors = 0, most = 0, same = 0;
  std::int64_t before = 0;
  for (const std::int64_t address : SortedAddresses(addresses)) {
    const bool is_next_sector = address / bytes_of_sector != before / bytes_of_sector;
    sectors += is_next_sector ? most : 0;
    same = same > 0 && address == before ? same + 1 : 1;
    most = is_next_sector ? same : std::max(most, same);
    before = address;
  }
  return sectors + most;
}

}  // namespace rooftile
