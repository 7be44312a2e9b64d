// Below the chart of a small window, in large type: the dial that has the keyboard, and the verdict.
#include <algorithm>

#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/kernel/kernel_panel.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float label_height = 22, others_height = 24;
constexpr float lowest_track = 28, highest_track = 46;
constexpr float roomy = 90;  // of this height on lines stand further apart

const Dial* focused_dial(const AppState& state) {
  const auto dial = std::ranges::find(state.derived.shown.dials, state.view.dial, &Dial::name);
  return dial != state.derived.shown.dials.end() ? &*dial : nullptr;
}

// Between the lines of a card of this height.
class LineSpace {
 public:
  explicit LineSpace(const AppState& state) {
    const bool has_room = ImGui::GetContentRegionAvail().y >= px(state, roomy);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        ImVec2(ImGui::GetStyle().ItemSpacing.x, px(state, has_room ? 7 : 3)));
  }
  ~LineSpace() { ImGui::PopStyleVar(); }
  LineSpace(const LineSpace&) = delete;
  LineSpace& operator=(const LineSpace&) = delete;
};

// "Padding of A 0 · Size 2048 · cold caches"
std::string other_dials(const AppState& state) {
  std::string line;
  for (const Dial& dial : state.derived.shown.dials) {
    if (dial.name != state.view.dial && !dial.in_more) {
      line += dial.label + " " + dial.options[dial.selected].text + " \u00b7 ";
    }
  }
  return line + (state.choice.caches == Caches::cold ? "cold caches" : "warm caches");
}

void draw_others(const AppState& state, Actions& actions) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, px(state, others_height - 4)};
  if (ImGui::InvisibleButton("others", size)) {
    actions.push_back(ShowPanel{Panel::dials});
  }
  const float arrow = px(state, 16);
  const std::string line = elided(Type::small, other_dials(state), size.x - arrow);
  const ImU32 colour = ink(ImGui::IsItemHovered() ? colours(state).text : colours(state).dim);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_text(draw, {at.x, at.y + px(state, 4)}, Type::small, colour, line);
  draw_arrow(draw, {at.x + text_size(Type::small, line).x + arrow / 2, at.y + px(state, 12)}, px(state, 4),
             ArrowHead::right, colour);
}

const ShareBar* binding_share(const Subject& subject) {
  const auto bar = std::ranges::find(subject.shares, true, &ShareBar::binds);
  return bar != subject.shares.end() ? &*bar : nullptr;
}

void draw_share_of_roof(const AppState& state, const ShareBar& bar, ImVec2 title_at, float right) {
  const Rgb colour = bar.level ? colours(state).level(*bar.level) : colours(state).compute;
  draw_text_right(*ImGui::GetWindowDrawList(), {right, title_at.y}, Type::heading, ink(words(state, colour)),
                  bar.percent);
  share_bar(state, bar.share, colour, 7);
}

void draw_short_verdict(const AppState& state, const Subject& subject) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const ShareBar* bar = binding_share(subject);
  const float for_percent = bar ? text_size(Type::heading, bar->percent).x + px(state, 10) : 0;
  const bool low = space.y < px(state, 62);
  const Type type = fitting({low ? Type::heading : Type::title, Type::heading, Type::figure_strong},
                            subject.verdict.title, space.x - for_percent);
  write(type, subject.point.failure ? colours(state).bad : colours(state).text,
        elided(type, subject.verdict.title, space.x - for_percent));
  if (bar) {
    draw_share_of_roof(state, *bar, at, at.x + space.x);
  }
  const Type advice = low ? Type::small : Type::body;
  const float line = text_size(advice, "x").y + ImGui::GetStyle().ItemSpacing.y;
  const auto lines =
      static_cast<int>((ImGui::GetContentRegionAvail().y + ImGui::GetStyle().ItemSpacing.y) / line);
  const std::string then = subject.advice ? " " + subject.advice->sentence : "";
  write_lines(advice, colours(state).dim, subject.verdict.grounds + then, lines);
}

}  // namespace

void draw_focused_dial(const AppState& state, const Rect& place, Actions& actions) {
  const PanelFrame frame("Dial", place, PanelFrame::Style::snug);
  if (!state.derived.shown.shapes.empty()) {
    return draw_shapes(state, actions);
  }
  const Dial* dial = focused_dial(state);
  if (!dial) {
    write(Type::body, colours(state).dim, "This kernel has no dials.");
    return;
  }
  const LineSpace spacing(state);
  const float space = ImGui::GetContentRegionAvail().y / state.settings.scale;
  const bool with_others = space >= label_height + lowest_track + others_height;
  const float track = space - label_height - (with_others ? others_height : 0);
  draw_dial(state, *dial, std::clamp(track, lowest_track, highest_track), actions);
  if (with_others) {
    draw_others(state, actions);
  }
}

void draw_verdict_card(const AppState& state, const Rect& place, Actions& actions) {
  const PanelFrame frame("Verdict", place, PanelFrame::Style::snug);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("shares", ImGui::GetContentRegionAvail())) {
    actions.push_back(ShowPanel{Panel::shares});
  }
  ImGui::SetCursorScreenPos(start);
  if (hides_figures(state)) {
    write(Type::title, colours(state).text, "Guess first");
    return write_lines(
        Type::body, colours(state).dim,
        state.view.presentation ? "H shows the launch." : "The launch is shown once the question is answered.",
        3);
  }
  if (!state.derived.shown.subject) {
    write_lines(Type::body, colours(state).dim,
                is_of_program(kernel(state)) ? "Nothing has been launched yet."
                                             : "These values of the dials are not legal together.",
                3);
    return;
  }
  const LineSpace spacing(state);
  draw_short_verdict(state, *state.derived.shown.subject);
}

}  // namespace rooftile::window
