// The code of a function that a program is about to launch, loaded now: a program may load it lazily, at the
// first launch, which then takes milliseconds longer.
#pragma once

#include "kernels/worker/cuda/driver.hpp"

namespace rooftile::inject {

// given: the function of a launch, or its CUkernel. Null where the driver does not tell the module.
CUmodule load_code(const worker::Driver& driver, CUfunction given);

}  // namespace rooftile::inject
