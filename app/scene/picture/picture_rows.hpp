// Launches on a chart: rows of dots, the trail between them, and what the model says.
#pragma once

#include <functional>
#include <ranges>

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

// The place of a dot of the row with this index; empty where it cannot stand.
using Placing = std::function<std::optional<Spot>(const ChartRow& row, const Dot& dot, std::size_t index)>;

// A row that stands on the chart: its dots are neighbours in the picture's list.
struct StandingRow {
  const ChartRow* row = nullptr;
  std::size_t first = 0, last = 0;

  auto dots(const ChartPicture& picture) const {
    return std::ranges::subrange(picture.dots.begin() + static_cast<std::ptrdiff_t>(first),
                                 picture.dots.begin() + static_cast<std::ptrdiff_t>(last));
  }
  const PlacedDot* dot(const ChartPicture& picture, MemoryLevel level) const;
};

// Labels keep off the dots, and off the lines where they can.
std::vector<StandingRow> lay_out_rows(ChartPicture& picture, LabelRoom& room, const Chart& chart,
                                      const ChartLook& look, const ChartFrame& frame, const Placing& placing);

}  // namespace rooftile::scene
