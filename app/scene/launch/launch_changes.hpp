// The changes that a kernel.toml allows, and the entries that its source offers to add.
#pragma once

#include "analysis/source/kernels/declared_parameters.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Why an entry of this text stays, in a sentence that says where it is used; empty: it can be removed.
std::optional<std::string> why_no_removal(const AppState& state, const std::string& text,
                                          const std::string& section, const std::string& name);

// The macros of the chosen kernel's source that have a default and are no parameters of this text.
std::vector<SourceMacro> free_macros(const AppState& state, const ManifestWords& words);
// The source's declarations of the chosen kernel's parameters; empty where they cannot be told.
std::vector<DeclaredParameter> parameters_in_source(const AppState& state);

}  // namespace rooftile::scene
