#include <fmt/format.h>

#include <algorithm>

#include "app/scene/chart/ladder.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float room_for_chips = 530, room_for_caption = 620;

bool level_known(const AppState& state, MemoryLevel level) {
  const auto has = [&](const ChartRow& row) { return row.dot(level) != nullptr; };
  const Chart& chart = state.derived.shown.chart;
  return std::ranges::any_of(chart.rows, has) || (chart.ghost && has(*chart.ghost));
}

const char* heading(ChartKind kind) {
  switch (kind) {
    case ChartKind::roofline:
      return "Roofline";
    case ChartKind::instructions:
      return "Instruction roofline";
    case ChartKind::shares:
      break;
  }
  return "Share of the roofs";
}

// One width for every kind of chart: what stands right of it keeps its place.
float heading_width() {
  float width = 0;
  for (const ChartKind kind : {ChartKind::roofline, ChartKind::instructions, ChartKind::shares}) {
    width = std::max(width, text_size(Type::heading, heading(kind)).x);
  }
  return width;
}

// The chip of distributed shared memory is there for few kernels, and takes room from the others.
bool has_room_for(const AppState& state, float usual) {
  const bool distributed = level_known(state, MemoryLevel::distributed);
  const float chip = distributed ? chip_size(state, title(MemoryLevel::distributed)).x + px(state, 2) : 0;
  return ImGui::GetContentRegionAvail().x >= px(state, usual) + chip;
}

void draw_levels(const AppState& state, Actions& actions) {
  for (const MemoryLevel level : memory_levels) {
    if (!level_known(state, level)) {
      continue;
    }
    if (chip(state, std::string(title(level)).c_str(), colours(state).level(level),
             state.view.level == level)) {
      actions.push_back(SelectLevel{level});
    }
    if (ImGui::IsItemHovered()) {
      hint(state,
           fmt::format("Intensity by the bytes at {}: draws its ridge and labels its points.", title(level)));
    }
    ImGui::SameLine(0, px(state, 2));
  }
}

const std::string ladder_hint =
    "The kernels of this problem on one chart: each at its fastest launch with these sizes, in the order in "
    "which "
    "they are taught. Why says what each step gains.";

void draw_ladder(const AppState& state, Actions& actions) {
  ImGui::SameLine(0, px(state, 2));
  if (chip(state, "ladder", colours(state).accent, state.view.ladder.has_value())) {
    actions.push_back(ToggleLadder{});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, ladder_hint);
  }
}

// Each kernel is taken off the chart and put back; one may stand alone.
void draw_ladder_rows(const AppState& state, Actions& actions) {
  if (menu_row("Ladder: the kernels of this problem", state.view.ladder.has_value())) {
    actions.push_back(ToggleLadder{});
  }
  for (const Rung& rung : all_rungs(state)) {
    const std::string& name = rung.kernel->name;
    if (menu_row(("    " + rung.kernel->short_title + "##" + name).c_str(),
                 !state.view.ladder->hidden.contains(name))) {
      actions.push_back(ToggleRung{name});
    }
  }
  if (state.view.ladder && menu_row("    only the chosen kernel", false)) {
    actions.push_back(IsolateRung{state.choice.kernel});
  }
  if (state.view.ladder && menu_row("    all kernels", false)) {
    actions.push_back(IsolateRung{});
  }
  ImGui::Separator();
}

bool offers_instructions(const AppState& state) {
  return state.view.instructions || state.derived.shown.has_instructions;
}

void draw_instructions(const AppState& state, Actions& actions) {
  if (!offers_instructions(state)) {
    return;
  }
  if (chip(state, "instructions", colours(state).accent, state.view.instructions)) {
    actions.push_back(ToggleInstructions{});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, "Instruction roofline: warp instructions and 32-byte transactions. It needs no FLOPs.");
  }
}

// Offered where it can be counted, or was.
void draw_definition_row(const AppState& state, Actions& actions) {
  const bool returned = state.view.bytes == ByteDefinition::returned;
  if (mode(state) != Mode::live && !returned && !state.derived.shown.has_returned_bytes) {
    return;
  }
  ImGui::Separator();
  if (menu_row("Count bytes as Nsight Compute does (one more pass)", returned)) {
    actions.push_back(SelectBytes{returned ? ByteDefinition::requested : ByteDefinition::returned});
  }
}

Origin best_origin(const AppState& state) {
  const auto& origins = state.derived.shown.chart.origins;
  return origins.empty() ? Origin::measured : origins.front();
}

void draw_origin_rows(const AppState& state, Actions& actions) {
  const Origin best = best_origin(state);
  for (const Origin origin : state.derived.shown.chart.origins) {
    const std::string row = "Roofs: " + std::string(key(origin));
    if (menu_row(row.c_str(), state.view.origin.value_or(best) == origin)) {
      actions.push_back(SelectOrigin{origin == best ? std::nullopt : std::optional(origin)});
    }
  }
  ImGui::Separator();
  if (menu_row("Size of dots: occupancy", state.view.occupancy_on_dots)) {
    actions.push_back(ToggleOccupancyOnDots{});
  }
  draw_definition_row(state, actions);
}

// Rows in place of chips, for a chart too narrow for these.
void draw_level_rows(const AppState& state, Actions& actions) {
  for (const MemoryLevel level : memory_levels) {
    const std::string row = "Bytes at " + std::string(title(level));
    if (level_known(state, level) && menu_row(row.c_str(), state.view.level == level)) {
      actions.push_back(SelectLevel{level});
    }
  }
  if (offers_instructions(state) && menu_row("Instruction roofline", state.view.instructions)) {
    actions.push_back(ToggleInstructions{});
  }
  ImGui::Separator();
}

// "roofs: measured", at the right edge.
void draw_view_menu(const AppState& state, const std::string& label, bool with_levels, Actions& actions) {
  const float arrow = px(state, 14);
  ImGui::SameLine();
  const float free = ImGui::GetContentRegionAvail().x - chip_size(state, label).x - arrow;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, free));
  ImGui::PushID("view");
  if (chip(state, label.c_str(), colours(state).accent, false)) {
    ImGui::OpenPopup("menu");
  }
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  draw_arrow(*ImGui::GetWindowDrawList(), {to.x + arrow / 2 - px(state, 3), (from.y + to.y) / 2}, px(state, 4),
             ArrowHead::down, ink(colours(state).dim));
  if (begin_menu(state, "menu")) {
    draw_ladder_rows(state, actions);
    if (with_levels) {
      draw_level_rows(state, actions);
    }
    draw_origin_rows(state, actions);
    end_menu();
  }
  ImGui::PopID();
}

void draw_wide_header(const AppState& state, Actions& actions) {
  const float right_of_heading = ImGui::GetCursorPosX() + heading_width() + px(state, 14);
  const bool with_caption = has_room_for(state, room_for_caption);
  write(Type::heading, colours(state).text, heading(state.derived.shown.chart.kind));
  ImGui::SameLine(right_of_heading);
  if (with_caption) {
    write(Type::small, colours(state).dim, "bytes at");
    ImGui::SameLine(0, px(state, 4));
  }
  draw_levels(state, actions);
  draw_instructions(state, actions);
  draw_ladder(state, actions);
  draw_view_menu(state, "roofs: " + std::string(key(state.view.origin.value_or(best_origin(state)))), false,
                 actions);
}

// The heading names the kernel where the list of kernels is folded away, unless a class is to find out what it
// does.
void draw_narrow_header(const AppState& state, bool names_kernel, Actions& actions) {
  const std::string label = "bytes at " + std::string(title(state.view.level));
  const float width = ImGui::GetContentRegionAvail().x - chip_size(state, label).x - px(state, 30);
  const bool is_guessed = played_step(state) != nullptr && hides_figures(state);
  const std::string words = heading(state.derived.shown.chart.kind) +
                            (names_kernel && !is_guessed ? " \u00b7 " + kernel(state).title : "");
  write(Type::heading, colours(state).text, elided(Type::heading, words, width));
  draw_view_menu(state, label, true, actions);
}

}  // namespace

void draw_chart_panel(const AppState& state, const Layout& layout, Actions& actions) {
  const PanelFrame frame("Chart", layout.chart,
                         layout.folded ? PanelFrame::Style::snug : PanelFrame::Style::card);
  ImGui::AlignTextToFramePadding();
  if (layout.folded || !has_room_for(state, room_for_chips)) {
    draw_narrow_header(state, layout.folded, actions);
  } else {
    draw_wide_header(state, actions);
  }
  if (state.derived.shown.chart.kind == ChartKind::shares) {
    draw_share_chart(state, actions);
  } else {
    draw_roofline_chart(state, actions);
  }
}

}  // namespace rooftile::window
