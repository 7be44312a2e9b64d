// What the window starts from: catalogue, GPU table, session and the wishes of the command line.
#pragma once

#include "app/session/session.hpp"
#include "app/window/options.hpp"
#include "app/window/requests.hpp"

namespace rooftile::window {

AppState first_state(const Options& options);
Session first_session(const Options& options);
// Everything of the session but its log. The device stays what it is while another GPU is predicted for.
void update(Source& source, const Session& session);
// Kernel and dials of the command line. Throws Error for a kernel or parameter nobody knows, or an illegal
// value.
Requests first_requests(const Options& options, const AppState& state);

}  // namespace rooftile::window
