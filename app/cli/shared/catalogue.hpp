// The kernels and GPUs a command line can name.
#pragma once

#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/manifest/catalogue.hpp"
#include "analysis/manifest/manifest.hpp"
#include "app/cli/shared/options.hpp"

namespace rooftile::cli {

// The bundled ones and those of --kernels; the mistakes of those left out go to standard error.
std::vector<Manifest> catalogue(const Options& options);
// The bundled ones, the user's and those of --gpus, likewise.
std::vector<Gpu> gpu_table(const Options& options);

// Throw UsageError with the known names and the nearest, or with the several that are meant; for a kernel that
// is left out, Error with its mistake.
Manifest kernel_named(const Options& options, const std::string& name);
Gpu gpu_named(const Options& options, const std::string& name);

}  // namespace rooftile::cli
