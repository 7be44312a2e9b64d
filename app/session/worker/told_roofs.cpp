#include "app/session/worker/told_roofs.hpp"

#include <fmt/format.h>

#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

std::filesystem::path cache_or_none() {
  try {
    return platform::user_cache_directory();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

platform::RoofsFile told_roofs(const DeviceRecord& device) {
  const Gpu& gpu = device.gpu;
  return {cache_or_none(), fmt::format("told by a worker: {} {} SMs {} Hz driver {} rooftile " ROOFTILE_VERSION,
                                       gpu.name, gpu.sm_count, gpu.boost_clock.value, device.driver)};
}

}  // namespace rooftile
