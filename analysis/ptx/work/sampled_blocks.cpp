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
  int front = 1, back = 1;              // places at its ends that do other than the middle
  bool branches_beside_middle = false;  // differ: a part may begin just there
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

// Compares blocks that lie where `usual` does on the other axes.
class AxisStudy {
 public:
  AxisStudy(Dim3 grid, Dim3 usual, int Dim3::*of, const std::function<Difference(Dim3, Dim3)>& difference)
      : usual_(usual), of_(of), extent_(grid.*of), difference_(difference) {}

  Axis axis() const {
    const int middle = middle_of(extent_), quarter = extent_ / 4, last = extent_ - 1;
    if (extent_ > 4 && (changes_between(1, quarter) || changes_between(last - 1, last - quarter))) {
      return {of_, extent_, Differs::inside};
    }
    const Difference beside = extent_ > 4 ? between(middle - 1, middle) : Difference::none;
    if (beside == Difference::of_branches) {
      return {of_, extent_, Differs::between_neighbours, 1, 1, true};
    }
    const Difference more = beside == Difference::none ? Difference::of_accesses : Difference::of_branches;
    const int front = unlike_from(0, middle, more), back = unlike_from(last, middle, more);
    const Differs differs = beside != Difference::none ? Differs::between_neighbours
                            : front + back > 0         ? Differs::at_ends
                                                       : Differs::nowhere;
    return {of_, extent_, differs, std::max(front, 1), std::max(back, 1)};
  }

 private:
  Difference between(int one, int other) const {
    Dim3 a = usual_, b = usual_;
    a.*of_ = one;
    b.*of_ = other;
    return difference_(a, b);
  }

  // Branches at a quarter differ from those in the middle and from those at the end. A quarter that is the end
  // counts as different from it.
  bool changes_between(int end, int quarter) const {
    return between(quarter, middle_of(extent_)) == Difference::of_branches &&
           (end == quarter || between(end, quarter) == Difference::of_branches);
  }

  // How many places from an end on do other than the middle: as where a grid is larger than its data. least:
  // what counts as other.
  int unlike_from(int end, int middle, Difference least) const {
    const int step = end < middle ? 1 : -1;
    const auto is_unlike = [&](int distance) { return between(end + step * distance, middle) >= least; };
    int unlike = 0, like = std::abs(middle - end);
    if (like == 0 || !is_unlike(0)) {
      return 0;
    }
    while (like - unlike > 1) {
      const int between_them = unlike == 0 ? 1 : unlike + (like - unlike) / 2;
      (is_unlike(between_them) ? unlike : like) = between_them;
    }
    return like;
  }

  Dim3 usual_;
  int Dim3::*of_;
  int extent_;
  const std::function<Difference(Dim3, Dim3)>& difference_;
};

// Between the ends, mirrored: what lies too far to the front in one half does so to the back in the other. They
// are not a power of two apart, for rows begin at other places of a sector.
std::vector<Place> places_inside(int extent, int count) {
  const double weight = (extent - 2.0) / count;
  if (count == 1) {
    return {{middle_of(extent), weight}};
  }
  std::vector<Place> places;
  for (int i = 0; i < count / 2; ++i) {
    const int at = 1 + static_cast<int>((i + 0.5) * weight) + (weight > count ? i : 0);
    places.push_back({at, weight});
    places.push_back({extent - 1 - at, weight});
  }
  return places;
}

// Neighbours in the middle of a part that goes from one place to before another.
void add_together(std::vector<Place>& places, int begin, int end, int count) {
  const int taken = std::min(count, end - begin);
  for (int i = 0; i < taken; ++i) {
    places.push_back({begin + (end - begin - taken) / 2 + i, static_cast<double>(end - begin) / taken});
  }
}

// Between the ends, and fewer among those beside each end that do other than the middle.
std::vector<Place> places_together(const Axis& axis, int count) {
  const int fewer = std::max(1, count / 4), back = axis.extent - axis.back;
  std::vector<Place> places;
  add_together(places, 1, axis.front, fewer);
  add_together(places, axis.front, back, count);
  add_together(places, back, axis.extent - 1, fewer);
  return places;
}

// The ends, one of those beside each that do other than the middle, and the middle.
std::vector<Place> places_at_ends(const Axis& axis) {
  const int last = axis.extent - 1;
  std::vector<Place> places = {{0, 1}, {last, 1}};
  if (axis.front > 1) {
    places.push_back({axis.front / 2, axis.front - 1.0});
  }
  if (axis.back > 1) {
    places.push_back({last - axis.back / 2, axis.back - 1.0});
  }
  places.push_back({middle_of(axis.extent), static_cast<double>(axis.extent - axis.front - axis.back)});
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
  if (axis.differs == Differs::at_ends) {
    return places_at_ends(axis);
  }
  places = axis.differs == Differs::between_neighbours ? places_together(axis, between)
                                                       : places_inside(axis.extent, between);
  places.push_back({0, 1});
  places.push_back({axis.extent - 1, 1});
  return places;
}

int even_at_most(double number) {
  return std::max(1, 2 * static_cast<int>(std::min(number, 8.0) / 2));
}

std::array<Axis, 3> studied(Dim3 grid, Dim3 usual, const std::function<Difference(Dim3, Dim3)>& difference) {
  return {AxisStudy(grid, usual, &Dim3::x, difference).axis(),
          AxisStudy(grid, usual, &Dim3::y, difference).axis(),
          AxisStudy(grid, usual, &Dim3::z, difference).axis()};
}

bool has_parts(const Axis& axis) {
  return axis.branches_beside_middle || std::max(axis.front, axis.back) > 1;
}

// Two axes with parts that do otherwise may depend on each other, as in a triangle: both are sampled inside. In
// a rectangle each has the same parts wherever the other has its first one.
std::array<Axis, 3> axes_of(Dim3 grid, Dim3 usual, const std::function<Difference(Dim3, Dim3)>& difference) {
  std::array<Axis, 3> axes = studied(grid, usual, difference);
  if (std::ranges::count_if(axes, has_parts) < 2) {
    return axes;
  }
  Dim3 inside = usual;
  for (const Axis& axis : axes) {
    inside.*axis.of = has_parts(axis) ? axis.front - 1 : inside.*axis.of;
  }
  const auto same_parts = [](const Axis& a, const Axis& b) {
    return a.differs == b.differs && a.front == b.front && a.back == b.back;
  };
  if (std::ranges::equal(axes, studied(grid, inside, difference), same_parts)) {
    return axes;
  }
  for (Axis& axis : axes) {
    axis.differs = has_parts(axis) ? Differs::inside : axis.differs;
  }
  return axes;
}

}  // namespace

std::array<Dim3, 3> telling_blocks(Dim3 grid) {
  return {Dim3{0, 0, 0}, middle_block(grid), Dim3{grid.x - 1, grid.y - 1, grid.z - 1}};
}

std::vector<SampledBlock> sampled_blocks(Dim3 grid, Dim3 usual,
                                         const std::function<Difference(Dim3, Dim3)>& difference, double most) {
  const std::array<Axis, 3> axes = axes_of(grid, usual, difference);
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
