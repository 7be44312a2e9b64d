#include "kernels/inject/capture/kept_cubins.hpp"

#include <ranges>

#include "kernels/worker/cubin/cubin.hpp"

namespace rooftile::inject {

void KeptCubins::loaded(std::uint32_t module, std::string_view cubin) {
  const std::lock_guard lock(mutex_);
  if (!stopped_) {
    cubins_[module] = cubin;
  }
}

void KeptCubins::unloaded(std::uint32_t module) {
  const std::lock_guard lock(mutex_);
  cubins_.erase(module);
}

std::optional<std::string> KeptCubins::with_kernel(const std::string& symbol) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [module, cubin] : cubins_ | std::views::reverse) {
    if (worker::parameters_of(cubin, symbol)) {
      return cubin;
    }
  }
  return std::nullopt;
}

void KeptCubins::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  cubins_.clear();
}

}  // namespace rooftile::inject
