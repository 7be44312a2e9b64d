#include "analysis/ptx/work/sampled_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::ptx {
namespace {

enum class Differs { nowhere, at_ends, between_neighbours, inside };

struct Axis {
  int Dim3::*of;
  int extent;
  Differs differs;
};

struct Place {
  int at;
  double weight;
};

// An odd place where there is one: the rows of a matrix may begin at other places of a sector there than at the
// first block, though not in the middle of a power of two.
int middle_of(int extent) {
  const int odd = extent / 2 | 1;
  return extent < 3 ? extent / 2 : odd < extent - 1 ? odd : 1;
}
Dim3 middle_block(Dim3 grid) {
  return {middle_of(grid.x), middle_of(grid.y), middle_of(grid.z)};
}

// Blocks in the middle of the other axes are compared.
Axis axis_of(Dim3 grid, int Dim3::*of, const std::function<Difference(Dim3, Dim3)>& difference) {
  const int extent = grid.*of;
  const auto at = [&](int place) {
    Dim3 block = middle_block(grid);
    block.*of = place;
    return difference(block, middle_block(grid));
  };
  if (extent > 4 && std::max(at(extent / 4), at(extent - 1 - extent / 4)) == Difference::of_branches) {
    return {of, extent, Differs::inside};
  }
  if (extent > 4 && at(middle_of(extent) - 1) != Difference::none) {
    return {of, extent, Differs::between_neighbours};
  }
  const bool at_ends = extent > 1 && std::max(at(0), at(extent - 1)) != Difference::none;
  return {of, extent, at_ends ? Differs::at_ends : Differs::nowhere};
}

// Between the ends, mirrored: what lies too far to the front in one half does so to the back in the other. They
// are not a power of two apart, for rows begin at other places of a sector.
std::vector<Place> places_inside(int extent, int count) {
  const double weight = (extent - 2.0) / count;
  std::vector<Place> places;
  for (int i = 0; i < count / 2; ++i) {
    const int at = 1 + static_cast<int>((i + 0.5) * weight) + (weight > count ? i : 0);
    places.push_back({at, weight});
    places.push_back({extent - 1 - at, weight});
  }
  return places;
}

// Neighbours in the middle.
std::vector<Place> places_together(int extent, int count) {
  std::vector<Place> places;
  for (int i = 0; i < count; ++i) {
    places.push_back({(extent - count) / 2 + i, (extent - 2.0) / count});
  }
  return places;
}

std::vector<Place> places_of(const Axis& axis, int count_inside) {
  if (axis.differs == Differs::nowhere) {
    return {{middle_of(axis.extent), static_cast<double>(axis.extent)}};
  }
  const int between = axis.differs == Differs::at_ends ? 1 : count_inside;
  std::vector<Place> places;
  if (axis.extent <= between + 2) {
    for (int at = 0; at < axis.extent; ++at) {
      places.push_back({at, 1});
    }
    return places;
  }
  places = axis.differs == Differs::between_neighbours ? places_together(axis.extent, between)
           : between > 1                               ? places_inside(axis.extent, between)
                         : std::vector<Place>{{middle_of(axis.extent), axis.extent - 2.0}};
  places.push_back({0, 1});
  places.push_back({axis.extent - 1, 1});
  return places;
}

int even_at_most(double number) {
  return std::max(1, 2 * static_cast<int>(std::min(number, 8.0) / 2));
}

}  // namespace

std::array<Dim3, 3> telling_blocks(Dim3 grid) {
  return {Dim3{0, 0, 0}, middle_block(grid), Dim3{grid.x - 1, grid.y - 1, grid.z - 1}};
}

std::vector<SampledBlock> sampled_blocks(Dim3 grid, const std::function<Difference(Dim3, Dim3)>& difference,
                                         double most) {
  const std::array<Axis, 3> axes = {axis_of(grid, &Dim3::x, difference), axis_of(grid, &Dim3::y, difference),
                                    axis_of(grid, &Dim3::z, difference)};
  const auto axes_inside = static_cast<double>(std::ranges::count_if(
      axes, [](const Axis& axis) { return axis.differs >= Differs::between_neighbours; }));
  const int count = axes_inside > 0 ? even_at_most(std::pow(most, 1 / axes_inside)) : 0;
  std::vector<SampledBlock> blocks;
  for (const Place z : places_of(axes[2], count)) {
    for (const Place y : places_of(axes[1], count)) {
      for (const Place x : places_of(axes[0], count)) {
        blocks.push_back({{x.at, y.at, z.at}, x.weight * y.weight * z.weight});
      }
    }
  }
  return blocks;
}

}  // namespace rooftile::ptx
