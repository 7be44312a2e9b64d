// For tests: wrong results of a kernel, made from a right one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace rooftile::worker {

// How an element is stored.
struct Coding {
  std::size_t bytes;
  bool is_whole;
  std::function<double(const char*)> decode;
  std::function<void(char*, double)> encode;  // to the nearest that the type has
};

template <class T>
Coding coding_of() {
  return {sizeof(T), std::numeric_limits<T>::is_integer,
          [](const char* place) {
            T value;
            std::memcpy(&value, place, sizeof value);
            return static_cast<double>(value);
          },
          [](char* place, double number) {
            T value{};
            if constexpr (std::numeric_limits<T>::is_integer) {
              constexpr auto least = static_cast<double>(std::numeric_limits<T>::lowest());
              constexpr double most = sizeof(T) < 8 ? static_cast<double>(std::numeric_limits<T>::max())
                                                    : 0x1.fffffffffffffp62;  // the largest double below 2^63
              const double whole = std::nearbyint(std::clamp(number, least, most));
              value = std::isnan(whole) ? T{} : static_cast<T>(whole);
            } else {
              value = static_cast<T>(number);
            }
            std::memcpy(place, &value, sizeof value);
          }};
}

// A buffer of `columns` to the row.
class Elements {
 public:
  Elements(std::string bytes, Coding coding, std::size_t columns)
      : bytes_(std::move(bytes)), coding_(std::move(coding)), columns_(columns) {}

  const std::string& bytes() const { return bytes_; }
  std::size_t count() const { return bytes_.size() / coding_.bytes; }
  std::size_t columns() const { return columns_; }
  std::size_t rows() const { return count() / columns_; }
  double at(std::size_t i) const { return coding_.decode(bytes_.data() + i * coding_.bytes); }
  void set(std::size_t i, double number) { coding_.encode(bytes_.data() + i * coding_.bytes, number); }

  // Changes each element, by its old value and its index.
  template <class Becomes>
  void map(const Becomes& becomes) {
    for (std::size_t i = 0; i < count(); ++i) {
      set(i, becomes(at(i), i));
    }
  }
  // Each element takes the value of another place.
  template <class Place>
  void take_from(const Place& place) {
    const std::string old = bytes_;
    for (std::size_t i = 0; i < count(); ++i) {
      bytes_.replace(i * coding_.bytes, coding_.bytes, old, place(i) * coding_.bytes, coding_.bytes);
    }
  }
  // The worker's poison of outputs.
  void leave_unwritten(std::size_t i) {
    bytes_.replace(i * coding_.bytes, coding_.bytes, coding_.bytes, '\xff');
  }
  // Bits of another type: bytes in reverse order; for a single byte each bit.
  void garble() {
    for (std::size_t i = 0; i < count(); ++i) {
      char* element = bytes_.data() + i * coding_.bytes;
      std::reverse(element, element + coding_.bytes);
      *element = static_cast<char>(coding_.bytes == 1 ? ~*element : *element);
    }
  }

  double mean() const {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      sum += at(i) / static_cast<double>(count());
    }
    return sum;
  }
  // The element of the largest finite magnitude.
  std::size_t largest() const {
    std::size_t found = 0;
    const auto magnitude = [&](std::size_t i) { return std::isfinite(at(i)) ? std::fabs(at(i)) : -1; };
    for (std::size_t i = 1; i < count(); ++i) {
      found = magnitude(i) > magnitude(found) ? i : found;
    }
    return found;
  }
  // Another number, by a tenth of the largest one.
  void spoil(std::size_t i) {
    const double step = std::fabs(at(largest())) / 10;
    set(i, std::isfinite(at(i)) ? at(i) + (coding_.is_whole ? step + 1 : std::max(step, 1e-6)) : 0);
  }

  // Elements that differ as numbers, bit by bit where they are whole.
  std::int64_t differing(const Elements& other) const {
    std::int64_t differ = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      const bool equal =
          coding_.is_whole
              ? std::memcmp(&bytes_[i * coding_.bytes], &other.bytes_[i * coding_.bytes], coding_.bytes) == 0
              : at(i) == other.at(i) || (std::isnan(at(i)) && std::isnan(other.at(i)));
      differ += equal ? 0 : 1;
    }
    return differ;
  }

 private:
  std::string bytes_;
  Coding coding_;
  std::size_t columns_;
};

struct PlantedError {
  const char* name;
  void (*plant)(Elements&);
};

inline const std::vector<PlantedError>& planted_errors() {
  constexpr std::size_t side = 4;  // of a tile
  // The index at the same place in the tile that begins here.
  static const auto in_tile = [](const Elements& e, std::size_t i, std::size_t row, std::size_t column) {
    return (row + i / side) * e.columns() + column + i % side;
  };
  static const auto has_tiles = [](const Elements& e) {
    return e.rows() >= 2 * side && e.columns() >= 2 * side;
  };
  static const std::vector<PlantedError> all = {
      {"all zeros", [](Elements& e) { e.map([](double, std::size_t) { return 0; }); }},
      {"all ones", [](Elements& e) { e.map([](double, std::size_t) { return 1; }); }},
      {"all the first element", [](Elements& e) { e.take_from([](std::size_t) { return 0; }); }},
      {"all the mean", [](Elements& e) { e.map([mean = e.mean()](double, std::size_t) { return mean; }); }},
      {"nothing written",
       [](Elements& e) {
         for (std::size_t i = 0; i < e.count(); ++i) {
           e.leave_unwritten(i);
         }
       }},
      {"the first element wrong", [](Elements& e) { e.spoil(0); }},
      {"a middle element wrong", [](Elements& e) { e.spoil(e.count() / 2); }},
      {"the last element wrong", [](Elements& e) { e.spoil(e.count() - 1); }},
      {"the largest element zero", [](Elements& e) { e.set(e.largest(), 0); }},
      {"an element NaN", [](Elements& e) { e.set(e.largest(), std::numeric_limits<double>::quiet_NaN()); }},
      {"an element infinite", [](Elements& e) { e.set(e.largest(), std::numeric_limits<double>::infinity()); }},
      {"an element -infinite",
       [](Elements& e) { e.set(e.largest(), -std::numeric_limits<double>::infinity()); }},
      {"an element not written", [](Elements& e) { e.leave_unwritten(e.largest()); }},
      {"the first row zero",
       [](Elements& e) { e.map([&](double v, std::size_t i) { return i < e.columns() ? 0 : v; }); }},
      {"a middle row zero",
       [](Elements& e) {
         e.map([&](double v, std::size_t i) { return i / e.columns() == e.rows() / 2 ? 0 : v; });
       }},
      {"the last row not written",
       [](Elements& e) {
         for (std::size_t i = e.count() - e.columns(); i < e.count(); ++i) {
           e.leave_unwritten(i);
         }
       }},
      {"the last column not written",
       [](Elements& e) {
         for (std::size_t i = e.columns() - 1; i < e.count(); i += e.columns()) {
           e.leave_unwritten(i);
         }
       }},
      {"the last column zero",
       [](Elements& e) {
         e.map([&](double v, std::size_t i) { return i % e.columns() == e.columns() - 1 ? 0 : v; });
       }},
      {"the second half zero",
       [](Elements& e) { e.map([&](double v, std::size_t i) { return 2 * i < e.count() ? v : 0; }); }},
      {"each other element zero",
       [](Elements& e) { e.map([](double v, std::size_t i) { return i % 2 == 0 ? v : 0; }); }},
      {"transposed",
       [](Elements& e) {
         e.take_from([&](std::size_t i) { return i % e.rows() * e.columns() + i / e.rows(); });
       }},
      {"off by one element",
       [](Elements& e) { e.take_from([&](std::size_t i) { return (i + 1) % e.count(); }); }},
      {"off by one row",
       [](Elements& e) { e.take_from([&](std::size_t i) { return (i + e.columns()) % e.count(); }); }},
      {"backwards", [](Elements& e) { e.take_from([&](std::size_t i) { return e.count() - 1 - i; }); }},
      {"two rows swapped",
       [](Elements& e) {
         const std::size_t n = e.columns();
         e.take_from([&](std::size_t i) {
           return i < n ? e.count() - n + i : i >= e.count() - n ? i + n - e.count() : i;
         });
       }},
      {"two tiles swapped",
       [](Elements& e) {
         const Elements old = e;
         for (std::size_t i = 0; has_tiles(e) && i < side * side; ++i) {
           e.set(in_tile(e, i, 0, 0), old.at(in_tile(e, i, side, side)));
           e.set(in_tile(e, i, side, side), old.at(in_tile(e, i, 0, 0)));
         }
       }},
      {"a tile written twice",
       [](Elements& e) {
         for (std::size_t i = 0; has_tiles(e) && i < side * side; ++i) {
           e.set(in_tile(e, i, side, side), e.at(in_tile(e, i, 0, 0)));
         }
       }},
      {"twice the value", [](Elements& e) { e.map([](double v, std::size_t) { return 2 * v; }); }},
      {"half the value", [](Elements& e) { e.map([](double v, std::size_t) { return v / 2; }); }},
      {"a tenth more", [](Elements& e) { e.map([](double v, std::size_t) { return 1.1 * v; }); }},
      {"one more", [](Elements& e) { e.map([](double v, std::size_t) { return v + 1; }); }},
      {"the other sign", [](Elements& e) { e.map([](double v, std::size_t) { return -v; }); }},
      {"without its sign", [](Elements& e) { e.map([](double v, std::size_t) { return std::fabs(v); }); }},
      {"rounded to whole numbers",
       [](Elements& e) { e.map([](double v, std::size_t) { return std::nearbyint(v); }); }},
      {"added to its neighbour",
       [](Elements& e) { e.map([&](double v, std::size_t i) { return v + e.at((i + 1) % e.count()); }); }},
      {"bits of another type", [](Elements& e) { e.garble(); }},
      {"of other inputs",
       [](Elements& e) {
         std::vector<std::size_t> order(e.count());
         std::iota(order.begin(), order.end(), std::size_t{0});
         std::shuffle(order.begin(), order.end(), std::mt19937(1));
         e.take_from([&](std::size_t i) { return order[i]; });
       }},
  };
  return all;
}

}  // namespace rooftile::worker
