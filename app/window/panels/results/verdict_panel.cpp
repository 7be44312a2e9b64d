#include "app/window/kit/marks.hpp"
#include "app/window/panels/side_panel.hpp"

namespace rooftile::window {
namespace {

Rgb bar_colour(const AppState& state, const ShareBar& bar) {
  return bar.level ? colours(state).level(*bar.level) : colours(state).compute;
}

// Label left, rate and share right in columns of their own; on the next line where the label leaves no room.
void draw_share(const AppState& state, const ShareBar& bar) {
  const Palette& token = colours(state);
  const Rgb colour = bar.binds ? token.text : token.dim;
  ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x, rate_end = right - px(state, 62);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Type strong = bar.binds ? Type::figure_strong : Type::body;
  draw_text(draw, at, strong, ink(colour), bar.label);
  const float label_end = at.x + text_size(strong, bar.label).x + px(state, 8);
  if (label_end > rate_end - text_size(Type::figure, bar.rate).x) {
    gap(state, 14);
    at = ImGui::GetCursorScreenPos();
  }
  const Rgb share_colour = bar.flag.empty() ? colour : token.bad;
  draw_text_right(draw, {right, at.y}, Type::figure, ink(share_colour), bar.percent);
  draw_text_right(draw, {rate_end, at.y}, Type::figure, ink(colour), bar.rate);
  gap(state, 16);
  share_bar(state, bar.share, bar_colour(state, bar), 6);
  gap(state, 5);
}

}  // namespace

void draw_verdict(const AppState& state, const Subject& subject) {
  const Palette& token = colours(state);
  write(Type::heading, subject.point.failure ? token.bad : token.text, subject.verdict.title);
  if (ImGui::IsItemHovered() && !subject.limits.empty()) {
    hint(state, subject.limits);
  }
  gap(state, 1);
  write_wrapped(Type::body, token.dim, subject.verdict.grounds);
  gap(state, 5);
  if (!subject.intensity.empty()) {
    write(Type::body, token.text, "Intensity " + subject.intensity);
    if (ImGui::IsItemHovered()) {
      hint(state, subject.intensities);
    }
    gap(state, 3);
  }
  for (const ShareBar& bar : subject.shares) {
    ImGui::BeginGroup();
    draw_share(state, bar);
    ImGui::EndGroup();
    if (ImGui::IsItemHovered() && !bar.facts.empty()) {
      hint(state, bar.facts);
    }
  }
  for (const std::string& finding : subject.findings) {
    write_wrapped(Type::small, words(state, token.warn), finding);
  }
  for (const std::string& flag : subject.flags()) {
    write_wrapped(Type::small, token.bad, flag);
  }
}

}  // namespace rooftile::window
