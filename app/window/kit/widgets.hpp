// The few widgets the panels are made of.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/scene/actions/actions.hpp"
#include "app/scene/paper/layout.hpp"
#include "app/window/kit/style.hpp"

namespace rooftile::window {

// A panel at its place until the end of the scope. A snug card has less padding, a bare panel no frame of its
// own; a floating one stands above the others; a fitted one does too, and is as high as its content, at most as
// its place.
class PanelFrame {
 public:
  enum class Style { card, snug, bare, floating, fitted };
  PanelFrame(const char* name, const Rect& place, Style style = Style::card);
  ~PanelFrame();
  PanelFrame(const PanelFrame&) = delete;
  PanelFrame& operator=(const PanelFrame&) = delete;
};

void write(Type type, Rgb colour, std::string_view text);
void write_wrapped(Type type, Rgb colour, std::string_view text);
// At most so many lines; the last one ends in an ellipsis where words are left out.
void write_lines(Type type, Rgb colour, std::string_view text, int most_lines);
// The text, or as much of it as fits the width with an ellipsis.
std::string elided(Type type, std::string_view text, float width);
// A field for a text of any length; faint words stand in an empty one. True when the text was changed, with
// EnterReturnsTrue when Enter ended it.
bool text_field(const char* id, const char* when_empty, std::string& typed, ImGuiInputTextFlags flags = 0);
// The same with several lines.
bool text_area(const char* id, std::string& typed, ImVec2 size);
// The first of the types in which the text fits the width, or else the last.
Type fitting(std::initializer_list<Type> types, std::string_view text, float width);
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

// A popup beside the last item, that Escape closes. Its content follows where it says true, then end_menu().
bool begin_menu(const AppState& state, const char* name);
void end_menu();
bool menu_open();  // any
// A row of a menu. Returns whether it was chosen, which closes the menu.
bool menu_row(const char* label, bool selected = false);
bool wrapped_row(std::string_view label, bool selected = false);  // in as many lines as it needs

// A word that can be switched on, in its own colour.
bool chip(const AppState& state, const char* label, Rgb colour, bool selected);
ImVec2 chip_size(const AppState& state, std::string_view label);
enum class ArrowHead { right, down, up };
constexpr ArrowHead opened(bool open) {
  return open ? ArrowHead::down : ArrowHead::right;
}
void draw_arrow(ImDrawList& draw, ImVec2 centre, float arm, ArrowHead head, ImU32 colour);

// A filled share of a track, as wide as the panel.
void share_bar(const AppState& state, double share, Rgb colour, float height);

}  // namespace rooftile::window
