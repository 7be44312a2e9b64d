#include "app/cli/shared/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/nearest.hpp"
#include "app/session/own_kernel.hpp"

namespace rooftile::cli {
namespace {

template <class T>
std::vector<std::string> names(const std::vector<T>& things) {
  std::vector<std::string> all;
  std::transform(things.begin(), things.end(), std::back_inserter(all),
                 [](const T& thing) { return thing.name; });
  return all;
}

void report(const std::vector<Mistake>& mistakes) {
  for (const std::string& sentence : sentences(mistakes)) {
    remark("rooftile-cli: left out: {}\n", sentence);
  }
}

}  // namespace

std::vector<Manifest> catalogue(const Options& options) {
  Catalogue catalogue = platform::load_catalogue_with(options.kernel_folders);
  report(catalogue.mistakes);
  return std::move(catalogue.kernels);
}

std::vector<Gpu> gpu_table(const Options& options) {
  GpuTable table = platform::load_gpu_table_with(options.gpu_files);
  for (const std::string& line : table.left_out) {
    remark("rooftile-cli: left out: {}\n", line);
  }
  return std::move(table.gpus);
}

Manifest kernel_named(const Options& options, const std::string& name) {
  const Catalogue all = platform::load_catalogue_with(options.kernel_folders);
  if (!all.knows(name)) {
    if (const std::string why = why_no_source(name); !why.empty()) {
      throw UsageError(why);
    }
    throw UsageError(no_such("kernel", name, names(all.kernels)));
  }
  const Manifest& found = find_kernel(all, name);
  report(all.mistakes);
  return found;
}

Gpu gpu_named(const Options& options, const std::string& name) {
  const auto table = gpu_table(options);
  if (const Gpu* gpu = find_gpu(table, name)) {
    return *gpu;
  }
  if (const auto several = why_ambiguous(table, name)) {
    throw UsageError(*several);
  }
  throw UsageError(no_such("GPU", name, names(table)));
}

}  // namespace rooftile::cli
