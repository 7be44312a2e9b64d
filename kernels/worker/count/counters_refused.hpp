// Why counters cannot be had, in words and with a fix.
#pragma once

#include <string>

#include "analysis/record/records.hpp"
#include "kernels/worker/count/cupti.hpp"

namespace rooftile::worker {

// The state of the counters after a refusal, with the words and the fix for CUPTI's code.
Facility counters_refused(CUptiResult code, const std::string& detail);

}  // namespace rooftile::worker
