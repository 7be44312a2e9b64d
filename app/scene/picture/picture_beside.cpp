#include "app/scene/picture/picture_beside.hpp"

#include <algorithm>
#include <array>

namespace rooftile::scene {
namespace {

constexpr float newest_diamond = 8, plain_diamond = 5.5f;  // to a corner: a dot below is still seen
constexpr float legend_padding = 7, legend_line = 17, legend_mark = 18, legend_margin = 6;

Area diamond(Spot middle, float radius, Ink ink) {
  return {{{middle.x, middle.y - radius},
           {middle.x + radius, middle.y},
           {middle.x, middle.y + radius},
           {middle.x - radius, middle.y}},
          ink};
}

// Half of it empty where the bytes were not counted.
void add_diamond(Drawing& drawing, Spot middle, float radius, const ChartRow& row, Rgb colour,
                 const ChartFrame& frame) {
  const float alpha = static_cast<float>(row.freshness);
  drawing.emplace_back(diamond(middle, radius + frame.px(1.5f), {frame.colours->panel}));
  drawing.emplace_back(diamond(middle, radius, {colour, alpha}));
  if (row.evidence != Evidence::counted) {
    drawing.emplace_back(diamond(middle, radius / 2, {frame.colours->panel}));
  }
}

class Legend {
 public:
  Legend(const Chart& chart, const ChartFrame& frame, const Rect& plot) : frame_(frame) {
    const float margin = frame.px(legend_margin);
    inner_ = {plot.x + margin, plot.y + margin, std::max(0.0f, plot.width - 2 * margin),
              std::max(0.0f, plot.height - 2 * margin)};
    const float other = frame.px(2 * legend_padding + legend_mark);
    for (const std::string& line : chart.legend) {
      lines_.push_back(shortened(line, Type::small, std::max(0.0f, inner_.width - other), frame.measure));
      size_.width = std::max(size_.width, frame.measure(Type::small, lines_.back()).width + other);
    }
    size_.height = frame.px(2 * legend_padding) + frame.px(legend_line) * static_cast<float>(lines_.size());
  }

  // The corners of the plot, the upper left first: there no launch stands.
  std::array<Rect, 4> candidates() const {
    const float right = inner_.right() - size_.width, bottom = inner_.bottom() - size_.height;
    return {at(inner_.x, inner_.y), at(right, bottom), at(right, inner_.y), at(inner_.x, bottom)};
  }

  void draw(Drawing& drawing, const Rect& place) const {
    drawing.emplace_back(Box{place, frame_.px(4), {frame_.colours->panel, 0.9f}, Ink{frame_.colours->edge}});
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Spot mark{
          place.x + frame_.px(legend_padding + 6),
          place.y + frame_.px(legend_padding) + frame_.px(legend_line) * (static_cast<float>(i) + 0.5f)};
      if (i == 0) {
        drawing.emplace_back(Disc{mark, frame_.px(4.5f), {frame_.colours->text}});
      } else {
        drawing.emplace_back(diamond(mark, frame_.px(5.5f), {frame_.colours->text}));
      }
      drawing.emplace_back(Words{{place.x + frame_.px(legend_padding + legend_mark), mark.y},
                                 lines_[i],
                                 Type::small,
                                 {frame_.colours->text}});
    }
  }

 private:
  Rect at(float x, float y) const { return {x, y, size_.width, size_.height}; }

  const ChartFrame& frame_;
  Rect inner_;
  Size size_;
  std::vector<std::string> lines_;
};

}  // namespace

void lay_out_beside(ChartPicture& picture, LabelRoom& room, const Chart& chart,
                    std::span<const StandingRow> rows, const ChartLook& look, const ChartFrame& frame,
                    const Placing& placing) {
  for (const BesideRow& beside : chart.beside) {
    const bool newest = beside.row.emphasis == Emphasis::newest;
    const float radius = frame.px(newest ? newest_diamond : plain_diamond);
    for (const Dot& dot : beside.row.dots) {
      const auto at = placing(beside.row, dot, beside.of);
      if (!at) {
        continue;
      }
      const Rgb colour = frame.colours->level(dot.level);
      const PlacedDot* own =
          newest && dot.level == look.level ? rows[beside.of].dot(picture, dot.level) : nullptr;
      if (own) {
        picture.inside.emplace_back(Stroke{own->at, *at, {colour, 0.8f}, frame.px(1.2f), frame.px(3)});
        room.avoid({own->at, *at});
      }
      add_diamond(picture.inside, *at, radius, beside.row, colour, frame);
      room.take(Rect{at->x - radius, at->y - radius, 2 * radius, 2 * radius});
      picture.dots.push_back({*at, radius, beside.row.id, dot.level});
    }
  }
}

void lay_out_legend(ChartPicture& picture, LabelRoom& room, const Chart& chart, const ChartFrame& frame) {
  if (chart.legend.empty()) {
    return;
  }
  const Legend legend(chart, frame, picture.plot);
  const auto candidates = legend.candidates();
  legend.draw(picture.inside, room.place(candidates).value_or(candidates.front()));
}

}  // namespace rooftile::scene
