// The changes made by the launch form's actions. An impossible change is told, and changes nothing.
#pragma once

#include "analysis/source/source_kernels.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

void type_in_form(AppState& state, const FormField& field, const std::string& words);
// role: "size", "scalar", "dial" (a macro of the source); of a buffer empty.
void add_to_form(AppState& state, const std::string& section, const std::string& role, const std::string& name);
void remove_from_form(AppState& state, const std::string& section, const std::string& name);
void rename_in_form(AppState& state, const std::string& section, const std::string& name,
                    const std::string& to);
void remove_argument(AppState& state, std::size_t position);

// Why an entry of this text stays, in a sentence that says where it is used; empty: it can be removed.
std::optional<std::string> why_no_removal(const AppState& state, const std::string& text,
                                          const std::string& section, const std::string& name);

// The macros of the chosen kernel's source that have a default and are no parameters of this text.
std::vector<SourceMacro> free_macros(const AppState& state, const ManifestWords& words);
// The source's declarations of the chosen kernel's parameters; empty where they cannot be told.
std::vector<DeclaredParameter> parameters_in_source(const AppState& state);

// After the kernels were read again: drops edits that their files take no more.
void drop_old_edits(AppState& state);

}  // namespace rooftile::scene
