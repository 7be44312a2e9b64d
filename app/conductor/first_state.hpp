// The window's first state: kernels, GPU table, settings and what the command line asks for.
#pragma once

#include "app/conductor/command_line.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::conductor {

// The bundled kernels and those in the folders, with their sources and what a compiler made of them; mistakes
// are told. Throws Error where there are none.
void load_kernels(scene::AppState& state, const std::vector<std::filesystem::path>& folders);

// The bundled lessons, in the order of their files' names; mistakes are told.
void load_lessons(scene::AppState& state);
// One more; a lesson of the same name is replaced. Returns its id. Throws Error with all mistakes of the file.
std::string use_lesson(scene::AppState& state, const std::filesystem::path& file);

// Empty if it cannot be read: the compiler says why.
std::string source_text(const std::filesystem::path& source);

// Throws Error where no kernel or no GPU table is found.
scene::AppState first_state(const CommandLine& wanted, const scene::Settings& settings);
// The same before any session was read.
scene::AppState without_session(scene::AppState state);
// Chooses GPU, kernel and dials as the command line says. Throws Error for a GPU, kernel or parameter nobody
// knows, or an illegal value.
void choose_first(const CommandLine& wanted, scene::AppState& state);

}  // namespace rooftile::conductor
