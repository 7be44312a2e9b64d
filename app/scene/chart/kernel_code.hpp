// The compiled code of the chosen kernel in place of the work that its kernel.toml does not state.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Null where the manifest states the work, and where the code was not read yet. values: complete and legal.
const CodeAnswer* code_at(const AppState& state, const Parameters& values);

// Why the code says nothing there, in a sentence; empty where it does, and where nobody will read it.
std::string why_no_code(const AppState& state, const Parameters& values);

// The place to read next: the dialled one, then the places that advice may lead to. Empty where nothing is left
// to read, or where the compiler has not said yet how many registers the dialled place takes.
std::optional<CodeQuestion> code_to_read(const AppState& state);

}  // namespace rooftile::scene
