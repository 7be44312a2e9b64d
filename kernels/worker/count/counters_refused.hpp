// Why counters cannot be had, in words and with a fix.
#pragma once

#include <string>

#include "analysis/record/records.hpp"
#include "kernels/worker/count/cupti.hpp"

namespace rooftile::worker {

// The state a refusal puts the counters in: which words and which fix belong to CUPTI's code.
Facility counters_refused(CUptiResult code, const std::string& detail);

}  // namespace rooftile::worker
