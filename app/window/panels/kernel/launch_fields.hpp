// The fields of the launch form, and what stands beside them.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

inline constexpr float between_fields = 6, narrowest_names = 34, widest_names = 92;  // before the scale

// Enter saves what is valid.
void draw_field(const AppState& state, const FormCell& cell, float width, Actions& actions);
// A field with a choice of few words.
void draw_word_choice(const AppState& state, const FormCell& cell, const std::vector<std::string>& words_of_it,
                      float width, Actions& actions);
void draw_wrong(const AppState& state, std::initializer_list<const FormCell*> cells);
void next_field(const AppState& state);

// The name at the left of a line; its hint says all of it.
void draw_line_name(const AppState& state, const std::string& name, const std::string& note, float width);

// An entry that a press opens a menu for: to rename it, where its name is its own, and to remove it.
struct EntryName {
  std::string section, name, note;
  bool can_be_renamed = true;
  std::optional<std::string> why_no_removal = {};
};
void draw_entry_name(const AppState& state, const EntryName& entry, float width, Actions& actions);
// A chip that asks for the name of a new entry.
void draw_add_named(const AppState& state, const char* label, const AddToForm& entry, Actions& actions);
// A chip that offers these names.
void draw_add_one_of(const AppState& state, const char* label, const AddToForm& entry,
                     const std::vector<std::string>& names, Actions& actions);

// The width of the longest name at the left of the lines, within bounds.
template <class Lines, class Name>
float width_of_names(const AppState& state, const Lines& lines, Name name) {
  float longest = 0;
  for (const auto& line : lines) {
    longest = std::max(longest, text_size(Type::body, std::invoke(name, line)).x);
  }
  return std::clamp(longest + px(state, 2 * between_fields), px(state, narrowest_names),
                    px(state, widest_names));
}

}  // namespace rooftile::window
