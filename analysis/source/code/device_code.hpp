// The part of a CUDA source that a compiler of device code alone understands.
#pragma once

#include <string>
#include <vector>

namespace rooftile {

// texts: a source and the files of its owner that it includes. Each comes back with the same lines; blank is
// what the kernels do not need: functions of the host, and whatever no kernel names directly or through what it
// names.
std::vector<std::string> device_code(const std::vector<std::string>& texts);

}  // namespace rooftile
