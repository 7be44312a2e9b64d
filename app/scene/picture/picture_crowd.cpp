#include "app/scene/picture/picture_crowd.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace rooftile::scene {
namespace {

constexpr float radius = 3.2f;
constexpr float cell = 1.5f;  // [px at scale 1] nearer than this one cannot tell two specks apart
constexpr float alpha = 0.5f;
constexpr std::size_t evidences = 3;
// Specks of one mark have one size: one for each quarter of occupancy, and the last where occupancy is not
// shown.
constexpr std::size_t quarters = 4, sizes = quarters + 1;

// The places of the plot that hold a speck already.
class Cells {
 public:
  Cells(const Rect& plot, float size)
      : plot_(plot),
        size_(size),
        columns_(static_cast<std::size_t>(plot.width / size) + 1),
        taken_(columns_ * (static_cast<std::size_t>(plot.height / size) + 1)) {}

  // False where a speck is already, or where the spot lies outside or nowhere.
  bool take(Spot spot) {
    const bool inside =
        spot.x >= plot_.x && spot.x <= plot_.right() && spot.y >= plot_.y && spot.y <= plot_.bottom();
    if (!inside) {
      return false;
    }
    const auto column = static_cast<std::size_t>((spot.x - plot_.x) / size_);
    const auto row = static_cast<std::size_t>((spot.y - plot_.y) / size_);
    const bool is_free = !taken_[row * columns_ + column];
    taken_[row * columns_ + column] = true;
    return is_free;
  }

 private:
  Rect plot_;
  float size_;
  std::size_t columns_;
  std::vector<bool> taken_;
};

std::size_t size_of(const Speck& speck) {
  return speck.occupancy ? std::min(quarters - 1, static_cast<std::size_t>(*speck.occupancy * quarters))
                         : quarters;
}

// The area shows the occupancy; half occupancy has the usual size.
float radius_of(std::size_t size) {
  const float middle = (static_cast<float>(size) + 0.5f) / static_cast<float>(quarters);
  return size == quarters ? radius : radius * std::sqrt(2 * middle);
}

// Empty specks for each level, evidence and size.
std::vector<Specks> empty_specks(const ChartFrame& frame) {
  std::vector<Specks> all;
  for (const MemoryLevel level : memory_levels) {
    for (const Evidence evidence : {Evidence::predicted, Evidence::timed, Evidence::counted}) {
      for (std::size_t size = 0; size < sizes; ++size) {
        all.push_back({{},
                       frame.px(radius_of(size)),
                       frame.colours->level(level),
                       frame.colours->panel,
                       alpha,
                       evidence});
      }
    }
  }
  return all;
}

}  // namespace

void lay_out_crowd(ChartPicture& picture, const Chart& chart, const RooflineScales& scales,
                   const ChartFrame& frame) {
  std::vector<Cells> cells;
  for (std::size_t level = 0; level < memory_levels.size(); ++level) {
    cells.emplace_back(picture.plot, frame.px(cell));
  }
  std::vector<Specks> specks = empty_specks(frame);
  for (const Speck& each : chart.crowd | std::views::reverse) {
    const Spot at{scales.x.at_logarithm(each.log_intensity), scales.y.at_logarithm(each.log_performance)};
    const auto level = static_cast<std::size_t>(each.level);
    if (cells[level].take(at)) {
      const std::size_t of_level = level * evidences + static_cast<std::size_t>(each.evidence);
      Specks& alike = specks[of_level * sizes + size_of(each)];
      alike.centres.push_back(at);
      picture.dots.push_back({at, alike.radius, each.id, each.level});
    }
  }
  std::ranges::reverse(picture.dots);
  for (Specks& each : specks) {
    if (!each.centres.empty()) {
      picture.inside.push_back(std::move(each));
    }
  }
}

}  // namespace rooftile::scene
