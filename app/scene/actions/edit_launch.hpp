// The changes made by the launch form's actions. An impossible change is told, and changes nothing.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

void type_in_form(AppState& state, const FormField& field, const std::string& words);
// role: "size", "scalar", "dial" (a macro of the source); of a buffer empty.
void add_to_form(AppState& state, const std::string& section, const std::string& role, const std::string& name);
void remove_from_form(AppState& state, const std::string& section, const std::string& name);
void rename_in_form(AppState& state, const std::string& section, const std::string& name,
                    const std::string& to);
void remove_argument(AppState& state, std::size_t position);

// After the kernels were read again: drops edits that their files take no more.
void drop_old_edits(AppState& state);
// The edit was written: the dials go on by the names that their parameters have now.
void forget_edits(AppState& state, const std::string& kernel);

}  // namespace rooftile::scene
