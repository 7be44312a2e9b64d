#include <imgui_internal.h>  // TableGetHoveredRow

#include <algorithm>
#include <string_view>
#include <utility>

#include "analysis/text/format.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

struct SourceColumn {
  const char* name;
  std::string SourceLine::*cell;
};

// The last ones make way first where the source needs the room.
constexpr SourceColumn all_columns[] = {{"samples", &SourceLine::samples},
                                        {"waits for", &SourceLine::waits_for},
                                        {"wavefronts", &SourceLine::wavefronts},
                                        {"sectors", &SourceLine::sectors},
                                        {"executed", &SourceLine::executed}};
constexpr float number_width = 30, cell_room = 16, machine_indent = 24;
constexpr float hottest = 0.38f;      // of the warning colour
constexpr float wrong = 0.25f;        // of the colour of what is bad
constexpr float source_share = 0.5f;  // of the panel, that the source has where it needs it

struct SizedColumn {
  SourceColumn column;
  float width = 0;
};

std::size_t longest_line(const SourceView& view) {
  std::size_t longest = 0;
  for (const SourceLine& line : view.lines) {
    longest = std::max(longest, line.text.size());
  }
  return longest;
}

// The width of its longest cell; zero where no line has any.
float width_of(const AppState& state, const SourceView& view, const SourceColumn& column) {
  const std::string* longest = nullptr;
  for (const SourceLine& line : view.lines) {
    const std::string& cell = line.*column.cell;
    if (!cell.empty() && (!longest || cell.size() > longest->size())) {
      longest = &cell;
    }
  }
  return longest ? std::max(text_size(Type::figure_small, *longest).x, text_size(Type::small, column.name).x) +
                       px(state, cell_room)
                 : 0;
}

// The columns that say something and leave the source the room it needs, or half of the panel.
std::vector<SizedColumn> columns_of(const AppState& state, const SourceView& view) {
  const float width = ImGui::GetContentRegionAvail().x - px(state, number_width + cell_room);
  const float letter = text_size(Type::figure_small, "x").x;
  float free = width - std::min(letter * static_cast<float>(longest_line(view)), width * source_share);
  std::vector<SizedColumn> columns;
  for (const SourceColumn& column : all_columns) {
    const float wanted = width_of(state, view, column);
    if (wanted > 0 && wanted <= free) {
      columns.push_back({column, wanted});
      free -= wanted;
    }
  }
  return columns;
}

void draw_header(const AppState& state, const std::vector<SizedColumn>& columns) {
  ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthFixed, px(state, number_width));
  ImGui::TableSetupColumn("source", ImGuiTableColumnFlags_WidthStretch);
  for (const SizedColumn& each : columns) {
    ImGui::TableSetupColumn(each.column.name, ImGuiTableColumnFlags_WidthFixed, each.width);
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  for (const SizedColumn& each : columns) {
    ImGui::TableNextColumn();
    write_right(Type::small, colours(state).dim, each.column.name);
  }
}

Rgb figure_colour(const AppState& state, const SourceColumn& column, const SourceLine& line) {
  return line.conflicts && column.cell == &SourceLine::wavefronts ? words(state, colours(state).warn)
                                                                  : colours(state).text;
}

// The compiler's words about the line above.
void draw_error(const AppState& state, const CompileError& error) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  write_wrapped(Type::small, words(state, colours(state).bad), error.words);
  if (ImGui::IsItemHovered() && !error.below.empty()) {
    hint(state, error.below);
  }
}

void draw_line(const AppState& state, const SourceLine& line, const std::vector<SizedColumn>& columns,
               bool counted) {
  const Palette& token = colours(state);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  write_right(Type::figure_small, token.dim,
              !line.offset.empty() ? line.offset
              : line.number > 0    ? std::to_string(line.number)
                                   : unknown_text);
  ImGui::TableNextColumn();
  if (!line.errors.empty()) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, ink(token.bad, wrong));
  } else if (line.heat > 0) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, ink(token.warn, hottest * static_cast<float>(line.heat)));
  }
  if (!line.offset.empty()) {
    ImGui::Indent(px(state, machine_indent));
  }
  write_wrapped(Type::figure_small,
                !line.offset.empty() || (counted && line.facts.empty()) ? token.dim : token.text, line.text);
  if (!line.offset.empty()) {
    ImGui::Unindent(px(state, machine_indent));
  }
  for (const SizedColumn& each : columns) {
    ImGui::TableNextColumn();
    write_right(Type::figure_small, figure_colour(state, each.column, line), line.*each.column.cell);
  }
  if (!line.facts.empty() && ImGui::TableGetHoveredRow() == ImGui::TableGetRowIndex()) {
    hint(state, line.facts);
  }
  for (const CompileError& error : line.errors) {
    draw_error(state, error);
  }
}

// Says where to scroll: to the first error once per failed launch, to the busiest line once per kernel. Null:
// the reader scrolls.
const SourceLine* line_to_go_to(const AppState& state, const SourceView& view) {
  const auto is_new = [](const char* what, ImGuiID now) {
    int& seen = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(what));
    return std::exchange(seen, static_cast<int>(now)) != static_cast<int>(now);
  };
  const bool new_failure = is_new("failure", static_cast<ImGuiID>(view.failed.value_or(0))) && view.failed;
  const bool new_kernel = is_new("kernel", view.lines.empty() ? 0 : ImHashStr(state.choice.kernel.c_str())) ||
                          ImGui::IsWindowAppearing();
  const auto wanted = std::ranges::find_if(view.lines, [&](const SourceLine& line) {
    return new_failure ? !line.errors.empty()
                       : new_kernel && line.offset.empty() && line.number == view.opens_at;
  });
  return wanted == view.lines.end() ? nullptr : &*wanted;
}

void draw_lines(const AppState& state, const SourceView& view) {
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY;
  const std::vector<SizedColumn> columns = columns_of(state, view);
  if (ImGui::BeginTable("lines", 2 + static_cast<int>(columns.size()), flags)) {
    draw_header(state, columns);
    const SourceLine* wanted = line_to_go_to(state, view);
    for (const SourceLine& line : view.lines) {
      draw_line(state, line, columns, view.counted);
      if (&line == wanted) {
        ImGui::SetScrollHereY(0.5f);
      }
    }
    ImGui::EndTable();
  }
}

void draw_summary(const AppState& state, const SourceView& view) {
  constexpr float room_for_chips = 160;
  const std::string words = view.summary.empty() ? "no warp was sampled" : view.summary;
  const auto room = [&] { return ImGui::GetContentRegionAvail().x - px(state, room_for_chips); };
  if (text_size(Type::small, words).x > room()) {
    ImGui::NewLine();  // below the title
  }
  write(Type::small, colours(state).dim, elided(Type::small, words, room()));
  if (ImGui::IsItemHovered()) {
    hint(state, view.facts);
  }
}

void draw_count_chip(const AppState& state, const SourceView& view, const char* label, Actions& actions) {
  if (view.why_not) {
    return;
  }
  ImGui::SameLine(0, px(state, 12));
  if (chip(state, label, colours(state).accent, !view.counted)) {
    actions.push_back(CountLines{});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, "Takes " + view.cost + ". No other launch is counted meanwhile.");
  }
}

void draw_machine_code_chip(const AppState& state, const SourceView& view, Actions& actions) {
  if (!view.has_machine_code) {
    return;
  }
  ImGui::SameLine(0, px(state, 8));
  if (chip(state, "SASS", colours(state).accent, state.view.machine_code)) {
    actions.push_back(ToggleMachineCode{});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, "The instructions of the machine, each below the line that it comes from.");
  }
}

// The lines of this launch are not counted: says which launch has counts, and what to press.
void draw_notice(const AppState& state, const SourceView& view, Actions& actions) {
  constexpr float room_for_buttons = 200;
  const float room = ImGui::GetContentRegionAvail().x - px(state, room_for_buttons);
  write(Type::small, colours(state).dim, elided(Type::small, view.notice, room));
  if (ImGui::IsItemHovered()) {
    hint(state, view.notice);
  }
  if (view.elsewhere) {
    ImGui::SameLine(0, px(state, 12));
    if (chip(state, "Show", colours(state).accent, true)) {
      actions.push_back(GoTo{*view.elsewhere});
    }
  }
  if (!hides_figures(state)) {
    draw_count_chip(state, view, "Count the lines", actions);
  }
}

}  // namespace

void draw_source(const AppState& state, Actions& actions) {
  const SourceView& view = state.derived.shown.source;
  if (view.counted) {
    draw_summary(state, view);
    draw_count_chip(state, view, "count again", actions);
    draw_machine_code_chip(state, view, actions);
  } else {
    draw_notice(state, view, actions);
  }
  draw_lines(state, view);
}

}  // namespace rooftile::window
