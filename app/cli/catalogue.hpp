// The kernels and GPUs a command line can name.
#pragma once

#include <string>
#include <vector>

#include "analysis/gpu.hpp"
#include "analysis/manifest.hpp"
#include "app/cli/options.hpp"

namespace rooftile::cli {

std::vector<Manifest> catalogue(const Options& options);  // bundled ones, then those of --kernels
std::vector<Gpu> gpu_table();

// Throw UsageError with the known names and the nearest.
Manifest kernel_named(const Options& options, const std::string& name);
Gpu gpu_named(const std::string& name);

}  // namespace rooftile::cli
