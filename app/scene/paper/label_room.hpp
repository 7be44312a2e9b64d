// Places labels where they stand on nothing else.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/scene/paper/drawing.hpp"

namespace rooftile::scene {

// A thick line: a label that runs along a roof, or the roof itself.
struct Bar {
  Spot from, to;
  float half = 0;  // of its thickness
};

float distance(Spot point, Spot from, Spot to);  // to the nearest place of the line
bool overlap(const Rect& a, const Rect& b);
bool overlap(const Rect& rect, const Bar& bar);
bool overlap(const Bar& a, const Bar& b);
bool holds(const Rect& whole, const Rect& part);
// The part of the line that lies within; empty where the line passes by.
std::optional<Bar> within(const Rect& whole, const Bar& line);

class LabelRoom {
 public:
  explicit LabelRoom(const Rect& bounds) : bounds_(bounds) {}

  // No label may stand here.
  void take(const Rect& place) { rects_.push_back(place); }
  void take(const Bar& place) { bars_.push_back(place); }
  // Labels stand here where no other place is left.
  void avoid(const Bar& line) { lines_.push_back(line); }

  // Takes the first candidate that lies within the bounds and on nothing; else the first that only crosses
  // lines to avoid. Empty where there is none.
  std::optional<Rect> place(std::span<const Rect> candidates);
  std::optional<Bar> place(std::span<const Bar> candidates);

 private:
  template <class Shape>
  bool is_free(const Shape& shape) const;
  template <class Shape>
  bool crosses_line(const Shape& shape) const;
  template <class Shape>
  std::optional<Shape> take_first(std::span<const Shape> candidates);

  Rect bounds_;
  std::vector<Rect> rects_;
  std::vector<Bar> bars_, lines_;
};

}  // namespace rooftile::scene
