// The layout of the scene, written as SVG.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "analysis/platform/write_file.hpp"
#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::cli {

extern const platform::FileKind svg_kind;

class SvgPage {
 public:
  explicit SvgPage(float width) : width_(width) {}

  void draw(const scene::Drawing& drawing);
  // The inside is cut off at the edges of the plot.
  void draw(const scene::ChartPicture& picture);
  // Adds the text that a browser shows where the pointer rests on a dot.
  void explain(const scene::PlacedDot& dot, std::string_view words);

  // height: of everything that is drawn.
  std::string str(float height) const;
  // Throws Error where the file cannot be written.
  void save(const std::filesystem::path& file, float height) const;

 private:
  float width_;
  int clips_ = 0;
  std::string body_;
};

// The reader's fonts are not known: an estimate that is rather too wide.
scene::Measure svg_measure();

}  // namespace rooftile::cli
