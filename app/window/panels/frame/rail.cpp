// The left edge of a small window: one press opens what has no place beside the chart.
#include <algorithm>

#include "app/window/kit/icons.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

struct Item {
  Drawer drawer;
  const char* word;
};

constexpr Item items[] = {{Drawer::kernels, "kernels"}, {Drawer::dials, "dials"},   {Drawer::shares, "shares"},
                          {Drawer::occupancy, "SM"},    {Drawer::points, "points"}, {Drawer::map, "map"},
                          {Drawer::why, "why"},         {Drawer::source, "source"}, {Drawer::roofs, "roofs"},
                          {Drawer::curves, "curves"},   {Drawer::launch, "launch"}, {Drawer::proof, "proof"}};
constexpr float tallest_item = 64;

bool is_offered(const AppState& state, const Item& item) {
  return item.drawer != Drawer::launch || state.derived.shown.has_launch_form;
}

void draw_item(const AppState& state, const Item& item, ImVec2 size, Actions& actions) {
  const Palette& token = colours(state);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton(item.word, size)) {
    actions.push_back(ToggleDrawer{item.drawer});
  }
  const bool open = state.view.drawer == item.drawer, hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (open || hovered) {
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, ink(token.accent, open ? 0.17f : 0.07f),
                       px(state, 5));
  }
  const ImU32 colour = ink(open ? words(state, token.accent) : hovered ? token.text : token.dim);
  const ImVec2 word = text_size(Type::small, item.word);
  const float icon = px(state, 15), between = px(state, size.y > px(state, 46) ? 6 : 2);
  const float top = at.y + (size.y - icon - between - word.y) / 2, middle = at.x + size.x / 2;
  draw_icon(draw, item.drawer, {middle, top + icon / 2}, icon, colour);
  draw_text(draw, {middle - word.x / 2, top + icon + between}, Type::small, colour, item.word);
}

}  // namespace

void draw_rail(const AppState& state, const Rect& place, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(state, 5), px(state, 3)));
  const Panel panel("Rail", place);
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const auto offered = std::ranges::count_if(items, [&](const Item& item) { return is_offered(state, item); });
  const ImVec2 size{space.x, std::min(space.y / static_cast<float>(offered), px(state, tallest_item))};
  for (const Item& item : items) {
    if (is_offered(state, item)) {
      draw_item(state, item, size, actions);
    }
  }
  ImGui::PopStyleVar();
}

}  // namespace rooftile::window
