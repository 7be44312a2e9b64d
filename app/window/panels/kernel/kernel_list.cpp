// The kernels to choose from, by group, with bars of their speed. Likewise the shapes of a program's kernel.
#include <algorithm>
#include <cmath>

#include "analysis/text/format.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/kernel/kernel_panel.hpp"

namespace rooftile::window {
namespace {

constexpr double moment = 0.1;  // [s] in which a chosen kernel is brought into view
constexpr float line_height = 25, chosen_height = 42;
constexpr float indent = 10, figure_width = 56, bar_width = 52, bar_height = 5;

struct Line {
  ImVec2 at, size;
  float right() const { return at.x + size.x; }
};

// A pressable line of the list.
Line next_line(const AppState& state, float height) {
  return {ImGui::GetCursorScreenPos(), {ImGui::GetContentRegionAvail().x, px(state, height)}};
}

void draw_figure(const AppState& state, const std::string& figure, double share, const Line& line,
                 bool chosen) {
  const Palette& token = colours(state);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float right = line.right() - px(state, 6);
  draw_text_right(draw, {right, line.at.y + px(state, 6)}, Type::figure_small,
                  ink(figure.empty() ? token.faint
                      : chosen       ? token.text
                                     : token.dim),
                  figure.empty() ? unknown_text : figure);
  const ImVec2 from{right - px(state, figure_width + bar_width), line.at.y + px(state, 11)};
  const ImVec2 to{from.x + px(state, bar_width), from.y + px(state, bar_height)};
  const float round = px(state, bar_height / 2);
  draw.AddRectFilled(from, to, ink(token.edge), round);
  if (share > 0) {
    const float filled = std::max(px(state, bar_height), (to.x - from.x) * static_cast<float>(share));
    draw.AddRectFilled(from, {from.x + filled, to.y}, ink(chosen ? token.accent : token.dim, chosen ? 1 : 0.6f),
                       round);
  }
}

void draw_row_words(const AppState& state, const KernelRow& row, const Line& line, bool chosen) {
  const Palette& token = colours(state);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float x = line.at.x + px(state, indent);
  const float free = line.size.x - px(state, indent + figure_width + bar_width + 14);
  const Type type = chosen ? Type::figure_strong : Type::body;
  draw_text(draw, {x, line.at.y + px(state, 4)}, type,
            ink(chosen ? token.text : mix(token.text, token.dim, 0.4)), elided(type, row.title, free));
  if (chosen) {
    draw_text(draw, {x, line.at.y + px(state, 22)}, Type::small, ink(token.dim),
              elided(Type::small, row.idea, line.size.x - px(state, indent)));
  }
}

void draw_ground(const AppState& state, const Line& line, bool chosen, bool hovered) {
  const ImVec2 to{line.right(), line.at.y + line.size.y};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (chosen || hovered) {
    draw.AddRectFilled(line.at, to, ink(colours(state).accent, chosen ? 0.17f : 0.07f), px(state, 5));
  }
  if (chosen) {
    draw.AddRectFilled(line.at, {line.at.x + px(state, 3), to.y}, ink(colours(state).accent), px(state, 2));
  }
}

void draw_kernel(const AppState& state, const KernelRow& row, Actions& actions) {
  const bool chosen = row.name == state.choice.kernel;
  const Line line = next_line(state, chosen ? chosen_height : line_height);
  if (ImGui::InvisibleButton(row.name.c_str(), line.size)) {
    actions.push_back(SelectKernel{row.name});
  }
  const bool hovered = ImGui::IsItemHovered();
  draw_ground(state, line, chosen, hovered);
  draw_row_words(state, row, line, chosen);
  draw_figure(state, row.figure, row.share, line, chosen);
  if (hovered) {
    hint(state, row.facts);
  }
  if (chosen && !ImGui::IsItemVisible() && state.now - state.view.kernel_chosen < moment) {
    ImGui::SetScrollHereY();
  }
}

void draw_shape(const AppState& state, const ShapeRow& row, Actions& actions) {
  const Line line = next_line(state, line_height);
  if (ImGui::InvisibleButton(row.text.c_str(), line.size)) {
    actions.push_back(SelectPoint{row.id});
  }
  const bool hovered = ImGui::IsItemHovered();
  draw_ground(state, line, row.current, hovered);
  const float free = line.size.x - px(state, indent + figure_width + bar_width + 14);
  draw_text(*ImGui::GetWindowDrawList(), {line.at.x + px(state, indent), line.at.y + px(state, 4)}, Type::body,
            ink(row.current ? colours(state).text : colours(state).dim), elided(Type::body, row.text, free));
  draw_figure(state, row.figure, row.share, line, row.current);
  if (hovered) {
    hint(state, row.facts);
  }
}

bool has_figures(const KernelGroup& group) {
  return std::ranges::any_of(group.rows, [](const KernelRow& row) { return !row.figure.empty(); });
}

// Says the unit of the figures below it, or how many kernels it hides.
void draw_group(const AppState& state, const KernelGroup& group, Actions& actions) {
  const Palette& token = colours(state);
  const Line line = next_line(state, line_height);
  if (ImGui::InvisibleButton(group.title.c_str(), line.size)) {
    actions.push_back(ToggleGroup{group.title});
  }
  const ImU32 colour = ink(ImGui::IsItemHovered() || group.open ? token.text : token.dim);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_arrow(draw, {line.at.x + px(state, 5), line.at.y + px(state, 12)}, px(state, 4), opened(group.open),
             colour);
  draw_text(draw, {line.at.x + px(state, 16), line.at.y + px(state, 4)}, Type::figure_strong, colour,
            group.title);
  const std::string right = !group.open          ? count(static_cast<double>(group.rows.size()))
                            : has_figures(group) ? group.unit
                                                 : "";
  draw_text_right(draw, {line.right() - px(state, 6), line.at.y + px(state, 6)}, Type::small, ink(token.dim),
                  right);
}

}  // namespace

float kernel_list_height(const AppState& state) {
  float height = chosen_height - line_height;
  for (const KernelGroup& group : state.derived.shown.kernels) {
    height += line_height * (group.open ? 1 + static_cast<float>(group.rows.size()) : 1);
  }
  return height;
}

float whole_lines(float height) {
  const float of_chosen = chosen_height - line_height;
  return std::floor((height - of_chosen) / line_height) * line_height + of_chosen;
}

void draw_kernels(const AppState& state, float height, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const float bleed = px(state, 8);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() - bleed);
  ImGui::BeginChild("list", {ImGui::GetContentRegionAvail().x + bleed, height}, 0, ImGuiWindowFlags_NoNav);
  for (const KernelGroup& group : state.derived.shown.kernels) {
    draw_group(state, group, actions);
    for (std::size_t i = 0; group.open && i < group.rows.size(); ++i) {
      draw_kernel(state, group.rows[i], actions);
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void draw_shapes(const AppState& state, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (const ShapeRow& row : state.derived.shown.shapes) {
    ImGui::PushID(static_cast<int>(row.id));
    draw_shape(state, row, actions);
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
}

}  // namespace rooftile::window
