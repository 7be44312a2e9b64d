// A kernel.toml from a stranger, and behind a line of "####" its problem.toml: it is read, and its kernel is
// modelled, predicted and held against a GPU at its defaults.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/manifest/combinations.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/manifest/neighbours.hpp"
#include "analysis/model/fit.hpp"
#include "analysis/model/model.hpp"
#include "analysis/predict/prediction.hpp"
#include "analysis/text/error.hpp"

namespace {

using namespace rooftile;

Gpu some_gpu() {
  Gpu gpu;
  gpu.name = "H200";
  gpu.cc = {9, 0};
  gpu.sm_count = 132;
  gpu.boost_clock = {1.98e9};
  gpu.l2_size = {6e7};
  gpu.sm = *sm_limits(gpu.cc);
  gpu.quoted_dram = {4.8e12};
  gpu.quoted_peaks = {{"FP32", {66.9e12}}};
  return gpu;
}

void work_out(const Manifest& manifest) {
  static const Gpu gpu = some_gpu();
  static const Roofs roofs = datasheet_roofs(gpu);
  const Parameters parameters = complete(manifest, {});
  if (why_illegal(manifest, parameters)) {
    return;
  }
  const Model modelled = model(manifest, parameters, gpu.sm_count);
  Parameters with_sms = parameters;
  with_sms["sms"] = gpu.sm_count;
  why_unlaunchable(manifest, with_sms, modelled.launch);
  predict(modelled, std::nullopt, gpu, roofs, Caches::cold);
  neighbours(manifest, {manifest.name, parameters});
  combination_count(manifest, [](const Parameter&) { return true; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view divider = "####\n";
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t kernel_size = std::min(all.find(divider), all.size());
  const std::string kernel(all.substr(0, kernel_size));
  const std::string problem(kernel_size < size ? all.substr(kernel_size + divider.size()) : "");
  try {
    work_out(read_manifest("family/mine/kernel.toml", [&](const std::filesystem::path& file) {
      return file.filename() == "kernel.toml"    ? std::optional(kernel)
             : file.filename() == "problem.toml" ? std::optional(problem)
                                                 : std::optional<std::string>("");
    }));
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
