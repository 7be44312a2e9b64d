#include "app/scene/picture/picture_rows.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::scene {
namespace {

constexpr float newest_radius = 8, plain_radius = 5, named_radius = 6, ghost_radius = 7;
constexpr double smallest_area = 0.2;  // of the usual one: it can still be clicked

Rect around(Spot spot, float radius) {
  return {spot.x - radius, spot.y - radius, 2 * radius, 2 * radius};
}

class RowsDrawing {
 public:
  RowsDrawing(ChartPicture& picture, LabelRoom& room, const Chart& chart, const ChartLook& look,
              const ChartFrame& frame, const Placing& placing)
      : picture_(picture),
        room_(room),
        chart_(chart),
        look_(look),
        frame_(frame),
        colours_(*frame.colours),
        placing_(placing) {}

  std::vector<StandingRow> draw() {
    place_all();
    draw_trail();
    draw_ghost();
    for (const StandingRow& row : standing_) {
      draw_row(row);
    }
    return std::move(standing_);
  }

 private:
  void place_all() {
    for (std::size_t i = 0; i < chart_.rows.size(); ++i) {
      const ChartRow& row = chart_.rows[i];
      const std::size_t first = picture_.dots.size();
      for (const Dot& dot : row.dots) {
        const bool is_drawn = !look_.one_level || row.emphasis == Emphasis::newest || dot.level == look_.level;
        if (const auto at = is_drawn ? place(row, dot, i) : std::nullopt) {
          picture_.dots.push_back({*at, radius(row), row.id, dot.level});
        }
      }
      standing_.push_back({&row, first, picture_.dots.size()});
    }
  }

  std::optional<Spot> place(const ChartRow& row, const Dot& dot, std::size_t index) const {
    const auto there = placing_(row, dot, index);
    const bool moves = row.emphasis == Emphasis::newest && look_.moving;
    const Dot* before = moves ? look_.moving->from->dot(dot.level) : nullptr;
    const auto start = before ? placing_(*look_.moving->from, *before, index) : std::nullopt;
    return there && start ? between(*start, *there, look_.moving->progress) : there;
  }

  // The area shows the occupancy, if it is shown; half occupancy has the usual size.
  float radius(const ChartRow& row) const {
    const double area = std::max(smallest_area, 2 * row.occupancy.value_or(0.5));
    return usual_radius(row) * static_cast<float>(std::sqrt(area));
  }

  float usual_radius(const ChartRow& row) const {
    switch (row.emphasis) {
      case Emphasis::plain:
        return frame_.px(plain_radius);
      case Emphasis::named:
        return frame_.px(named_radius);
      case Emphasis::newest:
        break;
    }
    return frame_.px(newest_radius);
  }

  // From each launch of the chosen kernel to the next.
  void draw_trail() {
    const StandingRow* before = nullptr;
    for (const StandingRow& row : standing_) {
      if (!row.row->on_trail) {
        continue;
      }
      for (const PlacedDot& to : row.dots(picture_)) {
        if (const PlacedDot* from = before ? before->dot(picture_, to.level) : nullptr) {
          const float alpha = 0.6f * static_cast<float>(row.row->freshness);
          add(Stroke{from->at, to.at, {colours_.level(to.level), alpha}, frame_.px(1.5f)});
          room_.avoid({from->at, to.at});
        }
      }
      before = &row;
    }
  }

  void draw_ghost() {
    if (!chart_.ghost) {
      return;
    }
    const std::size_t index = chart_.rows.empty() ? 0 : chart_.rows.size() - 1;
    for (const Dot& dot : chart_.ghost->dots) {
      if (const auto at = placing_(*chart_.ghost, dot, index)) {
        add(Ring{*at, frame_.px(ghost_radius), {colours_.level(dot.level), 0.85f}, frame_.px(1.6f)});
        room_.take(around(*at, frame_.px(ghost_radius)));
      }
    }
  }

  void draw_row(const StandingRow& row) {
    draw_connection(row);
    for (const PlacedDot& dot : row.dots(picture_)) {
      draw_dot(*row.row, dot);
      room_.take(around(dot.at, dot.radius));
    }
  }

  void draw_connection(const StandingRow& row) {
    const auto dots = row.dots(picture_);
    if (dots.size() < 2 || row.row->emphasis == Emphasis::plain) {
      return;
    }
    const auto [left, right] =
        std::ranges::minmax_element(dots, {}, [](const PlacedDot& dot) { return dot.at.x; });
    const float alpha = row.row->emphasis == Emphasis::newest ? 0.65f : 0.45f;
    if (const auto seen = within(picture_.plot, {left->at, right->at})) {
      add(Stroke{seen->from, seen->to, {colours_.dim, alpha}, frame_.px(1), frame_.px(4)});
      room_.avoid(*seen);
    }
  }

  void draw_dot(const ChartRow& row, const PlacedDot& dot) {
    const Rgb colour = colours_.level(dot.level);
    if (row.emphasis == Emphasis::newest) {
      add(Disc{dot.at, dot.radius * 2.1f, {colour, 0.13f}});
    }
    add(Disc{dot.at, dot.radius + frame_.px(1.5f), {colours_.panel}});
    add(PointMark{dot.at, dot.radius, colour, colours_.panel, static_cast<float>(row.freshness), row.evidence});
    if (row.dot(dot.level)->above_roof) {  // flagged, never clamped
      add(Ring{dot.at, dot.radius + frame_.px(4), {colours_.bad}, frame_.px(2)});
    }
    if (row.pinned) {
      add(Ring{dot.at, dot.radius + frame_.px(3), {colour, 0.7f}, frame_.px(1)});
    }
  }

  void add(Mark mark) { picture_.inside.push_back(std::move(mark)); }

  ChartPicture& picture_;
  LabelRoom& room_;
  const Chart& chart_;
  const ChartLook& look_;
  const ChartFrame& frame_;
  const Palette& colours_;
  const Placing& placing_;
  std::vector<StandingRow> standing_;
};

}  // namespace

const PlacedDot* StandingRow::dot(const ChartPicture& picture, MemoryLevel level) const {
  const auto all = dots(picture);
  const auto found = std::ranges::find(all, level, &PlacedDot::level);
  return found != all.end() ? &*found : nullptr;
}

std::vector<StandingRow> lay_out_rows(ChartPicture& picture, LabelRoom& room, const Chart& chart,
                                      const ChartLook& look, const ChartFrame& frame, const Placing& placing) {
  return RowsDrawing(picture, room, chart, look, frame, placing).draw();
}

}  // namespace rooftile::scene
