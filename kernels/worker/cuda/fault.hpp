// Why the driver ended a launch, in the words of a CUDA course.
#pragma once

#include <cuda.h>

#include <string_view>

namespace rooftile::worker {

// "read or wrote memory outside its buffers": completes "The kernel ...". Empty for an error that no launch
// causes by itself. Source: the descriptions of CUresult in the CUDA Driver API.
std::string_view what_a_launch_did(CUresult error);

}  // namespace rooftile::worker
