#include <algorithm>

#include "analysis/format.hpp"
#include "app/scene/chart.hpp"
#include "app/scene/point_rows.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

struct Column {
  const char* name;
  float width;
  std::string TableRow::*cell;
  bool is_figure;
  float room;  // of the panel; in a narrower one the column makes way for the dials
};

constexpr Column columns[] = {
    {"time", 76, &TableRow::time, true, 0},
    {"rate", 100, &TableRow::rate, true, 0},
    {"of roof", 66, &TableRow::share, true, 700},
    {"DRAM", 76, &TableRow::dram, true, 980},
    {"occupancy", 80, &TableRow::occupancy, true, 900},
    {"bound by", 120, &TableRow::bound_by, false, 600},
};
constexpr float row_height = 18, text_indent = 26;

// Which columns a panel of this width has.
struct Form {
  float width;  // at scale 1
  bool has(const Column& column) const { return width >= column.room; }
  int count() const {
    return 1 + static_cast<int>(std::ranges::count_if(columns, [&](const Column& each) { return has(each); }));
  }
};

void set_up_columns(const AppState& state, Form form) {
  ImGui::TableSetupColumn("launch", ImGuiTableColumnFlags_WidthStretch);
  for (const Column& column : columns) {
    if (form.has(column)) {
      ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthFixed, px(state, column.width));
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
  ImGui::Indent(px(state, text_indent));
  write(Type::small, colours(state).dim, "kernel and dials");
  ImGui::Unindent(px(state, text_indent));
  for (const Column& column : columns) {
    if (form.has(column)) {
      draw_cell(state, column, Type::small, colours(state).dim, column.name);
    }
  }
}

void take_row_input(const AppState& state, const TableRow& row, Actions& actions) {
  if (ImGui::IsItemHovered()) {
    hint(state, row.failure ? std::vector<std::string>{*row.failure} : row.facts);
  }
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
    ImGui::OpenPopup("row");
  }
  if (begin_menu(state, "row")) {
    if (menu_row(row.pinned ? "Unpin" : "Pin")) {
      actions.push_back(Pin{row.id});
    }
    if (menu_row("Remove")) {
      actions.push_back(Remove{row.id});
    }
    end_menu();
  }
}

// The line itself: pressed, it selects its point.
void draw_selectable(const AppState& state, const TableRow& row, Actions& actions) {
  const Palette& token = colours(state);
  ImGui::PushStyleColor(ImGuiCol_Header, ink(token.accent, 0.17f));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, ink(token.accent, 0.08f));
  ImGui::PushStyleColor(ImGuiCol_HeaderActive, ink(token.accent, 0.2f));
  if (ImGui::Selectable("##row", row.current, ImGuiSelectableFlags_SpanAllColumns,
                        {0, px(state, row_height)})) {
    actions.push_back(SelectPoint{row.id});
  }
  ImGui::PopStyleColor(3);
  take_row_input(state, row, actions);
}

void draw_name(const AppState& state, const TableRow& row, ImVec2 at, float width) {
  const Palette& token = colours(state);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 centre{at.x + px(state, 9), at.y + px(state, 9)};
  const Rgb mark = row.failure ? token.bad : token.level(state.view.level);
  draw_dot(draw, centre, px(state, 5), mark, row.current ? 1 : 0.55f, row.evidence, token.panel);
  if (row.pinned) {
    draw.AddCircle(centre, px(state, 8), ink(token.accent), 0, px(state, 1.3f));
  }
  const float x = at.x + px(state, text_indent);
  const float dials_x = x + text_size(Type::body, row.kernel).x + px(state, 10);
  draw_text(draw, {x, at.y}, Type::body, ink(token.text), row.kernel);
  draw_text(draw, {dials_x, at.y + px(state, 1)}, Type::small, ink(mix(token.text, token.dim, 0.5)),
            elided(Type::small, row.dials, at.x + width - dials_x));
}

void draw_row(const AppState& state, const TableRow& row, Form form, Actions& actions) {
  ImGui::PushID(static_cast<int>(row.id));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_selectable(state, row, actions);
  draw_name(state, row, at, width);
  for (const Column& column : columns) {
    if (!form.has(column)) {
      continue;
    }
    const bool says_failed = row.failure && !column.is_figure;
    draw_cell(state, column, column.is_figure ? Type::figure_small : Type::small,
              says_failed ? colours(state).bad : colours(state).text,
              says_failed ? "failed" : std::string_view(row.*column.cell));
  }
  ImGui::PopID();
}

// The place in the table of the point that the window is about; none: not in it.
int current_index(const AppState& state) {
  const auto& ids = state.shown.table.ids;
  const auto at = state.shown.subject ? std::ranges::find(ids, state.shown.subject->point.id) : ids.end();
  return at != ids.end() ? static_cast<int>(at - ids.begin()) : -1;
}

// Brings the current line into view when it has become another one.
void follow_current(const AppState& state) {
  const int index = current_index(state);
  int& last = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("current"), -1);
  const int id = index >= 0 ? static_cast<int>(state.shown.table.ids[static_cast<std::size_t>(index)]) : -1;
  if (id == last || index < 0) {
    return;
  }
  last = id;
  const float line = px(state, row_height) + 2 * ImGui::GetStyle().CellPadding.y;
  const float top = line * static_cast<float>(index), view = ImGui::GetWindowHeight() - 2 * line;
  if (top < ImGui::GetScrollY() || top > ImGui::GetScrollY() + view) {
    ImGui::SetScrollY(std::max(0.0f, top - view / 2));
  }
}

// Only the lines that are seen are worked out: a session may hold ten thousand.
void draw_rows(const AppState& state, Form form, Actions& actions) {
  const Roofs roofs = roofs_of(state);
  const auto& ids = state.shown.table.ids;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(ids.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      draw_row(state, table_row(state, ids[static_cast<std::size_t>(i)], roofs), form, actions);
    }
  }
}

}  // namespace

void draw_points(const AppState& state, Actions& actions) {
  write(Type::small, colours(state).dim,
        elided(Type::small, "newest first; filled: counted, half: timed, hollow: predicted",
               ImGui::GetContentRegionAvail().x));
  if (state.shown.table.ids.empty()) {
    gap(state, 6);
    write_wrapped(Type::body, colours(state).dim,
                  mode(state) == Mode::predicted
                      ? "Nothing is measured here. The hollow dots are what the model predicts."
                      : "No launch yet. Move a dial.");
    return;
  }
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH;
  const Form form{ImGui::GetContentRegionAvail().x / state.settings.scale};
  if (ImGui::BeginTable("points", form.count(), flags)) {
    set_up_columns(state, form);
    draw_header(state, form);
    follow_current(state);
    draw_rows(state, form, actions);
    ImGui::EndTable();
  }
}

}  // namespace rooftile::window
