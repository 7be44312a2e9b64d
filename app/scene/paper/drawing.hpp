// A drawing as a list of marks in pixels: laid out once, drawn by any pen.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/record/point.hpp"
#include "app/scene/paper/layout.hpp"
#include "app/scene/paper/theme.hpp"
#include "app/scene/paper/type.hpp"

namespace rooftile::scene {

struct Spot {
  float x = 0, y = 0;
  bool operator==(const Spot&) const = default;
};

// The spot at that share of the way.
Spot between(Spot from, Spot to, float progress);

struct Size {
  float width = 0, height = 0;
};

struct Ink {
  Rgb colour;
  float alpha = 1;
};

struct Stroke {
  Spot from, to;
  Ink ink;
  float width = 1;
  float dash = 0;  // length of a dash and of a gap; 0: an unbroken line
};

// A convex polygon.
struct Area {
  std::vector<Spot> corners;
  Ink ink;
};

struct Box {
  Rect place;
  float radius = 0;
  Ink fill;
  std::optional<Ink> edge = {};
};

struct Disc {
  Spot centre;
  float radius = 0;
  Ink ink;
};

struct Ring {
  Spot centre;
  float radius = 0;
  Ink ink;
  float width = 1;
};

// A launch. Filled: counted. Half-filled: timed, bytes modelled. Hollow: predicted.
struct PointMark {
  Spot centre;
  float radius = 0;
  Rgb colour, paper;
  float alpha = 1;
  Evidence evidence = Evidence::counted;
};

// Many launches of one look, each with as few corners as the pen can do.
struct Specks {
  std::vector<Spot> centres;
  float radius = 0;
  Rgb colour, paper;
  float alpha = 1;
  Evidence evidence = Evidence::counted;
};

enum class Anchor { start, middle, end };

struct Words {
  Spot at;  // at half the height of the words; the anchor says at which of their ends
  std::string text;
  Type type = Type::small;
  Ink ink;
  Anchor anchor = Anchor::start;
  float turn = 0;  // [radians] about `at`, clockwise
};

using Mark = std::variant<Stroke, Area, Box, Disc, Ring, PointMark, Specks, Words>;
using Drawing = std::vector<Mark>;

// The room that a line of text takes.
using Measure = std::function<Size(Type, std::string_view)>;

// The words, cut to fit the width; an ellipsis stands for the rest.
std::string shortened(std::string words, Type type, float width, const Measure& measure);

// Lines along the edges of a place.
void add_outline(Drawing& drawing, const Rect& place, Ink ink, float width);

// The corners of the box that the words fill, clockwise from their top left.
std::array<Spot, 4> corners_of(const Words& words, const Measure& measure);

}  // namespace rooftile::scene
