// The left edge of a small window: one press opens what has no place beside the chart.
#include <algorithm>

#include "app/window/kit/icons.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float tallest_item = 64;

// Draws the word below its icon; in a low rail, beside it.
void draw_icon_and_word(const AppState& state, const PanelWords& item, ImVec2 at, ImVec2 size, ImU32 colour) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 word = text_size(Type::small, item.word);
  const float icon = px(state, 15);
  if (size.y < icon + word.y + px(state, 4)) {
    const float left = at.x + px(state, 3), middle = at.y + size.y / 2;
    draw_icon(draw, item.panel, {left + icon / 2, middle}, icon, colour);
    draw_text(draw, {left + icon + px(state, 6), middle - word.y / 2}, Type::small, colour, item.word);
    return;
  }
  const float between = px(state, size.y > px(state, 46) ? 6 : 2);
  const float top = at.y + (size.y - icon - between - word.y) / 2, middle = at.x + size.x / 2;
  draw_icon(draw, item.panel, {middle, top + icon / 2}, icon, colour);
  draw_text(draw, {middle - word.x / 2, top + icon + between}, Type::small, colour, item.word);
}

void draw_item(const AppState& state, const PanelWords& item, ImVec2 size, Actions& actions) {
  const Palette& token = colours(state);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool open = state.view.drawer == item.panel;
  if (ImGui::InvisibleButton(item.word, size)) {
    actions.push_back(open ? Action(CloseDrawer{}) : Action(ShowPanel{item.panel}));
  }
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && !open) {
    hint(state, item.shows);
  }
  if (open || hovered) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                                              ink(token.accent, open ? 0.17f : 0.07f), px(state, 5));
  }
  const ImU32 colour = ink(open ? words(state, token.accent) : hovered ? token.text : token.dim);
  draw_icon_and_word(state, item, at, size, colour);
}

}  // namespace

void draw_rail(const AppState& state, const Rect& place, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(state, 5), px(state, 3)));
  const PanelFrame frame("Rail", place);
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const auto offered =
      std::ranges::count_if(panels, [&](const PanelWords& item) { return is_offered(state, item.panel); });
  const ImVec2 size{space.x, std::min(space.y / static_cast<float>(offered), px(state, tallest_item))};
  for (const PanelWords& item : panels) {
    if (is_offered(state, item.panel)) {
      draw_item(state, item, size, actions);
    }
  }
  ImGui::PopStyleVar();
}

}  // namespace rooftile::window
