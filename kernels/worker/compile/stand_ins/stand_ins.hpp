// Stand-ins for headers that NVRTC cannot read or that are not there: what device code uses of them.
#pragma once

#include <optional>
#include <string>

namespace rooftile::worker {

// The names that nvcc knows without a header, and the names of C's and C++'s headers for device code. Types are
// those of libcu++. Dials are macros that come before a stand-in: no name of its own is one that a dial may
// have, as D.
extern const char* const standard_names_file;
extern const char* const standard_names;

// PyTorch's element types, accessors of tensors and macros.
extern const char* const torch_names;

// A text to include instead of this header of the host, of the toolkit or of a library: it declares what device
// code uses. Empty for any other header.
std::optional<std::string> device_part_of(const std::string& header);

}  // namespace rooftile::worker
