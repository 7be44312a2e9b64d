#include "kernels/worker/cuda/nvml.hpp"

#include <fmt/format.h>

#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::worker {
namespace {

constexpr int success = 0;
constexpr int sm_clock = 1;

constexpr std::pair<unsigned long long, const char*> names[] = {
    {0x04, "the power cap"},
    {0x08, "a hardware slowdown"},
    {0x10, "the clock of a GPU it is tied to"},
    {0x20, "heat"},
    {0x40, "heat"},
    {0x80, "the power brake"},
};

Hertz megahertz(unsigned value) {
  return {1e6 * value};
}

void expect(int result, const char* call) {
  if (result != success) {
    throw Error(fmt::format("{} failed with status {}", call, result));
  }
}

}  // namespace

std::vector<std::string> slowed_by(unsigned long long reasons) {
  std::vector<std::string> all;
  for (const auto& [bit, name] : names) {
    if ((reasons & bit) != 0 && (all.empty() || all.back() != name)) {
      all.emplace_back(name);
    }
  }
  return all;
}

Nvml::Nvml(const std::string& pci_bus_id) {
  std::string tried;
  const auto library = platform::DynamicLibrary::open({platform::library_file("nvidia-ml", "1")}, &tried);
  if (!library) {
    throw Error(tried);
  }
  file_ = library->file();
  const auto load = [&]<class Function>(Function*& function, std::initializer_list<const char*> symbols) {
    for (const char* symbol : symbols) {
      if (void* found = library->symbol(symbol); found != nullptr) {
        function = reinterpret_cast<Function*>(found);
        return;
      }
    }
    throw Error(fmt::format("{} has no {}", file_, *symbols.begin()));
  };
  int (*initialize)() = nullptr;
  int (*get_device)(const char*, Handle*) = nullptr;
  int (*get_highest)(Handle, int, unsigned*) = nullptr;
  load(initialize, {"nvmlInit_v2"});
  load(get_device, {"nvmlDeviceGetHandleByPciBusId_v2"});
  load(get_highest, {"nvmlDeviceGetMaxClockInfo"});
  load(get_clock_, {"nvmlDeviceGetClockInfo"});
  load(get_reasons_, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  expect(initialize(), "nvmlInit");
  expect(get_device(pci_bus_id.c_str(), &device_), "nvmlDeviceGetHandleByPciBusId");
  expect(get_highest(device_, sm_clock, &highest_), "nvmlDeviceGetMaxClockInfo");
  clock();  // the first call is slow
}

std::optional<HeldClock> Nvml::clock() const {
  unsigned now = 0;
  unsigned long long reasons = 0;
  if (get_clock_(device_, sm_clock, &now) != success || get_reasons_(device_, &reasons) != success) {
    return std::nullopt;
  }
  return HeldClock{megahertz(now), megahertz(highest_), slowed_by(reasons)};
}

}  // namespace rooftile::worker
