// An arrow from one spot of a picture to another.
#pragma once

#include "app/scene/paper/drawing.hpp"

namespace rooftile::scene {

struct Arrow {
  Spot from, to;
  float length() const;
};

// Starts a gap away from the dot, which it does not cover.
Arrow arrow_between(Spot from, Spot to, float left_at_start);
// unit: of lengths, for scale 1.
void add_arrow(Drawing& drawing, const Arrow& arrow, Ink ink, float unit);

}  // namespace rooftile::scene
