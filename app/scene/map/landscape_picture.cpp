#include "app/scene/map/landscape_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/text/format.hpp"
#include "app/scene/map/map_metric.hpp"
#include "app/scene/paper/arrow.hpp"
#include "app/scene/paper/heat.hpp"

namespace rooftile::scene {
namespace {

constexpr float names = 64, below = 40, between_cells = 2, widest_cell = 110, tallest_cell = 54;
constexpr float slice_room = 640, slice_share = 0.34f, gap = 24, scale_height = 10, hatch = 7, star_radius = 5;
constexpr float above_slice = 32, below_slice = 34, below_scatter = 24;
constexpr float beside_figure = 0.12f, below_figure = 0.82f;  // of a cell, to an arrow
constexpr float predicted_alpha = 0.12f;                      // hollow, as its dot on the chart

// From 0 at the map's lowest value to 1 at its highest, by ratios where it spans many.
double height_of(const Landscape& map, double value) {
  const double low = *map.lowest, high = *map.highest;
  if (high <= low) {
    return 0.5;
  }
  return map.by_ratios ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

// 0: the worst of the map; 1: the best.
double goodness(const Landscape& map, double value) {
  const double height = height_of(map, value);
  return map.less_is_better ? 1 - height : height;
}

class MapDrawing {
 public:
  MapDrawing(const Landscape& map, const ChartFrame& frame, std::optional<std::uint64_t> pointed,
             const std::set<std::uint64_t>& selected)
      : pointed_(pointed),
        selected_(selected),
        map_(map),
        frame_(frame),
        colours_(*frame.colours),
        columns_(map.across.values.size()),
        rows_(columns_ > 0 ? map.cells.size() / columns_ : 0) {}

  MapPicture draw() {
    if (rows_ == 0) {
      return {};
    }
    arrange();
    for (std::size_t i = 0; i < map_.cells.size(); ++i) {
      draw_cell(map_.cells[i], cell_at(i));
    }
    point_at_advised();
    write_axes();
    if (!slice_.empty() && map_.choice.scatter) {
      draw_scatter();
    } else if (!slice_.empty() && map_.lowest) {
      draw_slice();
    }
    if (!slice_.empty() && map_.lowest && !map_.choice.scatter) {
      draw_scale();
    }
    return std::move(picture_);
  }

 private:
  void arrange() {
    const Rect& all = frame_.place;
    const bool with_slice = all.width >= frame_.px(slice_room);
    const float width = with_slice ? all.width * (1 - slice_share) - frame_.px(gap) : all.width;
    const float across = (width - frame_.px(names)) / static_cast<float>(columns_);
    const float high = (all.height - frame_.px(below)) / static_cast<float>(rows_);
    cell_ = {std::clamp(across, 1.0f, frame_.px(widest_cell)), std::clamp(high, 1.0f, frame_.px(tallest_cell))};
    grid_ = {all.x + frame_.px(names), all.y, cell_.width * static_cast<float>(columns_),
             cell_.height * static_cast<float>(rows_)};
    if (with_slice) {
      const float left = grid_.right() + frame_.px(gap + names);
      const float under = map_.choice.scatter ? below_scatter : below + below_slice;
      slice_ = {left, all.y + frame_.px(above_slice), all.right() - left - frame_.px(8),
                std::max(1.0f, all.height - frame_.px(above_slice + under))};
    }
  }

  Rect cell_at(std::size_t index) {
    const float gap_between = frame_.px(between_cells);
    const Rect place{grid_.x + cell_.width * static_cast<float>(index % columns_),
                     grid_.y + cell_.height * static_cast<float>(index / columns_), cell_.width - gap_between,
                     cell_.height - gap_between};
    picture_.cells.push_back(place);
    return place;
  }

  void draw_cell(const MapCell& cell, const Rect& place) {
    const float radius = frame_.px(3);
    if (cell.value) {
      const Rgb colour = viridis(goodness(map_, *cell.value));
      add(cell.predicted ? Box{place, radius, {colour, predicted_alpha}, Ink{colour}}
                         : Box{place, radius, {colour}});
      write_value(cell, place, cell.predicted ? colours_.text : readable_on(colour));
    } else if (!cell.launch && !cell.why_not.empty()) {
      draw_hatched(place);
    } else {
      add(Box{place, radius, {colours_.panel, 0}, Ink{colours_.edge}});
    }
    if (cell.present) {
      outline(place, colours_.text);
    }
    if (cell.launch && selected_.contains(*cell.launch)) {
      outline(place, colours_.compute);
    }
    if (cell.launch && cell.launch == pointed_) {
      outline(place, colours_.accent);
    }
  }

  void write_value(const MapCell& cell, const Rect& place, Rgb ink) {
    const Size size = frame_.measure(Type::figure_small, cell.text);
    const Spot middle{place.x + place.width / 2, place.y + place.height / 2};
    const bool fits = size.width <= place.width - frame_.px(4) && size.height <= place.height;
    if (fits) {
      write(middle, cell.text, Type::figure_small, ink, Anchor::middle);
    }
    const float corner = frame_.px(star_radius + 2);
    if (cell.best && place.width > 3 * corner && place.height > 2 * corner) {
      draw_star({place.right() - corner, place.y + corner}, ink);
    }
  }

  // Five tips around the middle, each a kite.
  void draw_star(Spot middle, Rgb ink) {
    constexpr float fifth = 2 * std::numbers::pi_v<float> / 5, inner = 0.45f;
    const float radius = frame_.px(star_radius);
    const auto at = [&](float turn, float reach) {
      return Spot{middle.x + reach * std::sin(turn), middle.y - reach * std::cos(turn)};
    };
    for (int tip = 0; tip < 5; ++tip) {
      const float turn = fifth * static_cast<float>(tip);
      add(Area{{middle, at(turn - fifth / 2, inner * radius), at(turn, radius),
                at(turn + fifth / 2, inner * radius)},
               {ink}});
    }
  }

  void draw_hatched(const Rect& place) {
    add(Box{place, frame_.px(3), {colours_.edge, 0.25f}});
    const float step = frame_.px(hatch);
    for (float at = step; at < place.width + place.height; at += step) {
      const Spot from{place.x + std::min(at, place.width), place.y + std::max(0.0f, at - place.width)};
      const Spot to{place.x + std::max(0.0f, at - place.height), place.y + std::min(at, place.height)};
      add(Stroke{from, to, {colours_.faint, 0.5f}, frame_.px(1)});
    }
  }

  void outline(const Rect& place, Rgb colour) {
    const float out = frame_.px(1);
    for (const float more : {0.0f, out}) {
      add(Box{{place.x - more, place.y - more, place.width + 2 * more, place.height + 2 * more},
              frame_.px(3),
              {colour, 0},
              Ink{colour}});
    }
  }

  // Edged with the panel's colour, so that it is seen on every colour of a cell.
  void point_at_advised() {
    const auto present = std::ranges::find(map_.cells, true, &MapCell::present);
    if (!map_.advised || present == map_.cells.end()) {
      return;
    }
    const auto corner = [&](std::size_t cell) {
      const Rect& place = picture_.cells[cell];
      return Spot{place.x + place.width * beside_figure, place.y + place.height * below_figure};
    };
    const auto from = static_cast<std::size_t>(present - map_.cells.begin());
    const Arrow arrow = arrow_between(corner(from), corner(*map_.advised), 0);
    for (const Spot aside : {Spot{-1, 0}, Spot{1, 0}, Spot{0, -1}, Spot{0, 1}}) {
      const float x = frame_.px(aside.x), y = frame_.px(aside.y);
      const Arrow edge{{arrow.from.x + x, arrow.from.y + y}, {arrow.to.x + x, arrow.to.y + y}};
      add_arrow(picture_.drawing, edge, {colours_.panel}, frame_.px(1));
    }
    add_arrow(picture_.drawing, arrow, {colours_.accent}, frame_.px(1));
  }

  void write_axes() {
    for (std::size_t i = 0; i < columns_; ++i) {
      const float x = grid_.x + cell_.width * (static_cast<float>(i) + 0.5f);
      write({x, grid_.bottom() + frame_.px(10)}, number(map_.across.values[i]), Type::figure_small,
            colours_.dim, Anchor::middle);
    }
    for (std::size_t i = 0; i < map_.down.values.size(); ++i) {
      const float y = grid_.y + cell_.height * (static_cast<float>(i) + 0.5f);
      write({grid_.x - frame_.px(8), y}, number(map_.down.values[i]), Type::figure_small, colours_.dim,
            Anchor::end);
    }
    write({grid_.x + grid_.width / 2, grid_.bottom() + frame_.px(28)}, fitted(map_.across.label, grid_.width),
          Type::small, colours_.dim, Anchor::middle);
    write({frame_.place.x + frame_.px(9), grid_.y + grid_.height / 2}, fitted(map_.down.label, grid_.height),
          Type::small, colours_.dim, Anchor::middle, -std::numbers::pi_v<float> / 2);
  }

  // A line for each row of the map; that of the present place is the strong one.
  void draw_slice() {
    write({slice_.x - frame_.px(names - 10), slice_.y - frame_.px(20)},
          fitted("Along " + map_.across.label, slice_.width + frame_.px(names)), Type::small, colours_.dim,
          Anchor::start);
    for (const double value : {*map_.lowest, *map_.highest}) {
      const float y = y_of(value);
      add(Stroke{{slice_.x, y}, {slice_.right(), y}, {colours_.edge}, frame_.px(1)});
      write({slice_.x - frame_.px(6), y}, short_figure(value), Type::figure_small, colours_.dim, Anchor::end);
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      if (row != present_row()) {
        draw_line(row, colours_.faint, 1);
      }
    }
    draw_line(present_row(), colours_.text, 1.8f);
  }

  void draw_line(std::size_t row, Rgb colour, float width) {
    std::optional<Spot> before;
    for (std::size_t column = 0; column < columns_; ++column) {
      const MapCell& cell = map_.cells[row * columns_ + column];
      if (!cell.value) {
        before.reset();
        continue;
      }
      const Spot at{x_of(column), y_of(*cell.value)};
      if (before) {
        add(Stroke{*before, at, {colour}, frame_.px(width)});
      }
      add(Disc{at, frame_.px(cell.present ? 4.5f : 2.5f), {cell.present ? colours_.accent : colour}});
      before = at;
    }
  }

  // Every launch by occupancy across and speed up: the fastest need not be the fullest.
  void draw_scatter() {
    double highest = 0;
    for (const ScatterDot& dot : map_.scatter) {
      highest = std::max(highest, dot.rate);
    }
    write({slice_.x - frame_.px(names - 10), slice_.y - frame_.px(20)},
          fitted(map_.scatter_unit + " against occupancy, every launch", slice_.width + frame_.px(names)),
          Type::small, colours_.dim, Anchor::start);
    for (const double share : {0.0, 0.5, 1.0}) {
      const float x = slice_.x + slice_.width * static_cast<float>(share);
      const float y = slice_.bottom() - slice_.height * static_cast<float>(share);
      add(Stroke{{slice_.x, y}, {slice_.right(), y}, {colours_.edge}, frame_.px(1)});
      write({x, slice_.bottom() + frame_.px(12)}, percent(share), Type::figure_small, colours_.dim,
            Anchor::middle);
      write({slice_.x - frame_.px(6), y}, short_figure(share * highest), Type::figure_small, colours_.dim,
            Anchor::end);
    }
    for (const ScatterDot& dot : map_.scatter) {
      draw_scattered(dot, highest);
    }
  }

  void draw_scattered(const ScatterDot& dot, double highest) {
    const Spot at{slice_.x + slice_.width * static_cast<float>(std::min(dot.occupancy, 1.0)),
                  slice_.bottom() - slice_.height * static_cast<float>(highest > 0 ? dot.rate / highest : 0)};
    const float radius = frame_.px(dot.best ? 5 : 3);
    add(Disc{at, radius, {dot.best ? colours_.accent : colours_.text, dot.best ? 1 : 0.55f}});
    if (dot.launch == pointed_ || selected_.contains(dot.launch)) {
      add(Ring{at, radius + frame_.px(3), {colours_.accent}, frame_.px(1.5f)});
    }
    picture_.dots.push_back({at, radius, dot.launch, MemoryLevel::dram});
  }

  // Below the slice: from the worst to the best.
  void draw_scale() {
    const float top = frame_.place.bottom() - frame_.px(below + 6);
    constexpr int parts = 40;
    const float width = slice_.width / parts;
    for (int i = 0; i < parts; ++i) {
      add(Box{{slice_.x + width * static_cast<float>(i), top, width + 0.5f, frame_.px(scale_height)},
              0,
              {viridis((i + 0.5) / parts)}});
    }
    const double worst = map_.less_is_better ? *map_.highest : *map_.lowest;
    const double best = map_.less_is_better ? *map_.lowest : *map_.highest;
    const float y = top + frame_.px(scale_height + 10);
    write({slice_.x, y}, short_figure(worst), Type::figure_small, colours_.dim, Anchor::start);
    write({slice_.right(), y},
          fmt::format("{} {}{}", short_figure(best), map_.unit, map_.by_ratios ? ", log scale" : ""),
          Type::figure_small, colours_.dim, Anchor::end);
  }

  std::size_t present_row() const {
    const auto present = std::ranges::find(map_.cells, true, &MapCell::present);
    return present == map_.cells.end() ? 0 : static_cast<std::size_t>(present - map_.cells.begin()) / columns_;
  }
  float x_of(std::size_t column) const {
    const float steps = std::max<float>(1, static_cast<float>(columns_ - 1));
    return slice_.x + slice_.width * static_cast<float>(column) / steps;
  }
  float y_of(double value) const {
    return slice_.bottom() - slice_.height * static_cast<float>(height_of(map_, value));
  }

  std::string fitted(const std::string& text, float width) const {
    return shortened(text, Type::small, std::max(0.0f, width), frame_.measure);
  }
  void add(auto mark) { picture_.drawing.emplace_back(std::move(mark)); }
  void write(Spot at, const std::string& text, Type type, Rgb colour, Anchor anchor, float turn = 0) {
    add(Words{at, text, type, {colour}, anchor, turn});
  }

  std::optional<std::uint64_t> pointed_;
  const std::set<std::uint64_t>& selected_;
  const Landscape& map_;
  const ChartFrame& frame_;
  const Palette& colours_;
  std::size_t columns_, rows_;
  Size cell_;
  Rect grid_, slice_;
  MapPicture picture_;
};

}  // namespace

MapPicture landscape_picture(const Landscape& map, const ChartFrame& frame,
                             std::optional<std::uint64_t> pointed, const std::set<std::uint64_t>& selected) {
  return MapDrawing(map, frame, pointed, selected).draw();
}

}  // namespace rooftile::scene
