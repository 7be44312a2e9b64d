// Reports of Nsight Compute, read by the Python module that comes with it.
#pragma once

#include <filesystem>
#include <string>

namespace rooftile::cli {

// The table that `ncu --csv --page raw` would print of a .ncu-rep. Throws Error, which says how to get that
// table, if the module is missing or cannot read the file.
std::string ncu_report_csv(const std::filesystem::path& report);

}  // namespace rooftile::cli
