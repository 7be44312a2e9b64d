#include "app/scene/row_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <ranges>

namespace rooftile::scene {
namespace {

constexpr std::size_t most_plain_labels = 6;
constexpr std::array leader_lengths = {22.0f, 40.0f, 62.0f, 90.0f, 124.0f, 165.0f};

Spot between(Spot from, Spot to, float progress) {
  return {from.x + (to.x - from.x) * progress, from.y + (to.y - from.y) * progress};
}

// The eight places around a spot, nearest to how one reads first.
std::vector<Rect> places_around(Spot spot, Size size, float away) {
  const float right = spot.x + away, left = spot.x - away - size.width, middle = spot.x - size.width / 2;
  const float level = spot.y - size.height / 2, above = spot.y - away - size.height, below = spot.y + away;
  std::vector<Rect> places;
  for (const Spot corner : {Spot{right, level}, Spot{left, level}, Spot{right, above}, Spot{middle, above},
                            Spot{middle, below}, Spot{left, above}, Spot{right, below}, Spot{left, below}}) {
    places.push_back({corner.x, corner.y, size.width, size.height});
  }
  return places;
}

Spot nearest_place(const Rect& rect, Spot spot) {
  return {std::clamp(spot.x, rect.x, rect.right()), std::clamp(spot.y, rect.y, rect.bottom())};
}

// Above the spot, below it, then beside it.
std::vector<Rect> flag_places(Spot spot, Size size, float away) {
  std::vector<Rect> places;
  for (const float shift : {0.5f, 0.2f, 0.8f, 0.0f, 1.0f}) {
    places.push_back({spot.x - size.width * shift, spot.y - away - size.height, size.width, size.height});
    places.push_back({spot.x - size.width * shift, spot.y + away, size.width, size.height});
  }
  std::ranges::copy(places_around(spot, size, away), std::back_inserter(places));
  std::ranges::copy(places_around(spot, size, 2.5f * away), std::back_inserter(places));
  return places;
}

class LabelsDrawing {
 public:
  LabelsDrawing(ChartPicture& picture, LabelRoom& room, MemoryLevel level, const ChartFrame& frame)
      : picture_(picture), room_(room), level_(level), frame_(frame), colours_(*frame.colours) {}

  // Beside the dot of the chosen level or, where that is crowded, at the end of a line that leads there.
  void label_named(const StandingRow& row) {
    const PlacedDot* dot = row.dot(picture_, level_);
    if (!dot || try_beside(*row.row, *dot)) {
      return;
    }
    for (const float length : leader_lengths) {
      if (const auto place = find_place(*row.row, *dot, frame_.px(length), true)) {
        const Spot end = nearest_place(*place, dot->at);
        add(Stroke{between(dot->at, end, dot->radius / std::hypot(end.x - dot->at.x, end.y - dot->at.y)),
                   end,
                   {colours_.dim, 0.7f},
                   frame_.px(1)});
        room_.take(Bar{dot->at, end});
        write(*row.row, *place);
        return;
      }
    }
  }

  bool label_plain(const StandingRow& row) {
    const PlacedDot* dot = row.dot(picture_, level_);
    return dot && try_beside(*row.row, *dot);
  }

 private:
  bool try_beside(const ChartRow& row, const PlacedDot& dot) {
    const auto place = find_place(row, dot, dot.radius + frame_.px(5), false);
    if (place) {
      write(row, *place);
    }
    return place.has_value();
  }

  std::optional<Rect> find_place(const ChartRow& row, const PlacedDot& dot, float away, bool leads) {
    if (!holds(picture_.plot, Rect{dot.at.x, dot.at.y, 0, 0})) {
      return std::nullopt;
    }
    std::vector<Rect> places = places_around(dot.at, frame_.measure(Type::figure_small, row.label), away);
    if (leads) {
      std::erase_if(places, [&](const Rect& place) { return strikes_label(dot.at, place); });
    }
    const auto found = room_.place(places);
    if (found) {
      labels_.push_back(*found);
    }
    return found;
  }

  bool strikes_label(Spot from, const Rect& place) const {
    const Bar leader{from, nearest_place(place, from)};
    return std::ranges::any_of(labels_, [&](const Rect& label) { return overlap(label, leader); });
  }

  // On a little of the panel's colour, so that it reads above lines.
  void write(const ChartRow& row, const Rect& place) {
    add(Box{place, frame_.px(3), {colours_.panel, 0.75f}});
    const Rgb colour = row.emphasis == Emphasis::named ? colours_.text : colours_.dim;
    add(Words{{place.x, place.y + place.height / 2}, row.label, Type::figure_small, {colour}});
  }

  void add(Mark mark) { picture_.inside.push_back(std::move(mark)); }

  ChartPicture& picture_;
  LabelRoom& room_;
  MemoryLevel level_;
  const ChartFrame& frame_;
  const Palette& colours_;
  std::vector<Rect> labels_;
};

}  // namespace

void label_rows(ChartPicture& picture, LabelRoom& room, std::span<const StandingRow> rows, MemoryLevel level,
                const ChartFrame& frame) {
  LabelsDrawing labels(picture, room, level, frame);
  for (const StandingRow& row : rows) {
    if (row.row->emphasis == Emphasis::named) {
      labels.label_named(row);
    }
  }
  std::size_t written = 0;
  for (const StandingRow& row : rows | std::views::reverse) {
    if (row.row->emphasis == Emphasis::plain && written < most_plain_labels) {
      written += labels.label_plain(row) ? 1 : 0;
    }
  }
}

void lay_out_flag(Drawing& drawing, LabelRoom& room, Spot spot, const std::string& strong,
                  const std::string& plain, const ChartFrame& frame) {
  const Size first = frame.measure(Type::figure_strong, strong);
  const Size second = frame.measure(Type::figure_strong, plain);
  const float pad = frame.px(10), between_words = frame.px(10);
  const Size size{first.width + between_words + second.width + 2 * pad, first.height + frame.px(10)};
  const auto place = room.place(flag_places(spot, size, frame.px(16)));
  if (!place) {
    return;
  }
  const Palette& colours = *frame.colours;
  drawing.push_back(Box{*place, frame.px(5), {mix(colours.panel, colours.background, 0.9)}, Ink{colours.edge}});
  const float middle = place->y + place->height / 2;
  drawing.push_back(Words{{place->x + pad, middle}, strong, Type::figure_strong, {colours.text}});
  drawing.push_back(Words{
      {place->x + pad + first.width + between_words, middle}, plain, Type::figure_strong, {colours.text}});
}

}  // namespace rooftile::scene
