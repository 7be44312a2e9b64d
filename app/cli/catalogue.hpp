// The kernels and GPUs a command line can name.
#pragma once

#include <string>
#include <vector>

#include "analysis/catalogue.hpp"
#include "analysis/gpu.hpp"
#include "analysis/manifest.hpp"
#include "app/cli/options.hpp"

namespace rooftile::cli {

// The bundled ones and those of --kernels; the mistakes of those left out go to standard error.
std::vector<Manifest> catalogue(const Options& options);
std::vector<Gpu> gpu_table();

// Throw UsageError with the known names and the nearest; for a kernel that is left out, Error with its mistake.
Manifest kernel_named(const Options& options, const std::string& name);
Gpu gpu_named(const std::string& name);

}  // namespace rooftile::cli
