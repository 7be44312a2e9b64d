#include <algorithm>

#include "analysis/format.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/side_panel.hpp"

namespace rooftile::window {
namespace {

constexpr int most_pips = 14;

void draw_ratio(const AppState& state, const char* label, std::optional<double> ratio, Type type, Rgb colour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Rgb words_colour = type == Type::figure_strong ? colours(state).text : colours(state).dim;
  draw_text(draw, at, type, ink(words_colour), label);
  draw_text_right(draw, {right, at.y}, Type::figure, ink(words_colour), ratio ? percent(*ratio) : unknown_text);
  gap(state, 16);
  share_bar(state, ratio.value_or(0), colour, 6);
  gap(state, 5);
}

// One pip for each block that would fit if this were the only limit.
void draw_limiter(const AppState& state, const LimiterBar& bar) {
  const Palette& token = colours(state);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Rgb colour = bar.binds ? token.text : token.dim;
  draw_text(draw, at, Type::body, ink(colour), bar.label);
  const std::string figure = count(*bar.blocks);
  const float side = px(state, 8), step = px(state, 11);
  const float end = right - text_size(Type::figure, figure).x - px(state, 3);
  for (int i = 0; i < std::min(*bar.blocks, most_pips); ++i) {
    const ImVec2 from{at.x + px(state, 112) + step * static_cast<float>(i), at.y + px(state, 4)};
    if (from.x + side > end) {
      break;
    }
    draw.AddRectFilled(from, {from.x + side, from.y + px(state, 10)}, ink(bar.binds ? token.warn : token.edge),
                       px(state, 2));
  }
  draw_text_right(draw, {right, at.y}, Type::figure, ink(colour), figure);
  gap(state, 19);
}

}  // namespace

void draw_occupancy(const AppState& state, const Subject& subject) {
  const Palette& token = colours(state);
  if (!subject.occupancy) {
    write_wrapped(Type::body, token.dim,
                  state.session.compiles
                      ? "Registers are not known yet: the kernel is being compiled for this GPU."
                      : "Registers are not known: no compiler is here and this launch is not recorded.");
    return;
  }
  const OccupancyView& view = *subject.occupancy;
  write_wrapped(Type::body, token.dim, view.sentence);
  draw_ratio(state, "Theoretical", view.theoretical, Type::figure_strong, token.accent);
  draw_ratio(state, "Achieved", view.achieved, Type::body, mix(token.accent, token.panel, 0.35));
  for (const LimiterBar& bar : view.limiters) {
    draw_limiter(state, bar);
  }
  if (!view.cliff.empty()) {
    write_wrapped(Type::body, token.dim, view.cliff);
  }
}

}  // namespace rooftile::window
