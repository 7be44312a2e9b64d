// Why the time moved: from one launch to another, a bar for each cause.
#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

constexpr float why_name_width = 250, why_figure_width = 90, why_bar_height = 9, why_line_height = 16;

Rgb colour_of(const AppState& state, WhyBar::Kind kind) {
  switch (kind) {
    case WhyBar::Kind::saves:
      return colours(state).good;
    case WhyBar::Kind::adds:
      return colours(state).warn;
    case WhyBar::Kind::unknown:
      return colours(state).faint;
    case WhyBar::Kind::time:
      break;
  }
  return colours(state).accent;
}

void draw_bar(const AppState& state, const WhyBar& bar) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float left = at.x + px(state, why_name_width + why_figure_width),
              right = at.x + ImGui::GetContentRegionAvail().x;
  write(Type::body, colours(state).text, elided(Type::body, bar.name, px(state, why_name_width - 8)));
  ImGui::SetCursorScreenPos({left - px(state, 12) - text_size(Type::figure, bar.figure).x, at.y});
  write(Type::figure, colours(state).text, bar.figure);
  const float top = at.y + px(state, (why_line_height - why_bar_height) / 2),
              width = std::max(0.0f, right - left);
  const auto x = [&](double share) { return left + width * static_cast<float>(share); };
  ImGui::GetWindowDrawList()->AddRectFilled(
      {x(bar.from), top}, {std::max(x(bar.to), x(bar.from) + px(state, 1)), top + px(state, why_bar_height)},
      ink(colour_of(state, bar.kind)));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({right - at.x, px(state, why_line_height)});
  if (!bar.meaning.empty() && ImGui::IsItemHovered()) {
    hint(state, bar.meaning);
  }
}

// Each step of the ladder with its reason; a click goes there.
void draw_ladder(const AppState& state, const WhyView& why, Actions& actions) {
  if (!why.ladder.empty()) {
    rule(state);
  }
  for (const LadderStep& step : why.ladder) {
    if (wrapped_row(step.kernels + "   " + step.times, step.current)) {
      actions.push_back(SelectPoint{step.to});
    }
    write_wrapped(Type::small, colours(state).dim, step.reason);
    gap(state, 3);
  }
}

}  // namespace

void draw_why(const AppState& state, Actions& actions) {
  const auto& subject = state.derived.shown.subject;
  ImGui::NewLine();
  if (!subject || !subject->why) {
    write_wrapped(Type::body, colours(state).dim,
                  "Move a dial to see why the launch became faster or slower. Or "
                  "select two lines of the table with Control.");
    return;
  }
  write_wrapped(Type::body, colours(state).text, subject->why->sentence);
  if (!subject->why->of_faster.empty()) {
    write_wrapped(Type::body, colours(state).dim, subject->why->of_faster);
  }
  gap(state, 3);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});  // all bars are seen at once
  for (const WhyBar& bar : subject->why->bars) {
    draw_bar(state, bar);
  }
  ImGui::PopStyleVar();
  draw_ladder(state, *subject->why, actions);
}

}  // namespace rooftile::window
