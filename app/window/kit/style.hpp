// From tokens to Dear ImGui: fonts, colours, sizes. Everything scales from one number.
#pragma once

#include <imgui.h>

#include <filesystem>
#include <string_view>

#include "app/scene/paper/type.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::window {

using namespace scene;  // which is what the window draws

// Words in Roboto, numbers and code in Inconsolata. Throws Error naming the file that is missing.
void load_fonts(const std::filesystem::path& directory);
void apply_style(const Settings& settings);

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
