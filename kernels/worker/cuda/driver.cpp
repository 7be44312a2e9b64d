#include "kernels/worker/cuda/driver.hpp"

#include <fmt/format.h>

#include "analysis/platform/platform.hpp"

namespace rooftile::worker {

std::optional<Driver> load_driver(std::string* tried) {
  const auto library = platform::DynamicLibrary::open({platform::library_file("cuda", "1")}, tried);
  if (!library) {
    return std::nullopt;
  }
  Driver driver;
  driver.file = library->file();
#define ROOFTILE_TEXT(name) #name
#define ROOFTILE_LOAD(name)                                                                                \
  driver.name = reinterpret_cast<decltype(driver.name)>(library->symbol(ROOFTILE_TEXT(name)));             \
  if (driver.name == nullptr) {                                                                            \
    throw Error(fmt::format("{} has no {}: the NVIDIA driver is too old, version 525 or later is needed.", \
                            driver.file, ROOFTILE_TEXT(name)));                                            \
  }
  ROOFTILE_DRIVER_FUNCTIONS(ROOFTILE_LOAD);
#undef ROOFTILE_LOAD
#undef ROOFTILE_TEXT
  driver.cuCtxRecordEvent =
      reinterpret_cast<decltype(driver.cuCtxRecordEvent)>(library->symbol("cuCtxRecordEvent"));
  return driver;
}

void Driver::check(CUresult result, const char* call) const {
  if (result == CUDA_SUCCESS) {
    return;
  }
  const char* name = "unknown error";
  const char* sentence = "";
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &sentence);
  throw DriverError(result, fmt::format("{} from {}: {}", name, call, sentence));
}

std::string Driver::version() const {
  int version = 0;
  check(cuDriverGetVersion(&version), "cuDriverGetVersion");
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace rooftile::worker
