// The map of the elements of a result that are wrong, from their number in each of its cells.
#pragma once

#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::worker {

// The cells of a map, across and down; an element of row r and column c counts for the cell
// (r * down / rows, c * across / row_length).
struct MapSize {
  std::int64_t across = 0, down = 0;
  std::size_t cells() const { return static_cast<std::size_t>(across * down); }
};
MapSize map_size(std::int64_t elements, std::int64_t row_length);

// in_cell: row by row, of map_size(). The buffer's name is left empty.
WrongElements wrong_elements(const std::vector<unsigned>& in_cell, std::int64_t elements,
                             std::int64_t row_length);

}  // namespace rooftile::worker
