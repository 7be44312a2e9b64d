#include "app/scene/picture/picture_roofs.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::scene {
namespace {

constexpr float label_start = 22, label_step = 16, label_lift = 12;  // along a roof and above it
// Roofs this near each other run on one line: both colours show, in dashes.
constexpr double same_line = 1.12;

class RoofsDrawing {
 public:
  RoofsDrawing(ChartPicture& picture, LabelRoom& room, const Chart& chart, const Axes& axes,
               const ChartFrame& frame)
      : picture_(picture),
        room_(room),
        chart_(chart),
        axes_(axes),
        frame_(frame),
        scales_(scales_of(axes, picture.plot)) {}

  void draw() {
    for (const RoofLine& roof : chart_.roofs) {
      if (roof.level == MemoryLevel::dram) {
        draw_region(line_of(roof));
      }
    }
    draw_ridge();
    for (std::size_t i = 0; i < chart_.roofs.size(); ++i) {
      draw_roof(chart_.roofs[i]);
      picture_.roofs.push_back({line_of(chart_.roofs[i]), static_cast<std::uint32_t>(i)});
      room_.avoid(picture_.roofs.back().line);
    }
  }

  void write_labels() {
    for (const RoofLine& roof : chart_.roofs) {
      roof.level ? label_memory_roof(roof) : label_compute_roof(roof);
    }
    label_ridge();
  }

 private:
  // A memory roof runs from the chart's left edge up to the highest compute roof, a compute roof from the first
  // ridge to the right.
  Bar line_of(const RoofLine& roof) const {
    if (roof.level) {
      const double ridge = chart_.peak > 0 ? chart_.peak / roof.height : axes_.x_max;
      const double start = std::min(axes_.x_min, ridge);
      return {scales_.at(start, roof.height * start), scales_.at(ridge, roof.height * ridge)};
    }
    double first_ridge = axes_.x_max;
    for (const RoofLine& memory : chart_.roofs) {
      if (memory.level) {
        first_ridge = std::min(first_ridge, roof.height / memory.height);
      }
    }
    return {scales_.at(first_ridge, roof.height), scales_.at(std::max(axes_.x_max, first_ridge), roof.height)};
  }

  Rgb colour_of(const RoofLine& roof) const {
    return roof.level ? frame_.colours->level(*roof.level) : frame_.colours->compute;
  }

  Ink ink_of_words(const RoofLine& roof) const {
    return {readable(colour_of(roof), frame_.colours->panel, frame_.colours->text)};
  }

  // Left of the ridge and under DRAM's roof DRAM is the bound.
  void draw_region(const Bar& line) {
    const float floor = picture_.plot.bottom();
    picture_.inside.push_back(
        Area{{{line.from.x, std::max(line.from.y, floor)}, line.from, line.to, {line.to.x, floor}},
             {frame_.colours->level(MemoryLevel::dram), 0.07f}});
  }

  void draw_ridge() {
    if (chart_.ridge) {
      const Spot top = scales_.at(*chart_.ridge, chart_.peak);
      const Bar line{top, {top.x, picture_.plot.bottom()}};
      draw({line.from, line.to, {frame_.colours->dim, 0.8f}, frame_.px(1), frame_.px(3)});
      room_.avoid(line);
    }
  }

  bool lies_on_another(const RoofLine& roof) const {
    for (const RoofLine& other : chart_.roofs) {
      if (&other == &roof) {
        break;
      }
      const double ratio = other.height / roof.height;
      if (other.level.has_value() == roof.level.has_value() && ratio < same_line && ratio > 1 / same_line) {
        return true;
      }
    }
    return false;
  }

  void draw_roof(const RoofLine& roof) {
    const Bar line = line_of(roof);
    const float dash = lies_on_another(roof) ? frame_.px(9) : 0;
    draw({line.from, line.to, {colour_of(roof)}, frame_.px(2), dash});
  }

  void draw(Stroke stroke) {
    if (const auto seen = within(picture_.plot, {stroke.from, stroke.to})) {
      stroke.from = seen->from;
      stroke.to = seen->to;
      picture_.inside.push_back(stroke);
    }
  }

  // Along the roof, above it or else below; where something stands, further along.
  void label_memory_roof(const RoofLine& roof) {
    const auto seen = within(picture_.plot, line_of(roof));
    if (!seen) {
      return;
    }
    const float length = std::hypot(seen->to.x - seen->from.x, seen->to.y - seen->from.y);
    const Spot along{(seen->to.x - seen->from.x) / length, (seen->to.y - seen->from.y) / length};
    const Size size = frame_.measure(Type::small, roof.label);
    std::vector<Bar> candidates;
    for (const float lift : {frame_.px(label_lift), -frame_.px(label_lift)}) {
      for (float from = frame_.px(label_start); from + size.width < length; from += frame_.px(label_step)) {
        candidates.push_back(beside(seen->from, along, lift, from, from + size.width, size.height / 2));
      }
    }
    if (const auto place = room_.place(candidates)) {
      write(roof, place->from, Anchor::start, std::atan2(along.y, along.x));
    } else {
      label_in_corner(roof, size);
    }
  }

  // Writes it in its colour at the left edge, as high as there is room: no roof runs up there.
  void label_in_corner(const RoofLine& roof, Size size) {
    std::vector<Rect> candidates;
    for (float y = picture_.plot.y + frame_.px(4); y + size.height < picture_.plot.bottom(); y += size.height) {
      candidates.push_back({picture_.plot.x + frame_.px(label_lift), y, size.width, size.height});
    }
    if (const auto place = room_.place(candidates)) {
      write(roof, {place->x, place->y + place->height / 2}, Anchor::start, 0);
    }
  }

  // The middle line of words between two distances along a roof.
  static Bar beside(Spot start, Spot along, float lift, float from, float to, float half) {
    const auto at = [&](float far) {
      return Spot{start.x + along.x * far + along.y * lift, start.y + along.y * far - along.x * lift};
    };
    return {at(from), at(to), half};
  }

  // At the right end, above the line or below it; where another label stands, left of that one.
  void label_compute_roof(const RoofLine& roof) {
    const Bar line = line_of(roof);
    const Size size = frame_.measure(Type::small, roof.label);
    const float right = std::min(picture_.plot.right(), line.to.x) - frame_.px(label_step);
    std::vector<Rect> candidates;
    for (float x = right - size.width; x > std::max(line.from.x, picture_.plot.x); x -= frame_.px(label_step)) {
      candidates.push_back({x, line.from.y - frame_.px(4) - size.height, size.width, size.height});
      candidates.push_back({x, line.from.y + frame_.px(4), size.width, size.height});
    }
    if (const auto place = room_.place(candidates)) {
      write(roof, {place->x, place->y + place->height / 2}, Anchor::start, 0);
    }
  }

  void write(const RoofLine& roof, Spot at, Anchor anchor, float turn) {
    picture_.inside.push_back(Words{at, roof.label, Type::small, ink_of_words(roof), anchor, turn});
  }

  void label_ridge() {
    if (!chart_.ridge) {
      return;
    }
    const float x = scales_.x.at(*chart_.ridge), y = picture_.plot.bottom() - frame_.px(24);
    const Size size = frame_.measure(Type::figure_small, chart_.ridge_label);
    const float away = frame_.px(7);
    const std::array candidates = {Rect{x + away, y, size.width, size.height},
                                   Rect{x - away - size.width, y, size.width, size.height}};
    if (const auto place = room_.place(candidates)) {
      picture_.inside.push_back(Words{{place->x, place->y + place->height / 2},
                                      chart_.ridge_label,
                                      Type::figure_small,
                                      {frame_.colours->dim}});
    }
  }

  ChartPicture& picture_;
  LabelRoom& room_;
  const Chart& chart_;
  const Axes& axes_;
  const ChartFrame& frame_;
  RooflineScales scales_;
};

}  // namespace

void lay_out_roofs(ChartPicture& picture, LabelRoom& room, const Chart& chart, const Axes& axes,
                   const ChartFrame& frame) {
  RoofsDrawing(picture, room, chart, axes, frame).draw();
}

void label_roofs(ChartPicture& picture, LabelRoom& room, const Chart& chart, const Axes& axes,
                 const ChartFrame& frame) {
  RoofsDrawing(picture, room, chart, axes, frame).write_labels();
}

}  // namespace rooftile::scene
