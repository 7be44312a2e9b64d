// Waiting for a GPU in somebody else's program, which may never be idle: a kernel of it may wait for the host.
#pragma once

#include "kernels/worker/cuda/driver.hpp"

namespace rooftile::inject {

// True once nothing that was launched in the thread's context still runs, false if that takes more than 2 s or
// cannot be asked, as while a stream is captured. A driver older than 12.5 waits without a limit.
bool wait_until_idle(const worker::Driver& driver);

// The same without waiting. A driver older than 12.5 does not say: true.
bool is_idle(const worker::Driver& driver);

}  // namespace rooftile::inject
