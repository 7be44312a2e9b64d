#include "app/scene/picture/row_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <ranges>

namespace rooftile::scene {
namespace {

constexpr std::size_t most_plain_labels = 6;
constexpr std::array leader_lengths = {22.0f, 40.0f, 62.0f, 90.0f, 124.0f, 165.0f, 215.0f, 280.0f};

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

// At the end of a line that leads away from the spot in any of sixteen directions.
std::vector<Rect> places_led_to(Spot spot, Size size, float away) {
  constexpr int directions = 16;
  std::vector<Rect> places;
  for (int i = 0; i < directions; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / directions;
    const Spot middle{spot.x + std::cos(angle) * (away + size.width / 2),
                      spot.y + std::sin(angle) * (away + size.height / 2)};
    places.push_back({middle.x - size.width / 2, middle.y - size.height / 2, size.width, size.height});
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
  // dots: of all rows.
  LabelsDrawing(ChartPicture& picture, LabelRoom& room, std::span<const PlacedDot> dots, MemoryLevel level,
                const ChartFrame& frame)
      : picture_(picture), room_(room), dots_(dots), level_(level), frame_(frame), colours_(*frame.colours) {}

  // Beside the dot of the chosen level.
  bool label(const StandingRow& row) {
    const PlacedDot* dot = row.dot(picture_, level_);
    const auto place = dot ? find_place(*row.row, *dot, dot->radius + frame_.px(5), false) : std::nullopt;
    if (place) {
      write(*row.row, *place);
    }
    return place.has_value();
  }

  // For a crowded dot: at the end of a line that leads to it.
  void lead_label_to(const StandingRow& row) {
    const PlacedDot* dot = row.dot(picture_, level_);
    for (std::size_t i = 0; dot && i < leader_lengths.size(); ++i) {
      if (const auto place = find_place(*row.row, *dot, frame_.px(leader_lengths[i]), true)) {
        draw_leader(*dot, nearest_place(*place, dot->at));
        write(*row.row, *place);
        return;
      }
    }
  }

 private:
  void draw_leader(const PlacedDot& dot, Spot end) {
    const float length = std::hypot(end.x - dot.at.x, end.y - dot.at.y);
    add(Stroke{between(dot.at, end, dot.radius / length), end, {colours_.dim, 0.7f}, frame_.px(1)});
    room_.take(Bar{dot.at, end});
  }

  std::optional<Rect> find_place(const ChartRow& row, const PlacedDot& dot, float away, bool leads) {
    if (!holds(picture_.plot, Rect{dot.at.x, dot.at.y, 0, 0})) {
      return std::nullopt;
    }
    const Size size = frame_.measure(Type::figure_small, row.label);
    std::vector<Rect> places = leads ? places_led_to(dot.at, size, away) : places_around(dot.at, size, away);
    if (leads) {
      std::erase_if(places, [&](const Rect& place) { return strikes(dot, place); });
    }
    const auto found = room_.place(places);
    if (found) {
      labels_.push_back(*found);
    }
    return found;
  }

  // A line that leads past nothing else says clearly which dot it means.
  bool strikes(const PlacedDot& dot, const Rect& place) const {
    const Bar leader{dot.at, nearest_place(place, dot.at)};
    return std::ranges::any_of(labels_, [&](const Rect& label) { return overlap(label, leader); }) ||
           std::ranges::any_of(dots_, [&](const PlacedDot& other) {
             const bool is_apart = distance(other.at, dot.at, dot.at) > other.radius + dot.radius;
             return is_apart && distance(other.at, leader.from, leader.to) < other.radius;
           });
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
  std::span<const PlacedDot> dots_;
  MemoryLevel level_;
  const ChartFrame& frame_;
  const Palette& colours_;
  std::vector<Rect> labels_;
};

}  // namespace

void label_rows(ChartPicture& picture, LabelRoom& room, std::span<const StandingRow> rows, MemoryLevel level,
                const ChartFrame& frame) {
  const std::size_t first = rows.empty() ? picture.dots.size() : rows.front().first;  // the crowd's come before
  LabelsDrawing labels(picture, room, std::span(picture.dots).subspan(first), level, frame);
  std::vector<const StandingRow*> crowded;
  for (const StandingRow& row : rows | std::views::reverse) {
    if (row.row->emphasis == Emphasis::named && !labels.label(row)) {
      crowded.push_back(&row);
    }
  }
  for (const StandingRow* row : crowded) {
    labels.lead_label_to(*row);
  }
  std::size_t written = 0;
  for (const StandingRow& row : rows | std::views::reverse) {
    if (row.row->emphasis == Emphasis::plain && written < most_plain_labels) {
      written += labels.label(row) ? 1 : 0;
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
