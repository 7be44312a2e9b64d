#include <algorithm>

#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_beside.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/table/point_rows.hpp"
#include "app/scene/table/table_order.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

struct Column {
  TableColumn column;
  const char* name;
  float width;
  Cell TableRow::*figure;  // empty: words
  float room;              // of the panel; in a narrower one the column makes way for the dials
};

constexpr Column columns[] = {
    {TableColumn::time, "time", 76, &TableRow::time, 0},
    {TableColumn::beside, "compared", 76, &TableRow::beside, 0},
    {TableColumn::rate, "rate", 100, &TableRow::rate, 0},
    {TableColumn::share, "of roof", 66, &TableRow::share, 700},
    {TableColumn::intensity, "intensity", 100, &TableRow::intensity, 840},
    {TableColumn::dram, "DRAM", 76, &TableRow::dram, 1080},
    {TableColumn::occupancy, "achieved occupancy", 124, &TableRow::occupancy, 900},
    {TableColumn::bound_by, "bound by", 120, nullptr, 600},
};
constexpr float row_height = 18, text_indent = 26;
constexpr float filter_width = 150, narrowest_filter = 84;

// Which columns a panel of this width has, of those that the user wants.
struct Form {
  float width;  // at scale 1
  const std::set<TableColumn>* hidden;
  bool compares;  // with another GPU or session
  bool has(const Column& column) const {
    return width >= column.room && !hidden->contains(column.column) &&
           (compares || column.column != TableColumn::beside);
  }
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
void draw_cell(const AppState& state, const Column& column, const TableRow& row) {
  const Palette& token = colours(state);
  ImGui::TableNextColumn();
  if (column.figure) {
    const Cell& cell = row.*column.figure;
    write_right(Type::figure_small, cell.flag.empty() ? token.text : token.bad, cell.marked());
    return;
  }
  ImGui::Indent(px(state, 16));
  write(Type::small, row.failure ? token.bad : token.text, row.bound_by);
  ImGui::Unindent(px(state, 16));
}

// Pressed, it sorts; pressed again the other way round; a third time newest first.
void sort_by(const AppState& state, TableColumn column, Actions& actions) {
  TableChoice choice = state.view.table;
  const bool was_chosen = choice.sorted_by == column;
  const bool is_last = was_chosen && choice.descending;
  choice.sorted_by = is_last ? std::nullopt : std::optional(column);
  choice.descending = was_chosen && !is_last;
  actions.push_back(SetTable{choice});
}

void draw_header_cell(const AppState& state, TableColumn column, float indent, bool at_the_right,
                      Actions& actions) {
  ImGui::TableNextColumn();
  const TableChoice& choice = state.view.table;
  const bool sorted = choice.sorted_by == column;
  const std::string words = std::string(title(column));
  const float arrow = sorted ? px(state, 12) : 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  if (ImGui::InvisibleButton(words.c_str(), {std::max(1.0f, width), px(state, 16)})) {
    sort_by(state, column, actions);
  }
  if (ImGui::IsItemHovered()) {
    const std::vector<std::string> lines{std::string(meaning_of(column)), "Click to sort by it."};
    hint(state, lines);
  }
  const ImU32 colour = ink(ImGui::IsItemHovered() || sorted ? colours(state).text : colours(state).dim);
  const ImVec2 size = text_size(Type::small, words);
  const float x = at_the_right ? at.x + width - size.x - arrow : at.x + indent;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_text(draw, {x, at.y}, Type::small, colour, words);
  if (sorted) {
    draw_arrow(draw, {x + size.x + arrow / 2 + px(state, 1), at.y + size.y / 2}, px(state, 3),
               choice.descending ? ArrowHead::down : ArrowHead::up, colour);
  }
}

void draw_header(const AppState& state, Form form, Actions& actions) {
  ImGui::TableNextRow();
  ImGui::PushID("sort");
  draw_header_cell(state, TableColumn::launch, px(state, text_indent), false, actions);
  for (const Column& column : columns) {
    if (form.has(column)) {
      draw_header_cell(state, column.column, px(state, 16), column.figure, actions);
    }
  }
  ImGui::PopID();
}

// Taken when Enter ends it.
void draw_name_field(const TableRow& row, Actions& actions) {
  std::string typed = row.name;
  if (text_field("##name", "name it, then Enter", typed, ImGuiInputTextFlags_EnterReturnsTrue)) {
    actions.push_back(NameLaunch{row.id, typed});
    ImGui::CloseCurrentPopup();
  }
}

// Both included, in the order of the table.
std::set<std::uint64_t> lines_between(const AppState& state, std::uint64_t a, std::uint64_t b) {
  const auto& ids = state.derived.shown.table.ids;
  auto first = std::ranges::find(ids, a), last = std::ranges::find(ids, b);
  if (first == ids.end() || last == ids.end()) {
    return {b};
  }
  if (last < first) {
    std::swap(first, last);
  }
  return {first, last + 1};
}

void draw_selection_rows(const AppState& state, Actions& actions) {
  const std::string many = count(static_cast<double>(state.view.selection.size())) + " selected";
  if (menu_row(("Pin the " + many).c_str())) {
    actions.push_back(PinSelected{});
  }
  if (menu_row(("Remove the " + many).c_str())) {
    actions.push_back(RemoveSelected{});
  }
}

// With Control the line joins those selected or leaves them; with Shift all from the current one to it do.
void press_row(const AppState& state, std::uint64_t id, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  std::set<std::uint64_t> selection = state.view.selection;
  const std::uint64_t current = state.derived.shown.subject ? state.derived.shown.subject->point.id : id;
  if (io.KeyCtrl) {
    if (selection.erase(id) == 0) {
      selection.insert({id, selection.empty() ? current : id});
    }
    actions.push_back(SelectLaunches{selection});
  } else if (io.KeyShift) {
    actions.push_back(SelectLaunches{lines_between(state, current, id)});
  } else {
    actions.push_back(SelectPoint{id});
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
    draw_name_field(row, actions);
    if (menu_row("Remove")) {
      actions.push_back(Remove{row.id});
    }
    if (state.view.selection.size() > 1) {
      draw_selection_rows(state, actions);
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
  if (ImGui::Selectable("##row", row.current || state.view.selection.contains(row.id),
                        ImGuiSelectableFlags_SpanAllColumns, {0, px(state, row_height)})) {
    press_row(state, row.id, actions);
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
  const std::string& title_of_row = row.name.empty() ? row.kernel : row.name;
  const float x = at.x + px(state, text_indent);
  const float dials_x = x + text_size(Type::body, title_of_row).x + px(state, 10);
  draw_text(draw, {x, at.y}, Type::body, ink(row.name.empty() ? token.text : token.accent), title_of_row);
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
    draw_cell(state, column, row);
  }
  ImGui::PopID();
}

// The place in the table of the point that the window is about; none: not in it.
int current_index(const AppState& state) {
  const auto& ids = state.derived.shown.table.ids;
  const auto at =
      state.derived.shown.subject ? std::ranges::find(ids, state.derived.shown.subject->point.id) : ids.end();
  return at != ids.end() ? static_cast<int>(at - ids.begin()) : -1;
}

// Brings the current line into view when it has become another one.
void follow_current(const AppState& state) {
  const int index = current_index(state);
  int& last = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("current"), -1);
  const int id =
      index >= 0 ? static_cast<int>(state.derived.shown.table.ids[static_cast<std::size_t>(index)]) : -1;
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
  const auto& ids = state.derived.shown.table.ids;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(ids.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      draw_row(state, table_row(state, ids[static_cast<std::size_t>(i)], roofs), form, actions);
    }
  }
}

void draw_column_rows(const AppState& state, Actions& actions) {
  for (const Column& column : columns) {
    if (column.column == TableColumn::beside && !compares(state)) {
      continue;
    }
    const bool hidden = state.view.table.hidden.contains(column.column);
    if (menu_row(column.name, !hidden)) {
      TableChoice choice = state.view.table;
      hidden ? static_cast<void>(choice.hidden.erase(column.column))
             : static_cast<void>(choice.hidden.insert(column.column));
      actions.push_back(SetTable{choice});
    }
  }
}

void draw_filter(const AppState& state, float width, Actions& actions) {
  std::string typed = state.view.table.filter;
  const TypeScope scope(Type::small);
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(state, 6), px(state, 2)});
  if (text_field("##filter", "filter: tile 32 dram", typed)) {
    TableChoice choice = state.view.table;
    choice.filter = typed;
    actions.push_back(SetTable{choice});
  }
  ImGui::PopStyleVar();
}

constexpr const char* marks_caption = "filled: counted, half: timed, hollow: predicted";

// How many lines of how many, and in which order.
std::string order_caption(const AppState& state) {
  const PointTable& table = state.derived.shown.table;
  const std::size_t selected = state.view.selection.size();
  std::string words_of_it = selected > 1 ? count(static_cast<double>(selected)) + " selected; " : "";
  if (table.ids.size() < table.visited.size()) {
    words_of_it += count(static_cast<double>(table.ids.size())) + " of " +
                   count(static_cast<double>(table.visited.size())) + "; ";
  }
  const bool of_program = is_of_program(kernel(state));
  return words_of_it + (state.view.table.sorted_by ? "sorted"
                        : of_program               ? "most time first"
                                                   : "newest first");
}

// The meaning of the marks stands beside it where there is room, else in its hint.
void draw_caption(const AppState& state, float room) {
  const std::string order = order_caption(state), whole = order + "; " + marks_caption;
  const bool fits = text_size(Type::small, whole).x <= room;
  write(Type::small, colours(state).dim, elided(Type::small, fits ? whole : order, std::max(0.0f, room)));
  if (!fits && ImGui::IsItemHovered()) {
    hint(state, std::vector<std::string>{order, marks_caption});
  }
}

// Above the table: what its marks mean, the filter, the columns.
void draw_table_line(const AppState& state, Actions& actions) {
  const float for_cross = state.view.folded ? 26 : 0;
  const float all = ImGui::GetContentRegionAvail().x, between = px(state, 12);
  const float others = px(state, 12 + for_cross) + chip_size(state, "columns").x;
  const float for_order = text_size(Type::small, order_caption(state)).x + between;
  const float filter =
      std::clamp(all - others - for_order, px(state, narrowest_filter), px(state, filter_width));
  const float taken = filter + others, room = all - taken - between;
  draw_caption(state, room);
  ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - taken);
  draw_filter(state, filter, actions);
  ImGui::SameLine(0, px(state, 6));
  if (chip(state, "columns", colours(state).accent, !state.view.table.hidden.empty())) {
    ImGui::OpenPopup("columns menu");
  }
  if (begin_menu(state, "columns menu")) {
    draw_column_rows(state, actions);
    end_menu();
  }
}

}  // namespace

void draw_points(const AppState& state, Actions& actions) {
  if (state.derived.shown.table.visited.empty()) {
    ImGui::NewLine();
    gap(state, 6);
    write_wrapped(Type::body, colours(state).dim,
                  mode(state) == Mode::predicted ? "Nothing is measured or predicted at these dials."
                                                 : "No launch yet. Move a dial.");
    return;
  }
  draw_table_line(state, actions);
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH;
  const Form form{ImGui::GetContentRegionAvail().x / state.settings.scale, &state.view.table.hidden,
                  compares(state)};
  if (ImGui::BeginTable("points", form.count(), flags)) {
    set_up_columns(state, form);
    draw_header(state, form, actions);
    follow_current(state);
    draw_rows(state, form, actions);
    ImGui::EndTable();
  }
}

}  // namespace rooftile::window
