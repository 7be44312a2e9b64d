// Dear ImGui without a window: what a function draws, as corners.
#pragma once

#include <gmock/gmock.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/window/kit/marks.hpp"
#include "app/window/kit/without_renderer.hpp"

namespace rooftile::window {

constexpr Rgb red = rgb(0xff0000), blue = rgb(0x0000ff), paper = rgb(0x102030);

struct Extent {
  ImVec2 from{FLT_MAX, FLT_MAX}, to{-FLT_MAX, -FLT_MAX};
  float width() const { return to.x - from.x; }
  float height() const { return to.y - from.y; }
};

class DrawTest : public testing::Test {
 protected:
  DrawTest() { begin(1); }
  ~DrawTest() override { end(); }

  void scale_to(float scale) {
    end();
    begin(scale);
  }

  ImDrawList& list() { return *ImGui::GetWindowDrawList(); }

  // The corners that this draws, of those that are not transparent.
  template <class Draw>
  std::vector<ImDrawVert> corners(const Draw& draw) {
    const int first = list().VtxBuffer.Size;
    draw();
    std::vector<ImDrawVert> drawn(list().VtxBuffer.begin() + first, list().VtxBuffer.end());
    std::erase_if(drawn, [](const ImDrawVert& each) { return (each.col & IM_COL32_A_MASK) == 0; });
    return drawn;
  }

 private:
  static void begin(float scale) {
    Settings settings;
    settings.scale = scale;
    apply_style(settings);
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({800, 600});
    ImGui::Begin("paper");
  }
  static void end() {
    ImGui::End();
    ImGui::EndFrame();
  }

  const WithoutRenderer context_{{800, 600}};
};

inline Extent extent(const std::vector<ImDrawVert>& corners) {
  Extent all;
  for (const ImDrawVert& each : corners) {
    all.from = {std::min(all.from.x, each.pos.x), std::min(all.from.y, each.pos.y)};
    all.to = {std::max(all.to.x, each.pos.x), std::max(all.to.y, each.pos.y)};
  }
  return all;
}

inline bool has_ink(const std::vector<ImDrawVert>& corners, ImU32 colour) {
  return std::ranges::any_of(corners, [&](const ImDrawVert& each) { return each.col == colour; });
}

}  // namespace rooftile::window
