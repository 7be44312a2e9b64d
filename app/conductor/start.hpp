// What the window starts from: catalogue, GPU table, session and the wishes of the command line.
#pragma once

#include "app/conductor/command_line.hpp"
#include "app/scene/actions.hpp"
#include "app/session/session.hpp"

namespace rooftile::conductor {

AppState first_state(const CommandLine& options);
Session first_session(const CommandLine& options);
// Everything of the session but its log. The device stays what it is while another GPU is predicted for.
void update(SessionView& view, const Session& session);
// Kernel and dials of the command line. Throws Error for a kernel or parameter nobody knows, or an illegal
// value.
Actions first_actions(const CommandLine& options, const AppState& state);

}  // namespace rooftile::conductor
