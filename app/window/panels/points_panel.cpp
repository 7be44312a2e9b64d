#include <algorithm>

#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

struct Column {
  const char* name;
  float width;
  std::string TableRow::*cell;
  bool is_figure;
};

constexpr Column columns[] = {
    {"time", 80, &TableRow::time, true},           {"rate", 104, &TableRow::rate, true},
    {"of roof", 72, &TableRow::share, true},       {"DRAM", 80, &TableRow::dram, true},
    {"occupancy", 84, &TableRow::occupancy, true}, {"bound by", 128, &TableRow::bound_by, false},
};
constexpr float room_for_all = 720;

// In a narrow panel what the right column also shows makes room for the variant, and the words are smaller.
struct Form {
  bool narrow;
  Type figures() const { return narrow ? Type::figure_small : Type::figure; }
  Type words() const { return narrow ? Type::small : Type::body; }
  bool has(const Column& column) const {
    return !narrow || (column.cell != &TableRow::dram && column.cell != &TableRow::occupancy);
  }
  int count() const {
    return 1 + static_cast<int>(std::ranges::count_if(columns, [&](const Column& each) { return has(each); }));
  }
};

void set_up_columns(const AppState& state, Form form) {
  ImGui::TableSetupColumn("variant", ImGuiTableColumnFlags_WidthStretch);
  for (const Column& column : columns) {
    if (form.has(column)) {
      ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthFixed,
                              px(state, column.width * (form.narrow ? 0.85f : 1)));
    }
  }
  ImGui::TableSetupScrollFreeze(0, 1);
}

// Figures end at the right of their column; words begin a little into theirs.
void draw_cell(const AppState& state, const Column& column, Type type, Rgb colour,
               std::string_view words_of_it) {
  ImGui::TableNextColumn();
  if (column.is_figure) {
    write_right(type, colour, words_of_it);
  } else {
    ImGui::Indent(px(state, 16));
    write(type, colour, words_of_it);
    ImGui::Unindent(px(state, 16));
  }
}

void draw_header(const AppState& state, Form form) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::Indent(px(state, 26));
  write(Type::small, colours(state).dim, "variant");
  ImGui::Unindent(px(state, 26));
  for (const Column& column : columns) {
    if (form.has(column)) {
      draw_cell(state, column, Type::small, colours(state).dim, column.name);
    }
  }
}

void take_row_input(const AppState& state, const TableRow& row, Actions& actions) {
  if (ImGui::IsItemHovered() && row.failure) {
    hint(state, *row.failure);
  }
  if (ImGui::BeginPopupContextItem("row")) {
    if (ImGui::Selectable(row.pinned ? "Unpin" : "Pin")) {
      actions.push_back(Pin{row.id});
    }
    if (ImGui::Selectable("Remove")) {
      actions.push_back(Remove{row.id});
    }
    ImGui::EndPopup();
  }
}

void draw_variant(const AppState& state, const TableRow& row, Form form, Actions& actions) {
  const Palette& token = colours(state);
  ImGui::PushStyleColor(ImGuiCol_Header, ink(token.accent, 0.12f));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, ink(token.accent, 0.08f));
  ImGui::PushStyleColor(ImGuiCol_HeaderActive, ink(token.accent, 0.2f));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Selectable("##row", row.current, ImGuiSelectableFlags_SpanAllColumns, {0, px(state, 18)})) {
    actions.push_back(SelectPoint{row.id});
  }
  ImGui::PopStyleColor(3);
  take_row_input(state, row, actions);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Rgb mark = row.failure ? token.bad : token.level(state.view.level);
  draw_dot(draw, {at.x + px(state, 9), at.y + px(state, 9)}, px(state, 5), mark, row.current ? 1 : 0.55f,
           row.evidence, token.panel);
  if (row.pinned) {
    draw.AddCircle({at.x + px(state, 9), at.y + px(state, 9)}, px(state, 8), ink(token.accent), 0,
                   px(state, 1.3f));
  }
  const float x = at.x + px(state, 26);
  draw_text(draw, {x, at.y}, form.figures(), ink(token.text), row.kernel);
  draw_text(draw, {x + text_size(form.figures(), row.kernel).x + px(state, 10), at.y}, form.words(),
            ink(token.dim), row.variant);
}

void draw_row(const AppState& state, const TableRow& row, Form form, Actions& actions) {
  ImGui::PushID(static_cast<int>(row.id));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_variant(state, row, form, actions);
  const Palette& token = colours(state);
  for (const Column& column : columns) {
    if (!form.has(column)) {
      continue;
    }
    if (column.is_figure || !row.failure) {
      draw_cell(state, column, column.is_figure ? form.figures() : form.words(), token.text, row.*column.cell);
    } else {
      draw_cell(state, column, form.words(), token.bad, "failed");
    }
  }
  ImGui::PopID();
}

}  // namespace

void draw_points(const AppState& state, Actions& actions) {
  write(Type::small, colours(state).dim, "newest first: filled = counted, half = timed, hollow = predicted");
  if (state.shown.table.empty()) {
    gap(state, 6);
    write(Type::body, colours(state).dim,
          mode(state) == Mode::predicted ? "Nothing is launched: the hollow point is what the model says."
                                         : "No launch yet. Motion a dial.");
    return;
  }
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH;
  const Form form{ImGui::GetContentRegionAvail().x < px(state, room_for_all)};
  if (ImGui::BeginTable("points", form.count(), flags)) {
    set_up_columns(state, form);
    draw_header(state, form);
    for (const TableRow& row : state.shown.table) {
      draw_row(state, row, form, actions);
    }
    ImGui::EndTable();
  }
}

}  // namespace rooftile::window
