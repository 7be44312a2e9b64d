#include "app/scene/tile/tile_picture.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/text/format.hpp"
#include "app/scene/paper/log_axes.hpp"
#include "app/scene/tile/wrong_map.hpp"

namespace rooftile::scene {
namespace {

constexpr float tile_gap = 20, largest_cell = 14, roof_share = 0.3f, narrowest_roof = 200;

class TileDrawing {
 public:
  TileDrawing(const TileView& view, const ChartFrame& frame)
      : view_(view), frame_(frame), colours_(*frame.colours) {}

  TilePicture draw() {
    Rect place = frame_.place;
    if (view_.wrong && !view_.hides) {
      const float width =
          view_.tiles.empty() ? place.width : std::max(frame_.px(narrowest_roof), place.width * roof_share);
      ChartFrame beside = frame_;
      beside.place = {place.right() - width, place.y, width, place.height};
      draw_wrong_map(*view_.wrong, beside, drawing_);
      place.width -= width + frame_.px(tile_gap);
    } else if (view_.bandwidth && view_.peak && view_.flops > 0 && view_.loaded > 0 && !view_.hides) {
      const float width = std::max(frame_.px(narrowest_roof), place.width * roof_share);
      draw_roofs({place.right() - width, place.y, width, place.height});
      place.width -= width + frame_.px(tile_gap);
    }
    const auto many = static_cast<float>(std::max<std::size_t>(view_.tiles.size(), 1));
    const float width = (place.width - (many - 1) * frame_.px(tile_gap)) / many;
    for (std::size_t i = 0; i < view_.tiles.size(); ++i) {
      draw_tile(view_.tiles[i], {place.x + static_cast<float>(i) * (width + frame_.px(tile_gap)), place.y,
                                 width, place.height});
    }
    if (!view_.tiles.empty()) {
      write_legend(place);
    }
    return {std::move(drawing_), std::move(tiles_)};
  }

 private:
  bool is_drawn(std::uint8_t cell) const {
    return cell != TileOfBuffer::untouched && (cell == TileOfBuffer::earlier || !view_.hides);
  }

  Ink ink_of(std::uint8_t cell) const {
    switch (cell) {
      case TileOfBuffer::earlier:
        return {colours_.level(MemoryLevel::l2), 0.35f};
      case TileOfBuffer::now:
        return {colours_.level(MemoryLevel::l2)};
      case TileOfBuffer::by_warp:
        return {colours_.warn};
      default:
        return {colours_.text};
    }
  }

  // Cells are square where there is room; wide buffers fill the width.
  void draw_tile(const TileOfBuffer& tile, const Rect& place) {
    write({place.x, place.y + frame_.px(tile_line / 2)}, tile.name, Type::figure_strong, colours_.text,
          place.width);
    write_extent(tile.extent, place);
    const float room = place.height - frame_.px(tile_head + tile_foot);
    const float width = std::min(place.width / static_cast<float>(tile.across), frame_.px(largest_cell));
    const float height = std::min(
        {room / static_cast<float>(tile.down), frame_.px(largest_cell), std::max(width, frame_.px(2))});
    const Spot from{place.x, place.y + frame_.px(tile_head)};
    const Rect all{from.x, from.y, width * static_cast<float>(tile.across),
                   height * static_cast<float>(tile.down)};
    drawing_.push_back(Box{all, 0, {colours_.edge, 0.45f}});
    tiles_.push_back({all, tile.across, tile.down});
    for (int down = 0; down < tile.down; ++down) {
      draw_row(tile, down, {from.x, from.y + height * static_cast<float>(down), width, height});
    }
  }

  // Rows and columns below each other where they do not fit beside each other.
  void write_extent(const std::string& extent, const Rect& place) {
    const std::size_t comma = extent.find(", column");
    const bool fits = comma == std::string::npos || frame_.measure(Type::small, extent).width <= place.width;
    const Spot first{place.x, place.y + frame_.px(tile_line * 1.5f)};
    write(first, fits ? extent : extent.substr(0, comma), Type::small, colours_.dim, place.width);
    if (!fits) {
      write({first.x, first.y + frame_.px(tile_line)}, extent.substr(comma + 2), Type::small, colours_.dim,
            place.width);
    }
  }

  // One box for neighbours of one kind.
  void draw_row(const TileOfBuffer& tile, int down, const Rect& first) {
    const std::uint8_t* row = tile.cells.data() + static_cast<std::size_t>(down * tile.across);
    for (int begin = 0, end = 0; begin < tile.across; begin = end) {
      while (end < tile.across && row[end] == row[begin]) {
        ++end;
      }
      if (is_drawn(row[begin])) {
        drawing_.push_back(Box{{first.x + first.width * static_cast<float>(begin), first.y,
                                first.width * static_cast<float>(end - begin), first.height},
                               0,
                               ink_of(row[begin])});
      }
    }
  }

  void write_legend(const Rect& place) {
    float x = place.x;
    const float y = place.bottom() - frame_.px(tile_foot / 2), side = frame_.px(10);
    const std::pair<std::uint8_t, const char*> words[] = {{TileOfBuffer::earlier, "earlier steps"},
                                                          {TileOfBuffer::now, "this step"},
                                                          {TileOfBuffer::by_warp, "the chosen warp"},
                                                          {TileOfBuffer::by_lane, "its lane 0"}};
    for (const auto& [cell, name] : words) {
      drawing_.push_back(Box{{x, y - side / 2, side, side}, 0, ink_of(cell)});
      write({x + side * 1.5f, y}, name, Type::small, colours_.dim, place.right() - x);
      x += side * 1.5f + frame_.measure(Type::small, name).width + frame_.px(tile_gap);
    }
  }

  void draw_roofs(const Rect& place) {
    const double ridge = *view_.peak / *view_.bandwidth;
    const double low = std::min(ridge / 1000, view_.flops / view_.loaded / 4), high = ridge * 10;
    const LogScale x(low, high, place.x, place.right());
    const LogScale y(low * *view_.bandwidth, *view_.peak * 2, place.bottom() - frame_.px(tile_foot),
                     place.y + frame_.px(tile_line));
    const auto roof = [&](double intensity) { return std::min(intensity * *view_.bandwidth, *view_.peak); };
    const auto spot = [&](double intensity) { return Spot{x.at(intensity), y.at(roof(intensity))}; };
    drawing_.push_back(Stroke{spot(low), spot(ridge), {colours_.level(MemoryLevel::l1)}, frame_.px(2)});
    drawing_.push_back(Stroke{spot(ridge), spot(high), {colours_.compute}, frame_.px(2)});
    const double intensity = view_.flops / view_.loaded;
    const Spot at = spot(intensity);
    drawing_.push_back(
        Stroke{{at.x, at.y}, {at.x, place.bottom() - frame_.px(tile_foot)}, {colours_.dim}, 1, frame_.px(3)});
    drawing_.push_back(PointMark{at, frame_.px(7), colours_.accent, colours_.panel, 1, Evidence::predicted});
    write({place.x, place.bottom() - frame_.px(tile_foot / 2)}, "FLOPs per byte loaded, below L1", Type::small,
          colours_.dim, place.width);
  }

  void write(Spot at, const std::string& words, Type type, Rgb colour, float room) {
    drawing_.push_back(Words{at, shortened(words, type, room, frame_.measure), type, {colour}});
  }

  const TileView& view_;
  const ChartFrame& frame_;
  const Palette& colours_;
  Drawing drawing_;
  std::vector<PlacedTile> tiles_;
};

}  // namespace

std::optional<std::int64_t> PlacedTile::cell_at(Spot spot) const {
  if (spot.x < place.x || spot.x >= place.right() || spot.y < place.y || spot.y >= place.bottom()) {
    return std::nullopt;
  }
  const auto x = static_cast<std::int64_t>((spot.x - place.x) / place.width * static_cast<float>(across));
  const auto y = static_cast<std::int64_t>((spot.y - place.y) / place.height * static_cast<float>(down));
  return y * across + x;
}

Rect PlacedTile::cell(std::int64_t number) const {
  const float width = place.width / static_cast<float>(across),
              height = place.height / static_cast<float>(down);
  return {place.x + width * static_cast<float>(number % across),
          place.y + height * static_cast<float>(number / across), width, height};
}

TilePicture tile_picture(const TileView& view, const ChartFrame& frame) {
  return TileDrawing(view, frame).draw();
}

}  // namespace rooftile::scene
