#include "app/cli/catalogue.hpp"

#include <algorithm>

#include "analysis/platform/platform.hpp"
#include "app/cli/nearest.hpp"

namespace rooftile::cli {
namespace {

template <class T>
std::vector<std::string> names(const std::vector<T>& things) {
  std::vector<std::string> all;
  std::transform(things.begin(), things.end(), std::back_inserter(all),
                 [](const T& thing) { return thing.name; });
  return all;
}

}  // namespace

std::vector<Manifest> catalogue(const Options& options) {
  std::vector<std::filesystem::path> folders = {platform::data_directory() / "kernels"};
  folders.insert(folders.end(), options.kernel_folders.begin(), options.kernel_folders.end());
  return load_catalogue(folders);
}

std::vector<Gpu> gpu_table() {
  return load_gpu_table(platform::data_directory() / "assets" / "gpus.toml");
}

Manifest kernel_named(const Options& options, const std::string& name) {
  const auto all = catalogue(options);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Manifest& kernel) { return kernel.name == name; });
  if (found == all.end()) {
    throw UsageError(no_such("kernel", name, names(all)));
  }
  return *found;
}

Gpu gpu_named(const std::string& name) {
  const auto table = gpu_table();
  if (const Gpu* gpu = find_gpu(table, name)) {
    return *gpu;
  }
  throw UsageError(no_such("GPU", name, names(table)));
}

}  // namespace rooftile::cli
