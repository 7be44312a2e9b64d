#include <imgui_internal.h>  // TableGetHoveredRow

#include "analysis/format.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

struct Column {
  const char* name;
  float width;
  std::string SourceLine::*cell;
  bool in_narrow;
};

constexpr Column columns[] = {
    {"samples", 62, &SourceLine::samples, true},         {"waits for", 124, &SourceLine::waits_for, true},
    {"executed", 92, &SourceLine::executed, false},      {"sectors", 118, &SourceLine::sectors, false},
    {"wavefronts", 124, &SourceLine::wavefronts, false},
};
constexpr float number_width = 30;
constexpr float room_for_all = 860;
constexpr float hottest = 0.38f;  // of the warning colour

struct Form {
  bool narrow;
  bool has(const Column& column) const { return !narrow || column.in_narrow; }
  int count() const { return 2 + (narrow ? 2 : static_cast<int>(std::size(columns))); }
};

void draw_header(const AppState& state, Form form) {
  ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthFixed, px(state, number_width));
  ImGui::TableSetupColumn("source", ImGuiTableColumnFlags_WidthStretch);
  for (const Column& column : columns) {
    if (form.has(column)) {
      ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthFixed, px(state, column.width));
    }
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  for (const Column& column : columns) {
    if (form.has(column)) {
      ImGui::TableNextColumn();
      write_right(Type::small, colours(state).dim, column.name);
    }
  }
}

Rgb figure_colour(const AppState& state, const Column& column, const SourceLine& line) {
  return line.conflicts && column.cell == &SourceLine::wavefronts ? words(state, colours(state).warn)
                                                                  : colours(state).text;
}

void draw_line(const AppState& state, const SourceLine& line, Form form) {
  const Palette& token = colours(state);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (line.heat == 1 && ImGui::IsWindowAppearing()) {
    ImGui::SetScrollHereY(0.5f);  // opens on the hottest line
  }
  write_right(Type::figure_small, token.faint, line.number > 0 ? std::to_string(line.number) : unknown_text);
  ImGui::TableNextColumn();
  if (line.heat > 0) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, ink(token.warn, hottest * static_cast<float>(line.heat)));
  }
  write(Type::figure_small, line.facts.empty() ? token.dim : token.text, line.text);
  for (const Column& column : columns) {
    if (form.has(column)) {
      ImGui::TableNextColumn();
      write_right(Type::figure_small, figure_colour(state, column, line), line.*column.cell);
    }
  }
  if (!line.facts.empty() && ImGui::TableGetHoveredRow() == ImGui::TableGetRowIndex()) {
    hint(state, line.facts);
  }
}

void draw_lines(const AppState& state, const SourceView& view) {
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY;
  const Form form{ImGui::GetContentRegionAvail().x < px(state, room_for_all)};
  if (ImGui::BeginTable("lines", form.count(), flags)) {
    draw_header(state, form);
    for (const SourceLine& line : view.lines) {
      draw_line(state, line, form);
    }
    ImGui::EndTable();
  }
}

void draw_summary(const AppState& state, const SourceView& view) {
  write(Type::small, colours(state).dim, view.summary.empty() ? "no warp was sampled" : view.summary);
  if (ImGui::IsItemHovered()) {
    hint(state, view.facts);
  }
}

void draw_offer(const AppState& state, const SourceView& view, Actions& actions) {
  const Palette& token = colours(state);
  write(Type::small, token.dim, "what each line executes, moves and waits for");
  gap(state, 8);
  write_wrapped(Type::body, token.dim,
                view.why_not ? *view.why_not
                             : "Nobody has looked at the lines of this launch yet. It takes " + view.cost +
                                   "; the counters are given back meanwhile.");
  gap(state, 6);
  if (!view.why_not && button(state, "Count the lines", Press::plain)) {
    actions.push_back(CountLines{});
  }
}

}  // namespace

void draw_source(const AppState& state, Actions& actions) {
  const SourceView& view = state.shown.source;
  if (view.lines.empty()) {
    draw_offer(state, view, actions);
    return;
  }
  draw_summary(state, view);
  if (!view.why_not) {
    ImGui::SameLine(0, px(state, 16));
    if (chip(state, "count again", colours(state).accent, false)) {
      actions.push_back(CountLines{});
    }
    if (ImGui::IsItemHovered()) {
      hint(state, view.cost);
    }
  }
  draw_lines(state, view);
}

}  // namespace rooftile::window
