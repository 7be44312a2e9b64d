// What may be changed of a kernel.toml, and what its source offers to add.
#pragma once

#include "analysis/source/source_kernels.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Why an entry of this text stays, in a sentence that says where it is used; empty: it can be removed.
std::optional<std::string> why_no_removal(const AppState& state, const std::string& text,
                                          const std::string& section, const std::string& name);

// The macros with a default of the chosen kernel's source that are no parameters of this text.
std::vector<SourceMacro> free_macros(const AppState& state, const ManifestWords& words);
// What the source declares of the chosen kernel's parameters; empty where it cannot be told.
std::vector<DeclaredParameter> parameters_in_source(const AppState& state);

}  // namespace rooftile::scene
