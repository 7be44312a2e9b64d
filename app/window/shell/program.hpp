// The window at work: a loop around the conductor.
#pragma once

#include "app/conductor/command_line.hpp"

namespace rooftile::window {

// Until the window is closed, or the screenshot or the times taken. Returns the exit status: that of the
// program of the command line, for which it waits; 0 without one. Throws Error where no window can be opened.
int run(const conductor::CommandLine& wanted);

}  // namespace rooftile::window
