#include "app/scene/picture/picture_axes.hpp"

#include <algorithm>
#include <numbers>

#include "analysis/text/format.hpp"

namespace rooftile::scene {
namespace {

constexpr float left = 72, right = 12, top = 8, bottom = 54;
constexpr float room_of_value = 44;  // beside an axis
constexpr float minor_alpha = 0.45f;

const char* title_of_x(ChartKind kind) {
  return kind == ChartKind::instructions ? "Instruction intensity  [warp instructions per 32-byte transaction]"
                                         : "Arithmetic intensity  [FLOP/byte]";
}

const char* title_of_y(ChartKind kind) {
  return kind == ChartKind::instructions ? "Warp instructions  [billions/s]" : "Performance  [TFLOP/s]";
}

double unit_of_y(ChartKind kind) {
  return kind == ChartKind::instructions ? 1e9 : 1e12;
}

class AxesDrawing {
 public:
  AxesDrawing(ChartPicture& picture, const Axes& axes, const ChartFrame& frame)
      : picture_(picture), axes_(axes), frame_(frame), scales_(scales_of(axes, picture.plot)) {}

  void draw_grid() {
    for (const double x : between_decades(axes_.x_min, axes_.x_max)) {
      draw_upright(x, minor_alpha);
    }
    for (const double y : between_decades(axes_.y_min, axes_.y_max)) {
      draw_level(y, minor_alpha);
    }
    for (const double x : decades(axes_.x_min, axes_.x_max)) {
      draw_upright(x, 1);
    }
    for (const double y : decades(axes_.y_min, axes_.y_max)) {
      draw_level(y, 1);
    }
    picture_.around.push_back(Box{picture_.plot, 0, {frame_.colours->panel, 0}, Ink{frame_.colours->edge}});
  }

  void write_values(double unit_of_y) {
    const Rect& plot = picture_.plot;
    for (const double x : labelled_values(axes_.x_min, axes_.x_max, most_values(plot.width))) {
      write({uncut(scales_.x.at(x), number(x)), plot.bottom() + frame_.px(16)}, number(x), Anchor::middle);
    }
    for (const double y : labelled_values(axes_.y_min, axes_.y_max, most_values(plot.height))) {
      write({plot.x - frame_.px(8), scales_.y.at(y)}, number(y / unit_of_y), Anchor::end);
    }
  }

  void write_titles(const char* of_x, const char* of_y) {
    const Rect& plot = picture_.plot;
    write({plot.x + plot.width / 2, plot.bottom() + frame_.px(39)}, fitted(of_x, plot.width), Anchor::middle);
    write({frame_.place.x + frame_.px(11), plot.y + plot.height / 2}, fitted(of_y, plot.height), Anchor::middle,
          -std::numbers::pi_v<float> / 2);
  }

 private:
  std::string fitted(const char* words, float length) const {
    return shortened(words, Type::small, length, frame_.measure);
  }

  // The middle of words below the plot: at their line, but for those that the frame's right edge would cut.
  float uncut(float at, const std::string& words) const {
    return std::min(at, frame_.place.right() - frame_.measure(Type::small, words).width / 2);
  }

  int most_values(float length) const { return static_cast<int>(length / frame_.px(room_of_value)); }

  void draw_upright(double x, float alpha) {
    const float at = scales_.x.at(x);
    draw({at, picture_.plot.y}, {at, picture_.plot.bottom()}, alpha);
  }

  void draw_level(double y, float alpha) {
    const float at = scales_.y.at(y);
    draw({picture_.plot.x, at}, {picture_.plot.right(), at}, alpha);
  }

  void draw(Spot from, Spot to, float alpha) {
    picture_.around.push_back(Stroke{from, to, {frame_.colours->edge, alpha}});
  }

  void write(Spot at, std::string text, Anchor anchor, float turn = 0) {
    picture_.around.push_back(Words{at, std::move(text), Type::small, {frame_.colours->dim}, anchor, turn});
  }

  ChartPicture& picture_;
  const Axes& axes_;
  const ChartFrame& frame_;
  RooflineScales scales_;
};

}  // namespace

RooflineScales scales_of(const Axes& axes, const Rect& plot) {
  return {LogScale(axes.x_min, axes.x_max, plot.x, plot.right()),
          LogScale(axes.y_min, axes.y_max, plot.bottom(), plot.y)};
}

Rect roofline_plot(const ChartFrame& frame) {
  const Rect& place = frame.place;
  return {place.x + frame.px(left), place.y + frame.px(top),
          std::max(1.0f, place.width - frame.px(left + right)),
          std::max(1.0f, place.height - frame.px(top + bottom))};
}

void lay_out_axes(ChartPicture& picture, ChartKind kind, const Axes& axes, const ChartFrame& frame) {
  AxesDrawing drawing(picture, axes, frame);
  drawing.draw_grid();
  drawing.write_values(unit_of_y(kind));
  drawing.write_titles(title_of_x(kind), title_of_y(kind));
}

}  // namespace rooftile::scene
