// assets/compiled.jsonl.
#pragma once

#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/model/compiled_table.hpp"

namespace rooftile::platform {

// The table's results for these kernels, as their sources are now. Empty where there is no such file. Throws
// Error for a file that cannot be read.
CompiledTable load_compiled_table(const std::vector<Manifest>& kernels);

}  // namespace rooftile::platform
