// A drawing, written as SVG.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::cli {

struct Pen {
  std::string colour;
  double width = 1;
  std::string dashes = "";  // "4 4"
};

struct Letters {
  std::string colour;
  double size = 13;
  bool bold = false;
  bool mono = false;
  char anchor = 's';      // s, m, e: the position is the start, middle or end of the words
  double turn = 0;        // [degrees], clockwise about the position
  std::string halo = "";  // colour around the letters, where they cross lines
};

struct Spot {
  double x = 0, y = 0;
};

class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  void line(Spot from, Spot to, const Pen& pen);
  void path(const std::vector<Spot>& spots, const Pen& pen);
  void polygon(const std::vector<Spot>& spots, const std::string& fill, double opacity);
  void box(Spot corner, double width, double height, double radius, const std::string& fill,
           const std::string& edge = "none");
  // Without a pen: no outline. `about` is what a browser shows on hover.
  void dot(Spot centre, double radius, const std::string& fill, double opacity,
           const std::optional<Pen>& outline, const std::string& about);
  void text(Spot at, const std::string& words, const Letters& letters);

  std::string str() const;
  void save(const std::filesystem::path& file) const;  // throws Error

 private:
  double width_, height_;
  std::string body_;
};

}  // namespace rooftile::cli
