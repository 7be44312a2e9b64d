// The panel of the sweep: which dials with which values, how many launches and how long; while it runs, how far
// it has come; and the search for the best.
#include <imgui_internal.h>  // BringWindowToDisplayFront

#include <algorithm>

#include "analysis/text/format.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float sweep_width = 470, sweep_height = 620, value_column = 130;
constexpr int most_news = 14;  // lines: the newest tries of a search are the last

void draw_sweep_close(const AppState& state, float right, Actions& actions) {
  const ImVec2 before = ImGui::GetCursorScreenPos();
  const float side = px(state, 24);
  const ImVec2 at{right - side - px(state, 6), before.y - px(state, 4)};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("close", {side, side})) {
    actions.push_back(ToggleSweep{});
  }
  const Rgb colour = ImGui::IsItemHovered() ? colours(state).text : colours(state).dim;
  draw_cross(*ImGui::GetWindowDrawList(), {at.x + side / 2, at.y + side / 2}, px(state, 12), ink(colour));
  ImGui::SetCursorScreenPos(before);
}

// Its chips go on in the next line where there is no room.
void draw_sweep_values(const AppState& state, const SweepDial& dial, Actions& actions) {
  const float left = ImGui::GetCursorScreenPos().x;
  const float right = left + ImGui::GetContentRegionAvail().x;
  for (std::size_t i = 0; i < dial.values.size(); ++i) {
    const SweepDial::Value& value = dial.values[i];
    const bool fits = ImGui::GetItemRectMax().x + px(state, 2) + chip_size(state, value.text).x <= right;
    if (i > 0 && fits) {
      ImGui::SameLine(0, px(state, 2));
    } else if (i > 0) {
      ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y});
    }
    if (chip(state, value.text.c_str(), colours(state).accent, value.chosen)) {
      actions.push_back(SetSweep{with_value(state, dial.name, value.value)});
    }
  }
}

void draw_sweep_dial(const AppState& state, const SweepDial& dial, Actions& actions) {
  ImGui::PushID(dial.name.c_str());
  if (chip(state, elided(Type::small, dial.label, px(state, value_column - 30)).c_str(), colours(state).text,
           dial.all_chosen)) {
    actions.push_back(SetSweep{with_all_values(state, dial.name)});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, dial.all_chosen ? "Only the current value" : "All values of " + dial.label);
  }
  ImGui::SameLine(px(state, value_column));
  draw_sweep_values(state, dial, actions);
  ImGui::PopID();
}

void draw_ahead(const AppState& state, Actions& actions) {
  const SweepChoice& choice = state.view.sweep;
  if (chip(state, "compile ahead", colours(state).accent, choice.compile_ahead)) {
    SweepChoice wanted = choice;
    wanted.compile_ahead = !wanted.compile_ahead;
    actions.push_back(SetSweep{wanted});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, "On: the next places are compiled on every core while one place is measured.");
  }
}

void draw_size(const AppState& state, const SweepPlan& plan) {
  const Palette& token = colours(state);
  write_wrapped(Type::body, plan.why_not ? token.bad : token.text, plan.why_not ? *plan.why_not : plan.size);
  if (!plan.duration.empty()) {
    write_wrapped(Type::small, token.dim, plan.duration);
  }
}

void draw_start(const AppState& state, const SweepPlan& plan, Actions& actions) {
  const bool live = mode(state) == Mode::live;
  if (button(state, live ? "Start" : "Show all", Press::primary, plan.why_not)) {
    actions.push_back(StartSweep{});
  }
  ImGui::SameLine(0, px(state, 10));
  if (button(state, "Find the best", Press::plain, plan.why_not)) {
    actions.push_back(FindBest{});
  }
  if (ImGui::IsItemHovered() && !plan.why_not) {
    hint(state, live ? "Search these places with a tenth of the launches. The fastest by prediction come first."
                : mode(state) == Mode::recorded
                    ? "Search the recorded launches; nothing runs."
                    : "Go to the place with the least predicted time; nothing runs.");
  }
}

void draw_running(const AppState& state, const Progress& progress, Actions& actions) {
  share_bar(state, progress.total > 0 ? static_cast<double>(progress.done) / progress.total : 0,
            colours(state).accent, 7);
  gap(state, 4);
  if (button(state, state.known.session.sweep_paused ? "Go on" : "Pause", Press::plain)) {
    actions.push_back(PauseSweep{});
  }
  ImGui::SameLine(0, px(state, 10));
  if (button(state, "Cancel", Press::plain)) {
    actions.push_back(CancelSweep{});
  }
  if (state.known.session.time_left) {
    ImGui::SameLine(0, px(state, 14));
    write(Type::body, colours(state).dim, text(*state.known.session.time_left) + " left");
  }
}

void draw_sweep_news(const AppState& state) {
  const auto& news = state.derived.shown.sweep_news;
  for (std::size_t i = 0; i < news.size(); ++i) {
    const bool is_row = i > 1 && news.size() > 3;
    if (is_row && i + most_news < news.size()) {
      continue;
    }
    write_wrapped(is_row ? Type::figure_small : Type::small, is_row ? colours(state).dim : colours(state).text,
                  news[i]);
  }
}

}  // namespace

void draw_winner_actions(const AppState& state, Actions& actions) {
  if (!state.derived.shown.measure_line) {
    return;
  }
  if (chip(state, "export best\u2026", colours(state).accent, false)) {
    ImGui::OpenPopup("best as");
  }
  if (ImGui::IsItemHovered()) {
    hint(state, *state.derived.shown.measure_line);
  }
  if (begin_menu(state, "best as")) {
    if (menu_row("C++ header of constants")) {
      actions.push_back(SaveConstants{});
    }
    if (menu_row("JSON")) {
      actions.push_back(SaveWinner{});
    }
    if (menu_row("Copy the line that measures it again")) {
      ImGui::SetClipboardText(state.derived.shown.measure_line->c_str());
    }
    end_menu();
  }
}

void draw_sweep_panel(const AppState& state, const Layout& layout, Actions& actions) {
  if (!state.view.sweep_open) {
    return;
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float width = std::min(px(state, sweep_width), size.x - px(state, 20)),
              top = layout.top.bottom() + px(state, 2);
  const Rect place{size.x - width - px(state, 10), top, width,
                   std::min(px(state, sweep_height), size.y - top - px(state, 10))};
  const PanelFrame frame("SweepPanel", place, PanelFrame::Style::fitted);
  if (!menu_open()) {
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  }
  draw_sweep_close(state, place.right(), actions);
  write(Type::heading, colours(state).text, "Sweep of " + kernel(state).short_title);
  gap(state, 2);
  for (const SweepDial& dial : state.derived.shown.sweep.dials) {
    draw_sweep_dial(state, dial, actions);
  }
  gap(state, 2);
  draw_size(state, state.derived.shown.sweep);
  if (mode(state) == Mode::live) {
    draw_ahead(state, actions);
  }
  gap(state, 4);
  state.known.session.progress ? draw_running(state, *state.known.session.progress, actions)
                               : draw_start(state, state.derived.shown.sweep, actions);
  gap(state, 2);
  draw_sweep_news(state);
  draw_winner_actions(state, actions);
}

}  // namespace rooftile::window
