#include "app/scene/tile/wrong_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/format.hpp"
#include "app/scene/access/launch_steps.hpp"

namespace rooftile::scene {
namespace {

constexpr float largest_wrong = 14, faintest_wrong = 0.25f;

bool is_drawable(const WrongElements& wrong) {
  const auto down = static_cast<std::int64_t>(wrong.cells.size());
  return down > 0 && down <= WrongElements::most_down && !wrong.cells[0].empty() &&
         static_cast<std::int64_t>(wrong.cells[0].size()) <= WrongElements::most_across &&
         std::ranges::all_of(wrong.cells,
                             [&](const std::string& row) { return row.size() == wrong.cells[0].size(); });
}

std::int64_t rows_of(const WrongElements& wrong) {
  return (wrong.elements + wrong.row_length - 1) / wrong.row_length;
}

// The part of the map that a block touches, of 1.
std::optional<Rect> part_of(const WrongElements& wrong, const ptx::BufferTile& tile) {
  if (tile.pitch != wrong.row_length) {
    return std::nullopt;
  }
  const auto rows = static_cast<float>(rows_of(wrong)), columns = static_cast<float>(wrong.row_length);
  return Rect{static_cast<float>(tile.first_column) / columns, static_cast<float>(tile.first_row) / rows,
              static_cast<float>(tile.columns) / columns, static_cast<float>(tile.rows) / rows};
}

float tallness(const WrongElements& wrong) {
  const double rows_of_cell = static_cast<double>(rows_of(wrong)) / static_cast<double>(wrong.cells.size());
  const double columns_of_cell =
      static_cast<double>(wrong.row_length) / static_cast<double>(wrong.cells[0].size());
  return static_cast<float>(std::clamp(rows_of_cell / columns_of_cell, 0.25, 4.0));
}

// The cells take the whole width, unless they would become too large or too high.
Rect place_of_cells(const WrongMap& map, const ChartFrame& frame) {
  const auto across = static_cast<float>(map.cells[0].size()), down = static_cast<float>(map.cells.size());
  const float room = frame.place.height - frame.px(tile_head + tile_foot);
  const float width =
      std::min({frame.place.width / across, frame.px(largest_wrong), room / down / map.tallness});
  return {frame.place.x, frame.place.y + frame.px(tile_head), width * across, width * map.tallness * down};
}

void draw_cells(const WrongMap& map, const Rect& all, const Palette& colours, Drawing& drawing) {
  const float width = all.width / static_cast<float>(map.cells[0].size());
  const float height = all.height / static_cast<float>(map.cells.size());
  for (std::size_t y = 0; y < map.cells.size(); ++y) {
    for (std::size_t x = 0; x < map.cells[y].size(); ++x) {
      if (const int ninths = map.cells[y][x] - '0'; ninths >= 1 && ninths <= 9) {
        const Rect cell{all.x + width * static_cast<float>(x), all.y + height * static_cast<float>(y), width,
                        height};
        drawing.push_back(Box{
            cell, 0, {colours.bad, faintest_wrong + (1 - faintest_wrong) * static_cast<float>(ninths) / 9}});
      }
    }
  }
}

}  // namespace

std::optional<WrongMap> wrong_map(
    const AppState& state, const std::function<std::optional<ptx::BufferTile>(const std::string&)>& block) {
  const Point* point = launch_here(state);
  if (!point || !point->wrong() || !point->verification->wrong || !is_drawable(*point->verification->wrong)) {
    return std::nullopt;
  }
  const WrongElements& wrong = *point->verification->wrong;
  const auto number = [](std::int64_t whole) { return count(static_cast<double>(whole)); };
  WrongMap map{wrong.buffer + ": wrong elements",
               fmt::format("{} of {}, rows of {}", number(wrong.wrong), number(wrong.elements),
                           number(wrong.row_length)),
               wrong.cells, tallness(wrong)};
  if (const auto tile = block(wrong.buffer)) {
    map.block = part_of(wrong, *tile);
  }
  return map;
}

void draw_wrong_map(const WrongMap& map, const ChartFrame& frame, Drawing& drawing) {
  const Palette& colours = *frame.colours;
  const Rect& place = frame.place;
  const auto write = [&](float y, const std::string& words, Type type, Rgb colour) {
    drawing.push_back(Words{{place.x, y}, shortened(words, type, place.width, frame.measure), type, {colour}});
  };
  write(place.y + frame.px(tile_line / 2), map.name, Type::figure_strong, colours.bad);
  write(place.y + frame.px(tile_line * 1.5f), map.extent, Type::small, colours.dim);
  const Rect all = place_of_cells(map, frame);
  drawing.push_back(Box{all, 0, {colours.edge, 0.45f}});
  draw_cells(map, all, colours, drawing);
  if (map.block) {
    const Rect block{all.x + map.block->x * all.width, all.y + map.block->y * all.height,
                     map.block->width * all.width, map.block->height * all.height};
    drawing.push_back(Box{block, 0, {colours.bad, 0}, Ink{colours.text}});
    write(place.bottom() - frame.px(tile_foot / 2), "framed: this block", Type::small, colours.dim);
  }
}

}  // namespace rooftile::scene
