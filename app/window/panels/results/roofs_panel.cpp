#include <algorithm>

#include "analysis/text/format.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

struct RoofColumn {
  const char* name;
  std::string RoofRow::*cell;
  const char* meaning;
};
// The last ones make way first.
constexpr RoofColumn roof_columns[] = {
    {"measured", &RoofRow::measured, "What a benchmark of ours reached on this GPU."},
    {"spec", &RoofRow::spec, "What the hardware can do in each cycle, at the clock that was measured."},
    {"datasheet", &RoofRow::datasheet, "What the vendor states, at the boost clock."},
    {"sustained", &RoofRow::sustained,
     "What the benchmark keeps up for longer, with the clock that the power allows."}};
constexpr float roof_width = 96;
constexpr float table_share = 0.66f;  // of the panel; the sources have the rest

float name_width(const AppState& state) {
  float widest = 0;
  for (const RoofRow& row : state.derived.shown.roofs) {
    widest = std::max(widest, text_size(Type::body, row.name).x);
  }
  return widest + px(state, 16);
}

// The columns that say something, as far as names leave room: the sources beside the table have every figure.
std::vector<RoofColumn> columns_within(const AppState& state, float width) {
  float free = width - name_width(state);
  std::vector<RoofColumn> columns;
  for (const RoofColumn& column : roof_columns) {
    const bool is_empty = std::ranges::all_of(state.derived.shown.roofs, [&](const RoofRow& row) {
      return (row.*column.cell).empty() || row.*column.cell == unknown_text;
    });
    if (!is_empty && free >= px(state, roof_width)) {
      columns.push_back(column);
      free -= px(state, roof_width);
    }
  }
  return columns;
}

void draw_header(const AppState& state, const std::vector<RoofColumn>& columns) {
  ImGui::TableSetupColumn("roof", ImGuiTableColumnFlags_WidthStretch);
  for (const RoofColumn& column : columns) {
    ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthFixed, px(state, roof_width));
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (const RoofColumn& column : columns) {
    ImGui::TableNextColumn();
    write_right(Type::small, colours(state).dim, column.name);
    if (ImGui::IsItemHovered()) {
      hint(state, column.meaning);
    }
  }
}

void draw_name(const AppState& state, const RoofRow& row, bool selected, Actions& actions) {
  const Palette& token = colours(state);
  ImGui::PushStyleColor(ImGuiCol_Header, ink(token.accent, 0.12f));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, ink(token.accent, 0.08f));
  ImGui::PushStyleColor(ImGuiCol_HeaderActive, ink(token.accent, 0.2f));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = "##" + row.name;
  if (ImGui::Selectable(id.c_str(), selected, ImGuiSelectableFlags_SpanAllColumns, {0, px(state, 18)})) {
    actions.push_back(SelectRoof{row.name});
  }
  ImGui::PopStyleColor(3);
  if (ImGui::IsItemHovered()) {
    hint(state, row.sources);
  }
  draw_text(*ImGui::GetWindowDrawList(), {at.x + px(state, 8), at.y}, Type::body,
            ink(words(state, row.level ? token.level(*row.level) : token.compute)), row.name);
}

void draw_row(const AppState& state, const RoofRow& row, const std::vector<RoofColumn>& columns, bool selected,
              Actions& actions) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_name(state, row, selected, actions);
  for (const RoofColumn& column : columns) {
    ImGui::TableNextColumn();
    write_right(Type::figure, colours(state).text, row.*column.cell);
  }
}

const RoofRow* selected_row(const AppState& state) {
  for (const RoofRow& row : state.derived.shown.roofs) {
    if (row.name == state.view.roof) {
      return &row;
    }
  }
  return state.derived.shown.roofs.empty() ? nullptr : &state.derived.shown.roofs.front();
}

void draw_table(const AppState& state, const RoofRow* selected, Actions& actions) {
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH;
  const float width = ImGui::GetContentRegionAvail().x * table_share;
  const std::vector<RoofColumn> columns = columns_within(state, width);
  // Another table where it has other columns: Dear ImGui keeps their widths.
  ImGui::PushID(static_cast<int>(columns.size()));
  if (ImGui::BeginTable("roofs", 1 + static_cast<int>(columns.size()), flags, {width, 0})) {
    draw_header(state, columns);
    for (const RoofRow& row : state.derived.shown.roofs) {
      draw_row(state, row, columns, &row == selected, actions);
    }
    ImGui::EndTable();
  }
  ImGui::PopID();
}

void draw_sources(const AppState& state, const RoofRow& row) {
  if (ImGui::BeginChild("sources")) {
    write(Type::heading, colours(state).text, row.name);
    for (const std::string& source : row.sources) {
      gap(state, 4);
      write_wrapped(Type::small, colours(state).dim, source);
    }
  }
  ImGui::EndChild();
}

}  // namespace

void draw_roofs_table(const AppState& state, Actions& actions) {
  constexpr float room_for_chip = 130;
  const bool live = mode(state) == Mode::live;
  write(Type::small, colours(state).dim,
        elided(Type::small,
               "spec: hardware peak at the measured clock. Click a roof to see where its figures come from.",
               ImGui::GetContentRegionAvail().x - (live ? px(state, room_for_chip) : 0)));
  if (live) {
    ImGui::SameLine(0, px(state, 16));
    if (chip(state, "measure again", colours(state).accent, false)) {
      actions.push_back(MeasureRoofs{});
    }
  }
  if (const RoofRow* selected = selected_row(state)) {
    draw_table(state, selected, actions);
    ImGui::SameLine(0, px(state, 24));
    draw_sources(state, *selected);
  }
}

}  // namespace rooftile::window
