#include "app/window/kit/icons.hpp"

#include "app/window/kit/marks.hpp"

namespace rooftile::window {
namespace {

// A pen on a square whose corners are (-1, -1) and (1, 1).
struct Pen {
  ImDrawList& draw;
  ImVec2 centre;
  float half;
  ImU32 colour;

  ImVec2 at(float x, float y) const { return {centre.x + x * half, centre.y + y * half}; }
  void line(float x1, float y1, float x2, float y2) const {
    draw.AddLine(at(x1, y1), at(x2, y2), colour, half * 0.2f);
  }
  void bar(float x1, float y1, float x2, float y2) const {
    draw.AddRectFilled(at(x1, y1), at(x2, y2), colour, half * 0.1f);
  }
  void frame() const { draw.AddRect(at(-1, -1), at(1, 1), colour, half * 0.25f, 0, half * 0.2f); }
};

void list_icon(const Pen& pen) {
  pen.frame();
  for (const float y : {-0.45f, 0.0f, 0.45f}) {
    pen.line(-0.55f, y, 0.55f, y);
  }
}

void half_icon(const Pen& pen) {
  pen.frame();
  pen.bar(-1, -1, 0.1f, 1);
}

void points_icon(const Pen& pen) {
  for (const auto& [x, y] : {ImVec2{-0.7f, 0.7f}, ImVec2{-0.1f, 0.1f}, ImVec2{0.65f, -0.6f}}) {
    pen.draw.AddCircleFilled(pen.at(x, y), pen.half * 0.27f, pen.colour);
  }
}

void cells_icon(const Pen& pen) {
  pen.frame();
  pen.bar(-0.15f, -1, 0.15f, 1);
  pen.bar(-1, -0.15f, 1, 0.15f);
}

void waterfall_icon(const Pen& pen) {
  pen.bar(-1, -0.9f, -0.5f, 0.9f);
  pen.bar(-0.25f, -0.9f, 0.25f, -0.1f);
  pen.bar(0.5f, -0.1f, 1, 0.9f);
}

void source_icon(const Pen& pen) {
  for (const float side : {-1.0f, 1.0f}) {
    pen.line(side * 0.4f, -0.6f, side, 0);
    pen.line(side, 0, side * 0.4f, 0.6f);
  }
}

// Columns, two words of which meet in one.
void banks_icon(const Pen& pen) {
  for (const float x : {-1.0f, -0.3f, 0.4f}) {
    pen.bar(x, 0.3f, x + 0.5f, 0.9f);
  }
  pen.bar(-0.3f, -0.6f, 0.2f, 0);
}

// A line of four sectors, one of them touched.
void sectors_icon(const Pen& pen) {
  for (const float x : {-1.0f, -0.45f, 0.1f, 0.65f}) {
    pen.bar(x, -0.1f, x + 0.35f, 0.25f);
  }
  pen.bar(-0.45f, -0.8f, -0.1f, -0.35f);
}

void roofs_icon(const Pen& pen) {
  pen.line(-1, 0.8f, 0, -0.5f);
  pen.line(0, -0.5f, 1, -0.5f);
}

void stairs_icon(const Pen& pen) {
  pen.line(-1, -0.8f, -0.2f, -0.8f);
  pen.line(-0.2f, -0.8f, -0.2f, 0);
  pen.line(-0.2f, 0, 0.4f, 0);
  pen.line(0.4f, 0, 0.4f, 0.8f);
  pen.line(0.4f, 0.8f, 1, 0.8f);
}

// Fields to be filled in.
void form_icon(const Pen& pen) {
  for (const float y : {-0.9f, -0.2f, 0.5f}) {
    pen.line(-1, y + 0.2f, -0.4f, y + 0.2f);
    pen.draw.AddRect(pen.at(-0.1f, y), pen.at(1, y + 0.45f), pen.colour, 0, 0, pen.half * 0.15f);
  }
}

void shares_icon(const Pen& pen) {
  pen.bar(-1, -0.85f, 1, -0.4f);
  pen.bar(-1, -0.2f, 0.2f, 0.25f);
  pen.bar(-1, 0.45f, -0.4f, 0.9f);
}

void multiprocessor_icon(const Pen& pen) {
  for (const float x : {-1.0f, -0.3f, 0.4f}) {
    for (const float y : {-1.0f, -0.3f, 0.4f}) {
      pen.bar(x, y, x + 0.5f, y + 0.5f);
    }
  }
}

void tile_icon(const Pen& pen) {
  pen.frame();
  pen.bar(-0.2f, -0.6f, 0.6f, 0.2f);
}

// Dots over time, one of them far above the others.
void times_icon(const Pen& pen) {
  for (const auto& [x, y] :
       {ImVec2{-0.95f, 0.5f}, ImVec2{-0.4f, 0.4f}, ImVec2{0.15f, -0.8f}, ImVec2{0.65f, 0.5f}}) {
    pen.bar(x, y, x + 0.3f, y + 0.3f);
  }
}

void ladder_icon(const Pen& pen) {
  for (const auto& [y, width] : {ImVec2{-0.9f, 0.35f}, ImVec2{-0.25f, 0.65f}, ImVec2{0.4f, 1.0f}}) {
    pen.bar(-width, y, width, y + 0.45f);
  }
}

}  // namespace

void draw_icon(ImDrawList& draw, Panel panel, ImVec2 centre, float side, ImU32 colour) {
  const Pen pen{draw, centre, side / 2, colour};
  switch (panel) {
    case Panel::kernels:
      return list_icon(pen);
    case Panel::dials:
      return half_icon(pen);
    case Panel::points:
      return points_icon(pen);
    case Panel::map:
      return cells_icon(pen);
    case Panel::why:
      return waterfall_icon(pen);
    case Panel::source:
      return source_icon(pen);
    case Panel::banks:
      return banks_icon(pen);
    case Panel::sectors:
      return sectors_icon(pen);
    case Panel::tile:
      return tile_icon(pen);
    case Panel::memory:
      return ladder_icon(pen);
    case Panel::roofs:
      return roofs_icon(pen);
    case Panel::times:
      return times_icon(pen);
    case Panel::curves:
      return stairs_icon(pen);
    case Panel::launch:
      return form_icon(pen);
    case Panel::shares:
      return shares_icon(pen);
    case Panel::occupancy:
      return multiprocessor_icon(pen);
    case Panel::proof:
      return draw_check(draw, centre, side, colour);
  }
}

}  // namespace rooftile::window
