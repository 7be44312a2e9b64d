// The window at work: a loop around the conductor.
#pragma once

#include "app/conductor/command_line.hpp"

namespace rooftile::window {

// Until the window is closed, or the screenshot taken. Throws Error where no window can be opened.
void run(const conductor::CommandLine& wanted);

}  // namespace rooftile::window
