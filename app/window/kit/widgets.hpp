// The few widgets the panels are made of.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/scene/actions.hpp"
#include "app/scene/layout.hpp"
#include "app/window/kit/style.hpp"

namespace rooftile::window {

// A panel at its place until the end of the scope. A bare one has no frame of its own, a floating one stands
// above the others.
class Panel {
 public:
  enum class Frame { card, bare, floating };
  Panel(const char* name, const Rect& place, Frame frame = Frame::card);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
};

void write(Type type, Rgb colour, std::string_view text);
void write_wrapped(Type type, Rgb colour, std::string_view text);
// On the line of the last item, ending at the panel's right edge.
void write_right(Type type, Rgb colour, std::string_view text);
void write_heading(const AppState& state, std::string_view text);
void rule(const AppState& state);
void gap(const AppState& state, float height);
// Lines beside the pointer; the first one strong.
void hint(const AppState& state, std::span<const std::string> lines);
void hint(const AppState& state, const std::string& line);

enum class Press { primary, plain };
// A greyed button says why on hover.
bool button(const AppState& state, const char* label, Press press,
            const std::optional<std::string>& why_not = {});
float button_width(const AppState& state, const char* label);

// A word that can be switched on, in its own colour.
bool chip(const AppState& state, const char* label, Rgb colour, bool selected);
ImVec2 chip_size(const AppState& state, std::string_view label);

// A filled share of a track, as wide as the panel.
void share_bar(const AppState& state, double share, Rgb colour, float height);

}  // namespace rooftile::window
