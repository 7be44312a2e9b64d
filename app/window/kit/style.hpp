// From tokens to Dear ImGui: fonts, colours, sizes. Everything scales from one number.
#pragma once

#include <imgui.h>

#include <array>
#include <string_view>

#include "app/scene/paper/type.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::window {

using namespace scene;  // which is what the window draws

// Words in Roboto, numbers and code in Inconsolata. Dear ImGui has them in this order.
inline constexpr std::array font_files = {"Roboto-Regular.ttf", "Roboto-Bold.ttf", "Inconsolata-Medium.ttf"};
inline constexpr float font_pixels = 15;  // of the text that names no size

void apply_style(const Settings& settings);
// The plot's own gestures: drag pans, the wheel zooms. Double click is ours: it fits.
void map_plot_input();

ImU32 ink(Rgb colour, float alpha = 1);
const Palette& colours(const AppState& state);
// The level's colour for words: darker than its roof where the panel is bright.
Rgb words(const AppState& state, Rgb colour);

// A font and its size until the end of the scope.
class TypeScope {
 public:
  explicit TypeScope(Type type);
  ~TypeScope();
  TypeScope(const TypeScope&) = delete;
  TypeScope& operator=(const TypeScope&) = delete;
};

// Pixels of a length given for scale 1.
float px(const AppState& state, float length);

}  // namespace rooftile::window
