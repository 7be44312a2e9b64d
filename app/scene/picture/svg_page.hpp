// The layout of the scene, written as SVG.
#pragma once

#include <string>
#include <string_view>

#include "analysis/platform/write_file.hpp"
#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

extern const platform::FileKind svg_kind;

class SvgPage {
 public:
  explicit SvgPage(float width) : width_(width) {}

  void draw(const Drawing& drawing);
  // The inside is cut off at the edges of the plot.
  void draw(const ChartPicture& picture);
  // Adds the text that a browser shows where the pointer rests on a dot.
  void explain(const PlacedDot& dot, std::string_view words);

  // height: of everything that is drawn.
  std::string str(float height) const;

 private:
  float width_;
  int clips_ = 0;
  std::string body_;
};

// The reader's fonts are not known: an estimate that is rather too wide.
Measure svg_measure();

}  // namespace rooftile::scene
