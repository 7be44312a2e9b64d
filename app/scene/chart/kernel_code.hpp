// The compiled code of the chosen kernel, where its kernel.toml describes no accesses.
#pragma once

#include "analysis/model/model.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The launch_version() that the code of a kernel is filed under; empty for bundled ones, which do not change.
std::string code_version(const AppState& state, const std::string& kernel);

// Null where the manifest describes its accesses, and where the code was not read yet. values: complete and
// legal.
const CodeAnswer* code_at(const AppState& state, const Parameters& values);

// Why the code says nothing there, in a sentence; empty where it does, and where nobody will read it.
std::string why_no_code(const AppState& state, const Parameters& values);

// Models of places, by what was read of their code. They throw Error where
// neither says more than a bound. state must outlive them.
ModelAt models_known(const AppState& state);

// The place whose model is to be read next: the dialled one, then the rungs of the ladder, the places that
// advice may lead to, and those of the map. Empty where nothing is left to read, or where the compiler has not
// said yet how many registers the dialled place takes.
std::optional<CodeQuestion> code_to_read(const AppState& state);
// The dialled place where its model was read alone.
std::optional<CodeQuestion> rest_to_read(const AppState& state);

}  // namespace rooftile::scene
