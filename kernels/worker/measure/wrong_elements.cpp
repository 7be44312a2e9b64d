#include "kernels/worker/measure/wrong_elements.hpp"

#include <algorithm>
#include <numeric>

namespace rooftile::worker {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

// How many of `all` rows or columns the i-th of `cells` stands for.
std::int64_t share(std::int64_t i, std::int64_t cells, std::int64_t all) {
  return ceil_div((i + 1) * all, cells) - ceil_div(i * all, cells);
}

char letter(unsigned wrong, std::int64_t elements) {
  return wrong == 0 ? '.'
                    : static_cast<char>('0' + std::clamp<std::int64_t>(ceil_div(9LL * wrong, elements), 1, 9));
}

}  // namespace

MapSize map_size(std::int64_t elements, std::int64_t row_length) {
  return {std::min(row_length, WrongElements::most_across),
          std::min(ceil_div(elements, row_length), WrongElements::most_down)};
}

WrongElements wrong_elements(const std::vector<unsigned>& in_cell, std::int64_t elements,
                             std::int64_t row_length) {
  const auto [across, down] = map_size(elements, row_length);
  const std::int64_t rows = ceil_div(elements, row_length);
  WrongElements map;
  map.wrong = std::accumulate(in_cell.begin(), in_cell.end(), std::int64_t{0});
  map.elements = elements;
  map.row_length = row_length;
  for (std::int64_t y = 0; y < down; ++y) {
    std::string& line = map.cells.emplace_back();
    for (std::int64_t x = 0; x < across; ++x) {
      line += letter(in_cell[static_cast<std::size_t>(y * across + x)],
                     share(y, down, rows) * share(x, across, row_length));
    }
  }
  return map;
}

}  // namespace rooftile::worker
