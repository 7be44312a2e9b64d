// The panels of the window. Each reads the state and appends what the user asks for.
#pragma once

#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

void draw_top_bar(const AppState& state, const Layout& layout, Actions& actions);
void draw_kernel_panel(const AppState& state, const Rect& place, Actions& actions);
void draw_chart_panel(const AppState& state, const Layout& layout, Actions& actions);
void draw_divider(const AppState& state, const Layout& layout, Actions& actions);
// Whether the panel can be opened now, and what it holds.
bool is_offered(const AppState& state, Panel panel);
// Pressed, it shows the panel; pointed at, it says what the panel shows.
bool draw_tab(const AppState& state, Panel panel, bool selected, Actions& actions);
void draw_content(const AppState& state, Panel panel, Actions& actions);
void draw_lower_panel(const AppState& state, const Layout& layout, Actions& actions);
void draw_side_panel(const AppState& state, const Layout& layout, Actions& actions);
void draw_status_line(const AppState& state, const Rect& place, Actions& actions);
// In a small window, over the chart: only what has to be told.
void draw_message(const AppState& state, const Rect& place, Actions& actions);
// A message of several lines, while there is one.
void draw_message_lines(const AppState& state, const Rect& chart, Actions& actions);
// The title and the timer of a presentation; the laser.
void draw_presentation(const AppState& state, const Rect& place);
// The step of the lesson that is played, with its question.
void draw_lesson(const AppState& state, const Rect& place, Actions& actions);
void draw_rail(const AppState& state, const Rect& place, Actions& actions);
void draw_focused_dial(const AppState& state, const Rect& place, Actions& actions);
void draw_verdict_card(const AppState& state, const Rect& place, Actions& actions);
void draw_drawer(const AppState& state, const Layout& layout, Actions& actions);
// Over the chart, at the right, while it is open.
void draw_sweep_panel(const AppState& state, const Layout& layout, Actions& actions);
// Hands the best launch on, where there is one: as constants, as JSON, as the line that repeats it.
void draw_winner_actions(const AppState& state, Actions& actions);
// Over all, while it is asked.
void draw_question_panel(const AppState& state, Actions& actions);
// Likewise, while a note is written.
void draw_note_panel(const AppState& state, Actions& actions);
void draw_keys(const AppState& state, Actions& actions);

// The whole window, of the size the display has.
void draw_frame(const AppState& state, Actions& actions);
// Turns typed keys into actions, unless a field takes them.
void collect_keys(const AppState& state, Actions& actions);

}  // namespace rooftile::window
