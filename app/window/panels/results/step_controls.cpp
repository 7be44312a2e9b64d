// The warp and the step of a picture: chosen, or played.
#include <fmt/format.h>

#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

constexpr float step_bar = 180, room_for_controls = 560;

// "-" and "+" around a number.
template <class Choose>
void draw_stepper(const AppState& state, const char* id, const std::string& words, Choose&& choose) {
  ImGui::PushID(id);
  if (chip(state, "-", colours(state).text, false)) {
    choose(-1);
  }
  ImGui::SameLine();
  const float top = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(top + (chip_size(state, words).y - text_size(Type::small, words).y) / 2);
  write(Type::small, colours(state).text, words);
  ImGui::SameLine();
  ImGui::SetCursorPosY(top);
  if (chip(state, "+", colours(state).text, false)) {
    choose(1);
  }
  ImGui::PopID();
}

}  // namespace

void draw_step_controls(const AppState& state, int warp, int warps, std::size_t step, std::size_t steps,
                        Actions& actions) {
  if (ImGui::GetContentRegionAvail().x < px(state, room_for_controls)) {
    ImGui::NewLine();
  }
  if (warps > 1) {
    draw_stepper(state, "warp", fmt::format("warp {} (of {})", warp, warps),
                 [&](int by) { actions.push_back(SelectWarp{std::clamp(warp + by, 0, warps - 1)}); });
    ImGui::SameLine(0, px(state, 16));
  }
  if (steps < 2) {
    return ImGui::NewLine();
  }
  if (chip(state, state.view.steps.playing ? "Stop" : "Play", colours(state).accent,
           state.view.steps.playing.has_value())) {
    actions.push_back(PlaySteps{});
  }
  ImGui::SameLine();
  draw_stepper(state, "step", fmt::format("step {} of {}", step + 1, steps), [&](int by) {
    actions.push_back(SelectStep{by < 0 ? step - (step > 0 ? 1 : 0) : std::min(step + 1, steps - 1)});
  });
  ImGui::SameLine(0, px(state, 12));
  ImGui::SetNextItemWidth(px(state, step_bar));
  int at = static_cast<int>(step);
  if (ImGui::SliderInt("##step", &at, 0, static_cast<int>(steps) - 1, "")) {
    actions.push_back(SelectStep{static_cast<std::size_t>(at)});
  }
}

}  // namespace rooftile::window
