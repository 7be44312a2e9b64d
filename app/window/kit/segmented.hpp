// A dial: a slider over the values it offers. Click, drag, wheel; its keys are in keys.cpp.
#pragma once

#include <optional>

#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

struct DialMove {
  std::optional<std::size_t> to;              // an option that can be taken
  int wheel = 0;                              // steps towards larger values
  bool touched = false;                       // wants the keyboard
  std::optional<std::size_t> greyed_hovered;  // an option that cannot be taken
  bool greyed_pressed = false;
};

DialMove segmented(const AppState& state, const Dial& dial, bool has_keyboard, float height);

}  // namespace rooftile::window
