// Marks on charts: dots whose shape says what a point is made of, dashed lines, text along a line.
#pragma once

#include <string_view>

#include "app/window/kit/style.hpp"

namespace rooftile::window {

// Filled: counted. Half-filled: timed, bytes modelled. Hollow: predicted.
void draw_dot(ImDrawList& draw, ImVec2 centre, float radius, Rgb colour, float alpha, Evidence evidence,
              Rgb paper);
void draw_dashed_line(ImDrawList& draw, ImVec2 from, ImVec2 to, ImU32 colour, float dash, float thickness = 1);
// Text turned about `at`, which lies at its left end at half its height. [radians], clockwise
void draw_turned_text(ImDrawList& draw, ImVec2 at, float turn, Type type, ImU32 colour, std::string_view text);
void draw_text(ImDrawList& draw, ImVec2 at, Type type, ImU32 colour, std::string_view text);
void draw_text_right(ImDrawList& draw, ImVec2 right_end, Type type, ImU32 colour, std::string_view text);
void draw_check(ImDrawList& draw, ImVec2 centre, float size, ImU32 colour);
void draw_cross(ImDrawList& draw, ImVec2 centre, float size, ImU32 colour);
ImVec2 text_size(Type type, std::string_view text);

}  // namespace rooftile::window
