// All that a worker told of a GPU's roofs, to start none for them again: that takes longer than many a program.
#pragma once

#include "analysis/platform/session_files.hpp"
#include "analysis/record/records.hpp"

namespace rooftile {

// In the user's cache; where there is none, nothing is kept. Of another driver or rooftile it is another file.
platform::RoofsFile told_roofs(const DeviceRecord& device);

}  // namespace rooftile
