#include "kernels/worker/count/cupti.hpp"

#include <fmt/format.h>

#include "analysis/platform/platform.hpp"
#include "kernels/worker/cuda/library_places.hpp"

namespace rooftile::worker {

std::optional<Cupti> load_cupti(std::string* tried, const std::string& driver, CuptiChoice choice) {
  const std::vector<std::string> versions = cuda_major_versions(driver);
  std::vector<std::string> places = library_places("cupti", versions);
  // For a name without a folder the loader gives the library that is loaded already.
  if (choice == CuptiChoice::programs) {
    places.insert(places.begin(),
                  {platform::library_file("cupti", versions[0]), platform::library_file("cupti", versions[1])});
  }
  const auto library = platform::DynamicLibrary::open(places, tried);
  if (!library) {
    return std::nullopt;
  }
  library->load_from_beside("libnvperf_host.so");
  Cupti cupti;
  cupti.file = library->file();
#define ROOFTILE_LOAD(name)                                                                              \
  cupti.name = reinterpret_cast<decltype(cupti.name)>(library->symbol(#name));                           \
  if (cupti.name == nullptr) {                                                                           \
    throw Error(fmt::format("{} has no {}: CUPTI of CUDA 12.6 or later is needed.", cupti.file, #name)); \
  }
  ROOFTILE_CUPTI_FUNCTIONS(ROOFTILE_LOAD);
#undef ROOFTILE_LOAD
  std::uint32_t version = 0;
  cupti.check(cupti.cuptiGetVersion(&version), "cuptiGetVersion");
  cupti.version = std::to_string(version);
  return cupti;
}

void Cupti::check(CUptiResult result, const char* call, std::source_location where) const {
  if (result == CUPTI_SUCCESS) {
    return;
  }
  const char* name = "an unknown error";
  cuptiGetResultString(result, &name);
  throw CuptiError(result, fmt::format("{} failed: {}, {}:{}", call, name, where.file_name(), where.line()));
}

}  // namespace rooftile::worker
