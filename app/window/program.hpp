// The window at work: a session, a state, and a frame after another.
#pragma once

#include "app/window/options.hpp"

namespace rooftile::window {

// Until the window is closed or the screenshot is written. Throws Error.
void run(const Options& options);

}  // namespace rooftile::window
