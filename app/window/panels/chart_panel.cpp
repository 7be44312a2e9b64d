#include <algorithm>

#include "app/window/charts/charts.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

bool level_known(const AppState& state, MemoryLevel level) {
  const auto has = [&](const ChartRow& row) { return row.dot(level) != nullptr; };
  const Chart& chart = state.shown.chart;
  return std::ranges::any_of(chart.rows, has) || (chart.ghost && has(*chart.ghost));
}

void draw_caption(const AppState& state, const char* words_of_it) {
  ImGui::AlignTextToFramePadding();
  write(Type::small, colours(state).dim, words_of_it);
  ImGui::SameLine(0, px(state, 4));
}

void draw_levels(const AppState& state, Actions& actions) {
  draw_caption(state, "bytes at");
  for (const MemoryLevel level : memory_levels) {
    if (!level_known(state, level)) {
      continue;
    }
    if (chip(state, std::string(title(level)).c_str(), colours(state).level(level),
             state.view.level == level)) {
      actions.push_back(SelectLevel{level});
    }
    ImGui::SameLine(0, px(state, 2));
  }
}

// Offered where it can be counted, or was.
void draw_definition(const AppState& state, Actions& actions) {
  const bool returned = state.view.bytes == ByteDefinition::returned;
  if (mode(state) != Mode::live && !returned && !state.shown.has_returned_bytes) {
    return;
  }
  if (chip(state, "as Nsight counts", colours(state).accent, returned)) {
    actions.push_back(SelectBytes{returned ? ByteDefinition::requested : ByteDefinition::returned});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, "Count bytes as Nsight Compute does: what L2 and L1 return (one more pass).");
  }
  ImGui::SameLine(0, px(state, 2));
}

// Offered where a launch counted its instructions.
void draw_instructions(const AppState& state, Actions& actions) {
  if (!state.view.instructions && !state.shown.has_instructions) {
    return;
  }
  if (chip(state, "instructions", colours(state).accent, state.view.instructions)) {
    actions.push_back(ToggleInstructions{});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, "Warp instructions against transactions of 32 bytes: for kernels without FLOPs too.");
  }
  ImGui::SameLine(0, px(state, 2));
}

// The buttons behind the heading stay where they are when another chart is chosen.
void draw_heading(const AppState& state) {
  constexpr const char* roofline = "Roofline";
  constexpr const char* shares = "Roof shares";
  ImGui::AlignTextToFramePadding();
  const float start = ImGui::GetCursorPosX();
  write(Type::heading, colours(state).text, state.shown.chart.kind == ChartKind::shares ? shares : roofline);
  const float width = std::max(text_size(Type::heading, roofline).x, text_size(Type::heading, shares).x);
  ImGui::SameLine(start + width + px(state, 16));
}

constexpr float before_origins = 18;
constexpr const char* origins_caption = "roofs";

bool origins_fit(const AppState& state) {
  float width = px(state, before_origins) + text_size(Type::small, origins_caption).x;
  for (const Origin origin : state.shown.chart.origins) {
    width += px(state, 2) + chip_size(state, key(origin)).x;
  }
  // The last chip's margin may lie in that of the panel.
  return width <= ImGui::GetContentRegionAvail().x + px(state, 12);
}

// In a line of their own where the window is narrow.
void draw_origins(const AppState& state, Actions& actions) {
  if (state.shown.chart.origins.size() < 2) {
    return;
  }
  if (origins_fit(state)) {
    ImGui::SameLine(0, px(state, before_origins));
  } else {
    ImGui::NewLine();
  }
  draw_caption(state, origins_caption);
  const Origin best = state.shown.chart.origins.front();
  for (const Origin origin : state.shown.chart.origins) {
    if (chip(state, std::string(key(origin)).c_str(), colours(state).accent,
             state.view.origin.value_or(best) == origin)) {
      actions.push_back(SelectOrigin{origin == best ? std::nullopt : std::optional(origin)});
    }
    ImGui::SameLine(0, px(state, 2));
  }
}

}  // namespace

void draw_chart_panel(const AppState& state, const Rect& place, Actions& actions) {
  const Panel panel("Chart", place);
  draw_heading(state);
  draw_levels(state, actions);
  draw_definition(state, actions);
  draw_instructions(state, actions);
  draw_origins(state, actions);
  ImGui::NewLine();
  if (state.shown.chart.kind == ChartKind::shares) {
    draw_share_chart(state);
  } else {
    draw_roofline_chart(state, actions);
  }
}

}  // namespace rooftile::window
