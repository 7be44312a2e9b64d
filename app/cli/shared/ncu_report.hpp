// Reports of Nsight Compute, read by the Python module that comes with it.
#pragma once

#include <filesystem>
#include <string>

namespace rooftile::cli {

// Of a .ncu-rep, what `ncu --csv --page raw` would print. Throws Error, which says how to get that, where the
// module is not there or cannot read the file.
std::string ncu_report_csv(const std::filesystem::path& report);

}  // namespace rooftile::cli
