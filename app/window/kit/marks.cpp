#include "app/window/kit/marks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/text/safe_text.hpp"

namespace rooftile::window {
namespace {

constexpr float pi = std::numbers::pi_v<float>;

ImVec2 plus(ImVec2 a, ImVec2 b) {
  return {a.x + b.x, a.y + b.y};
}
ImVec2 minus(ImVec2 a, ImVec2 b) {
  return {a.x - b.x, a.y - b.y};
}
ImVec2 times(ImVec2 a, float factor) {
  return {a.x * factor, a.y * factor};
}
float length(ImVec2 a) {
  return std::hypot(a.x, a.y);
}

void draw_left_half(ImDrawList& draw, ImVec2 centre, float radius, ImU32 colour) {
  draw.PathArcTo(centre, radius, pi / 2, 3 * pi / 2);
  draw.PathFillConvex(colour);
}

}  // namespace

void draw_dot(ImDrawList& draw, ImVec2 centre, float radius, Rgb colour, float alpha, Evidence evidence,
              Rgb paper) {
  const ImU32 fill = ink(mix(paper, colour, alpha));
  const float line = std::max(1.5f, radius * 0.28f);
  if (evidence == Evidence::counted) {
    draw.AddCircleFilled(centre, radius, fill);
    return;
  }
  if (evidence == Evidence::timed) {
    draw.AddCircleFilled(centre, radius, ink(paper));
    draw_left_half(draw, centre, radius, fill);
  }
  draw.AddCircle(centre, radius - line / 2, fill, 0, line);
}

void draw_dashed_line(ImDrawList& draw, ImVec2 from, ImVec2 to, ImU32 colour, float dash, float thickness) {
  const ImVec2 whole = minus(to, from);
  const float distance = length(whole);
  if (distance <= 0) {
    return;
  }
  const ImVec2 unit = times(whole, 1 / distance);
  for (float at = 0; at < distance; at += 2 * dash) {
    draw.AddLine(plus(from, times(unit, at)), plus(from, times(unit, std::min(at + dash, distance))), colour,
                 thickness);
  }
}

// Dear ImGui sets text level; its corners are then turned.
void draw_turned_text(ImDrawList& draw, ImVec2 at, float turn, Type type, ImU32 colour, std::string_view text) {
  const float cosine = std::cos(turn), sine = std::sin(turn);
  const int first = draw.VtxBuffer.Size;
  // Written where there is room, then turned and moved: letters that lie outside the clip rectangle before they
  // are turned would be left out.
  const ImVec2 clip = draw.GetClipRectMin(), room{std::round(clip.x), std::round(clip.y)};
  const ImVec2 pivot{room.x, room.y + text_size(type, text).y / 2};
  draw_text(draw, room, type, colour, text);
  for (int i = first; i < draw.VtxBuffer.Size; ++i) {
    const ImVec2 arm = minus(draw.VtxBuffer[i].pos, pivot);
    draw.VtxBuffer[i].pos = plus(at, {arm.x * cosine - arm.y * sine, arm.x * sine + arm.y * cosine});
  }
}

void draw_text(ImDrawList& draw, ImVec2 at, Type type, ImU32 colour, std::string_view text) {
  const TypeScope scope(type);
  const std::string safe = visible_text(text);
  draw.AddText({std::round(at.x), std::round(at.y)}, colour, safe.data(), safe.data() + safe.size());
}

void draw_text_right(ImDrawList& draw, ImVec2 right_end, Type type, ImU32 colour, std::string_view text) {
  draw_text(draw, {right_end.x - text_size(type, text).x, right_end.y}, type, colour, text);
}

void draw_check(ImDrawList& draw, ImVec2 centre, float size, ImU32 colour) {
  draw.PathLineTo({centre.x - size * 0.45f, centre.y + size * 0.02f});
  draw.PathLineTo({centre.x - size * 0.12f, centre.y + size * 0.35f});
  draw.PathLineTo({centre.x + size * 0.5f, centre.y - size * 0.38f});
  draw.PathStroke(colour, 0, size * 0.17f);
}

void draw_cross(ImDrawList& draw, ImVec2 centre, float size, ImU32 colour) {
  const float arm = size * 0.36f;
  draw.AddLine({centre.x - arm, centre.y - arm}, {centre.x + arm, centre.y + arm}, colour, size * 0.17f);
  draw.AddLine({centre.x - arm, centre.y + arm}, {centre.x + arm, centre.y - arm}, colour, size * 0.17f);
}

ImVec2 text_size(Type type, std::string_view text) {
  const TypeScope scope(type);
  const std::string safe = visible_text(text);
  return ImGui::CalcTextSize(safe.data(), safe.data() + safe.size());
}

}  // namespace rooftile::window
