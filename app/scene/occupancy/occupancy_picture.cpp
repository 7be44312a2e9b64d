#include "app/scene/occupancy/occupancy_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/text/format.hpp"
#include "app/scene/occupancy/occupancy_view.hpp"

namespace rooftile::scene {
namespace {

constexpr float bar_names = 108, figures = 30, bar_height = 11, bar_top = 4;
constexpr float narrowest_gap = 4;  // blocks narrower than this stand without gaps
constexpr float rounded_alpha = 0.4f;
constexpr float plot_left = 50, plot_right = 16, plot_top = 46, plot_bottom = 22, line_of_words = 19;

class SmDrawing {
 public:
  explicit SmDrawing(const ChartFrame& frame) : frame_(frame), colours_(*frame.colours) {}

  SmPicture draw(const std::vector<SmResource>& resources) {
    for (const SmResource& resource : resources) {
      draw_row(resource);
    }
    return std::move(picture_);
  }

 private:
  void draw_row(const SmResource& resource) {
    const Rect& all = frame_.place;
    const float height = frame_.px(sm_row_height);
    const Rect row{all.x, all.y + height * static_cast<float>(picture_.rows.size()), all.width, height};
    const Rgb colour = resource.binds ? colours_.text : colours_.dim;
    const float middle = row.y + height / 2;
    write({row.x, middle}, resource.label, Type::body, colour, Anchor::start);
    write({row.right(), middle}, resource.figure, Type::figure, colour, Anchor::end);
    fill({row.x + frame_.px(bar_names), row.y + frame_.px(bar_top),
          std::max(0.0f, row.width - frame_.px(bar_names + figures)), frame_.px(bar_height)},
         resource);
    picture_.rows.push_back(row);
  }

  void fill(const Rect& bar, const SmResource& resource) {
    box(bar, {colours_.edge, 0.55f});
    const Rgb colour = resource.binds ? colours_.warn : mix(colours_.dim, colours_.panel, 0.25);
    const auto step = bar.width * static_cast<float>(resource.allocated);
    const float gap = step > frame_.px(narrowest_gap) ? frame_.px(1) : 0;
    if (resource.blocks == 0) {
      box({bar.x, bar.y, std::min(step, bar.width), bar.height}, {colours_.bad});
    }
    for (int i = 0; i < resource.blocks; ++i) {
      const float at = bar.x + step * static_cast<float>(i);
      box({at, bar.y, step - gap, bar.height}, {colour, rounded_alpha});
      const float used = bar.width * static_cast<float>(resource.used);
      box({at, bar.y, std::min(used, step - gap), bar.height}, {colour});
    }
  }

  void box(const Rect& place, const Ink& ink) { picture_.drawing.push_back(Box{place, 0, ink}); }

  void write(Spot at, const std::string& text, Type type, Rgb colour, Anchor anchor) {
    picture_.drawing.push_back(Words{at, text, type, {colour}, anchor});
  }

  const ChartFrame& frame_;
  const Palette& colours_;
  SmPicture picture_;
};

int last_of(const OccupancyPlot& plot) {
  int last = 1;
  for (const OccupancyLine& line : plot.lines) {
    last = std::max(last, line.last);
  }
  return last;
}

// Round distances for the values below a plot.
int stride_of(const OccupancyPlot& plot) {
  constexpr int kib = 1024;
  switch (plot.resource) {
    case BlockResource::threads:
      return 256;
    case BlockResource::registers:
      return 64;
    case BlockResource::cluster:
      return 4;
    case BlockResource::shared_bytes:
      break;
  }
  return last_of(plot) > 128 * kib ? 64 * kib : 16 * kib;
}

class CurveDrawing {
 public:
  CurveDrawing(const OccupancyPlot& plot, const ChartFrame& frame)
      : plot_(plot), frame_(frame), colours_(*frame.colours), last_(last_of(plot)) {
    const Rect& all = frame.place;
    picture_.plot = {all.x + frame.px(plot_left), all.y + frame.px(plot_top),
                     std::max(1.0f, all.width - frame.px(plot_left + plot_right)),
                     std::max(1.0f, all.height - frame.px(plot_top + plot_bottom))};
  }

  CurvePicture draw() {
    write_titles();
    draw_axes();
    const std::vector<Rgb> inks = line_colours(colours_);
    for (std::size_t i = std::min(plot_.lines.size(), inks.size()); i-- > 0;) {  // the chosen one on top
      draw_line(plot_.lines[i], inks[i], i == 0 ? 2.2f : 1.4f);
    }
    mark_present();
    return std::move(picture_);
  }

 private:
  void write_titles() {
    const Rect& all = frame_.place;
    line_of_text(0, Type::figure_strong, colours_.text, std::string(title(plot_.resource)));
    const Size name = frame_.measure(Type::figure_strong, title(plot_.resource));
    const float here = all.x + name.width + frame_.px(10);
    write({here, all.y + frame_.px(9)}, fitted(plot_.here, all.right() - here), Type::small, colours_.accent);
    line_of_text(1, Type::small, colours_.dim, plot_.neighbours);
  }

  void line_of_text(int line, Type type, Rgb colour, const std::string& text) {
    const Rect& all = frame_.place;
    write({all.x, all.y + frame_.px(9 + line_of_words * static_cast<float>(line))}, fitted(text, all.width),
          type, colour);
  }

  std::string fitted(const std::string& text, float width) const {
    return shortened(text, Type::small, std::max(0.0f, width), frame_.measure);
  }

  void draw_axes() {
    const Rect& plot = picture_.plot;
    for (const double ratio : {0.0, 0.5, 1.0}) {
      stroke({plot.x, y_of(ratio)}, {plot.right(), y_of(ratio)}, {colours_.edge}, 1);
      write({plot.x - frame_.px(6), y_of(ratio)}, percent(ratio), Type::small, colours_.dim, Anchor::end);
    }
    const int stride = stride_of(plot_);
    for (int value = stride; value <= last_ + 1; value += stride) {
      const float x = x_of(std::min(value, last_));
      stroke({x, plot.y}, {x, plot.bottom()}, {colours_.edge, 0.5f}, 1);
      write({x, plot.bottom() + frame_.px(12)}, value_text(plot_.resource, std::min(value, last_)), Type::small,
            colours_.dim, Anchor::middle);
    }
  }

  void draw_line(const OccupancyLine& line, Rgb colour, float width) {
    for (std::size_t i = 0; i < line.steps.size(); ++i) {
      const OccupancyStep& step = line.steps[i];
      const bool is_last = i + 1 == line.steps.size();
      const int end = is_last ? line.last : line.steps[i + 1].first;
      const Spot from{x_of(step.first), y_of(step.ratio)}, to{x_of(end), y_of(step.ratio)};
      stroke(from, to, {colour}, width);
      if (!is_last) {
        stroke(to, {to.x, y_of(line.steps[i + 1].ratio)}, {colour}, width);
      }
    }
  }

  void mark_present() {
    const OccupancyStep* step =
        plot_.lines.empty() ? nullptr : step_at(plot_.lines.front().steps, plot_.present);
    if (!step) {
      return;
    }
    const Spot at{x_of(plot_.present), y_of(step->ratio)};
    picture_.drawing.push_back(
        Stroke{{at.x, picture_.plot.bottom()}, at, {colours_.text, 0.6f}, 1, frame_.px(3)});
    picture_.drawing.push_back(Disc{at, frame_.px(4.5f), {colours_.text}});
    picture_.drawing.push_back(Ring{at, frame_.px(7), {colours_.accent}, frame_.px(1.5f)});
  }

  float x_of(int value) const {
    return picture_.plot.x + picture_.plot.width * static_cast<float>(value) / static_cast<float>(last_);
  }
  float y_of(double ratio) const {
    return picture_.plot.bottom() - picture_.plot.height * static_cast<float>(ratio);
  }

  void stroke(Spot from, Spot to, const Ink& ink, float width) {
    picture_.drawing.push_back(Stroke{from, to, ink, frame_.px(width)});
  }

  void write(Spot at, const std::string& text, Type type, Rgb colour, Anchor anchor = Anchor::start) {
    picture_.drawing.push_back(Words{at, text, type, {colour}, anchor});
  }

  const OccupancyPlot& plot_;
  const ChartFrame& frame_;
  const Palette& colours_;
  int last_;
  CurvePicture picture_;
};

}  // namespace

SmPicture sm_picture(const std::vector<SmResource>& resources, const ChartFrame& frame) {
  return SmDrawing(frame).draw(resources);
}

CurvePicture curve_picture(const OccupancyPlot& plot, const ChartFrame& frame) {
  return CurveDrawing(plot, frame).draw();
}

std::vector<Rgb> line_colours(const Palette& colours) {
  return {colours.accent, colours.good, colours.warn, colours.bad};
}

std::vector<std::string> facts_at(const OccupancyPlot& plot, const CurvePicture& picture, float x) {
  const float share = std::clamp((x - picture.plot.x) / picture.plot.width, 0.0f, 1.0f);
  const int value = static_cast<int>(std::lround(share * static_cast<float>(last_of(plot))));
  std::vector<std::string> facts = {
      fmt::format("{}: {}", title(plot.resource), value_text(plot.resource, value))};
  for (const OccupancyLine& line : plot.lines) {
    const OccupancyStep* step = value <= line.last ? step_at(line.steps, value) : nullptr;
    facts.push_back(
        step ? fmt::format("{}: {}, {}", line.gpu, fit_text(plot.resource, step->blocks), percent(step->ratio))
             : line.gpu + (line.steps.empty() ? ": not known" : ": more than a block may have"));
  }
  return facts;
}

}  // namespace rooftile::scene
