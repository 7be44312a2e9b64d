// A search space of Kernel Tuner, the T1 file that describes a kernel with its dials, as a kernel.toml.
#pragma once

#include <string>
#include <string_view>

namespace rooftile {

struct TunerSpace {
  std::string kernel_file;  // seen from the folder of the space
  std::string kernel;       // its name in the source
};
// Throws Error for a text that is no such space, or of a kernel that is not CUDA.
TunerSpace tuner_space(std::string_view json);

// The kernel.toml, for a folder beside the space. code: of the kernel's file, which may ask for the macros
// problem_size_x, _y and _z. A condition that is no arithmetic stands in a comment. Throws Error naming the
// value that cannot be read.
std::string manifest_of_space(std::string_view json, std::string_view code);

}  // namespace rooftile
