#include "app/window/marks.hpp"
#include "app/window/panels.hpp"
#include "app/window/widgets.hpp"

namespace rooftile::window {
namespace {

struct Column {
  const char* name;
  float width;  // share of the table
  std::string TableRow::*cell;
  Type type;
};

constexpr Column columns[] = {
    {"time", 1.0f, &TableRow::time, Type::figure},
    {"rate", 1.3f, &TableRow::rate, Type::figure},
    {"of roof", 0.8f, &TableRow::share, Type::figure},
    {"DRAM", 1.0f, &TableRow::dram, Type::figure},
    {"occupancy", 1.0f, &TableRow::occupancy, Type::figure},
    {"bound by", 1.5f, &TableRow::bound_by, Type::body},
};

void set_up_columns() {
  ImGui::TableSetupColumn("variant", ImGuiTableColumnFlags_WidthStretch, 3.4f);
  for (const Column& column : columns) {
    ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthStretch, column.width);
  }
  ImGui::TableSetupScrollFreeze(0, 1);
}

void draw_header(const AppState& state) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::Indent(px(state, 26));
  write(Type::small, colours(state).dim, "variant");
  ImGui::Unindent(px(state, 26));
  for (const Column& column : columns) {
    ImGui::TableNextColumn();
    if (column.type == Type::figure) {
      write_right(Type::small, colours(state).dim, column.name);
    } else {
      ImGui::Indent(px(state, 16));
      write(Type::small, colours(state).dim, column.name);
      ImGui::Unindent(px(state, 16));
    }
  }
}

void take_row_input(const AppState& state, const TableRow& row, Requests& requests) {
  if (ImGui::IsItemHovered() && row.failure) {
    hint(state, *row.failure);
  }
  if (ImGui::BeginPopupContextItem("row")) {
    if (ImGui::Selectable(row.pinned ? "Unpin" : "Pin")) {
      requests.push_back(Pin{row.id});
    }
    if (ImGui::Selectable("Remove")) {
      requests.push_back(Remove{row.id});
    }
    ImGui::EndPopup();
  }
}

void draw_variant(const AppState& state, const TableRow& row, Requests& requests) {
  const Palette& token = colours(state);
  ImGui::PushStyleColor(ImGuiCol_Header, ink(token.accent, 0.12f));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, ink(token.accent, 0.08f));
  ImGui::PushStyleColor(ImGuiCol_HeaderActive, ink(token.accent, 0.2f));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Selectable("##row", row.current, ImGuiSelectableFlags_SpanAllColumns, {0, px(state, 18)})) {
    requests.push_back(SelectPoint{row.id});
  }
  ImGui::PopStyleColor(3);
  take_row_input(state, row, requests);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Rgb mark = row.failure ? token.bad : token.level(state.view.level);
  draw_dot(draw, {at.x + px(state, 9), at.y + px(state, 9)}, px(state, 5), mark, row.current ? 1 : 0.55f,
           row.evidence, token.panel);
  if (row.pinned) {
    draw.AddCircle({at.x + px(state, 9), at.y + px(state, 9)}, px(state, 8), ink(token.accent), 0,
                   px(state, 1.3f));
  }
  const float x = at.x + px(state, 26);
  draw_text(draw, {x, at.y}, Type::figure, ink(token.text), row.kernel);
  draw_text(draw, {x + text_size(Type::figure, row.kernel).x + px(state, 10), at.y}, Type::body, ink(token.dim),
            row.variant);
}

void draw_row(const AppState& state, const TableRow& row, Requests& requests) {
  ImGui::PushID(static_cast<int>(row.id));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_variant(state, row, requests);
  for (const Column& column : columns) {
    ImGui::TableNextColumn();
    if (column.type == Type::figure) {
      write_right(Type::figure, colours(state).text, row.*column.cell);
    } else {
      ImGui::Indent(px(state, 16));
      write(Type::body, row.failure ? colours(state).bad : colours(state).text,
            row.failure ? "failed" : row.*column.cell);
      ImGui::Unindent(px(state, 16));
    }
  }
  ImGui::PopID();
}

}  // namespace

void draw_points_panel(const AppState& state, const Rect& place, Requests& requests) {
  const Panel panel("Points", place);
  write(Type::heading, colours(state).text, "Points");
  ImGui::SameLine(0, px(state, 16));
  write(Type::small, colours(state).dim, "newest first: filled = counted, half = timed, hollow = predicted");
  if (state.shown.table.empty()) {
    gap(state, 6);
    write(Type::body, colours(state).dim, "No launch yet. Move a dial.");
    return;
  }
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH;
  if (ImGui::BeginTable("points", static_cast<int>(std::size(columns)) + 1, flags)) {
    set_up_columns();
    draw_header(state);
    for (const TableRow& row : state.shown.table) {
      draw_row(state, row, requests);
    }
    ImGui::EndTable();
  }
}

}  // namespace rooftile::window
