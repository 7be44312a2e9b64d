// The window at work: a session, a state, and a frame after another.
#pragma once

#include "app/conductor/command_line.hpp"

namespace rooftile::window {

// Until the window is closed or the screenshot is written. Throws Error.
void run(const conductor::CommandLine& options);

}  // namespace rooftile::window
