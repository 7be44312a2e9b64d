#include "app/window/kit/segmented.hpp"

#include <algorithm>
#include <cmath>

#include "app/window/kit/marks.hpp"

namespace rooftile::window {
namespace {

constexpr float inset = 2.5f, high_track = 40;

struct Track {
  ImVec2 at;
  float width, height, cell;

  std::size_t cell_under(float x, std::size_t count) const {
    const float place = (x - at.x) / cell;
    return static_cast<std::size_t>(std::clamp(place, 0.0f, static_cast<float>(count) - 1));
  }
};

void draw_track(const AppState& state, const Track& track, bool has_keyboard) {
  const Palette& token = colours(state);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end{track.at.x + track.width, track.at.y + track.height};
  draw.AddRectFilled(track.at, end, ink(token.edge), px(state, 6));
  if (has_keyboard) {
    const float out = px(state, 2);
    draw.AddRect({track.at.x - out, track.at.y - out}, {end.x + out, end.y + out}, ink(token.accent, 0.75f),
                 px(state, 7), 0, px(state, 1.3f));
  }
}

Rgb cell_ink(const AppState& state, const DialOption& option, bool selected) {
  const Palette& token = colours(state);
  if (option.why_not) {
    return token.faint;
  }
  return selected ? token.on_accent : token.text;
}

void draw_cell(const AppState& state, const Track& track, std::size_t index, const DialOption& option,
               bool selected, bool hovered) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float left = track.at.x + track.cell * static_cast<float>(index);
  const float in = px(state, inset);
  const ImVec2 from{left + in, track.at.y + in}, to{left + track.cell - in, track.at.y + track.height - in};
  if (selected) {
    draw.AddRectFilled(from, to, ink(colours(state).accent), px(state, 5));
  } else if (hovered && !option.why_not) {
    draw.AddRectFilled(from, to, ink(colours(state).text, 0.09f), px(state, 5));
  }
  const Type largest = track.height >= px(state, high_track) ? Type::heading : Type::figure;
  const Type type =
      fitting({largest, Type::figure, Type::figure_small}, option.text, track.cell - px(state, 6));
  const ImVec2 words = text_size(type, option.text);
  draw_text(draw, {left + (track.cell - words.x) / 2, track.at.y + (track.height - words.y) / 2}, type,
            ink(cell_ink(state, option, selected)), option.text);
}

// The option that the pointer has been dragged to, if it can be taken.
std::optional<std::size_t> dragged_to(const Dial& dial, const Track& track) {
  const std::size_t at = track.cell_under(ImGui::GetIO().MousePos.x, dial.options.size());
  return at != dial.selected && !dial.options[at].why_not ? std::optional(at) : std::nullopt;
}

// Touchpads turn the wheel by fractions: they add up to whole steps.
int wheel_steps() {
  float& turned = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("wheel"));
  turned += ImGui::GetIO().MouseWheel;
  const float whole = std::trunc(turned);
  turned -= whole;
  return static_cast<int>(whole);
}

}  // namespace

DialMove segmented(const AppState& state, const Dial& dial, bool has_keyboard, float height) {
  DialMove move;
  const float width = ImGui::GetContentRegionAvail().x;
  const Track track{ImGui::GetCursorScreenPos(), width, px(state, height),
                    width / static_cast<float>(dial.options.size())};
  draw_track(state, track, has_keyboard);
  ImGui::PushID(dial.name.c_str());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (std::size_t i = 0; i < dial.options.size(); ++i) {
    const DialOption& option = dial.options[i];
    ImGui::SetCursorScreenPos({track.at.x + track.cell * static_cast<float>(i), track.at.y});
    const bool pressed = ImGui::InvisibleButton(option.text.c_str(), {track.cell, track.height});
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    const bool hovered = ImGui::IsItemHovered();
    draw_cell(state, track, i, option, i == dial.selected, hovered);
    if (ImGui::IsItemActive()) {
      move.touched = true;
      move.to = dragged_to(dial, track);
    }
    if (hovered) {
      move.wheel = wheel_steps();
      if (option.why_not) {
        move.greyed_hovered = i;
        move.greyed_pressed = pressed;
      }
    }
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return move;
}

}  // namespace rooftile::window
