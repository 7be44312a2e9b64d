#include "kernels/worker/measure/helper_kernels.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace rooftile::worker {
namespace {

// As in fill_compare_evict.cu.
struct Comparison {
  unsigned largest_error = 0;
  unsigned padding = 0;
  unsigned long long first_bad = ~0ull;
  double got = 0, expected = 0;
};

// Twice L2, so that an inclusive replacement policy cannot keep anything.
std::size_t evictor_bytes(const Gpu& gpu) {
  return 2 * static_cast<std::size_t>(gpu.l2_size.value) / 16 * 16;
}

}  // namespace

HelperKernels::HelperKernels(const Device& device, const Compiler& compiler,
                             const std::filesystem::path& sources)
    : device_(&device),
      compiler_(&compiler),
      source_(sources / "worker/device_code/fill_compare_evict.cu"),
      comparison_(device, sizeof(Comparison)),
      evictor_(device, evictor_bytes(device.gpu())) {
  evictor_.fill_bytes(0);
  kernel("read_all", "float");
  kernel("compare", "float");
}

const Kernel& HelperKernels::kernel(const std::string& entry, const std::string& element) {
  const std::string key = entry + " " + element;
  if (const auto found = kernels_.find(key); found != kernels_.end()) {
    return found->second;
  }
  const Binary binary = compiler_->compile(source_, entry, {"-DELEMENT=" + element}, device_->gpu().cc);
  return kernels_.emplace(key, Kernel(*device_, binary.cubin, entry)).first->second;
}

Launch HelperKernels::whole_device(int threads) const {
  Launch launch;
  launch.block.x = threads;
  launch.grid.x = device_->gpu().sm_count * (device_->gpu().sm.threads / threads);
  return launch;
}

void HelperKernels::fill(const DeviceMemory& memory, const std::string& element, std::int64_t count,
                         const Filling& filling) {
  Arguments arguments;
  arguments.add(memory.pointer());
  arguments.add(count);
  arguments.add(filling.below);
  arguments.add(static_cast<int>(filling.ascending));
  arguments.add(filling.skew);
  arguments.add(filling.seed);
  kernel("fill", element).launch(whole_device(256), arguments);
}

Verification HelperKernels::compare(const DeviceMemory& result, const DeviceMemory& reference,
                                    const std::string& element, std::int64_t count, double tolerance) {
  const Driver& driver = device_->driver();
  Comparison comparison;
  driver.check(driver.cuMemcpyHtoD(comparison_.pointer(), &comparison, sizeof comparison), "cuMemcpyHtoD");
  Arguments arguments;
  arguments.add(result.pointer());
  arguments.add(reference.pointer());
  arguments.add(count);
  arguments.add(tolerance);
  arguments.add(comparison_.pointer());
  kernel("compare", element).launch(whole_device(256), arguments);
  driver.check(driver.cuMemcpyDtoH(&comparison, comparison_.pointer(), sizeof comparison), "cuMemcpyDtoH");

  Verification verification;
  verification.largest_error = std::bit_cast<float>(comparison.largest_error);
  verification.tolerance = tolerance;
  verification.passed = comparison.first_bad == ~0ull;
  if (!verification.passed) {
    Arguments place;
    place.add(result.pointer());
    place.add(reference.pointer());
    place.add(comparison_.pointer());
    kernel("look_at", element).launch({}, place);
    driver.check(driver.cuMemcpyDtoH(&comparison, comparison_.pointer(), sizeof comparison), "cuMemcpyDtoH");
    verification.sentence = fmt::format("element {} is {:.7g}, the reference says {:.7g} (tolerance {:.2g})",
                                        comparison.first_bad, comparison.got, comparison.expected, tolerance);
  }
  return verification;
}

void HelperKernels::empty_caches() {
  Arguments arguments;
  arguments.add(evictor_.pointer());
  arguments.add(static_cast<std::int64_t>(evictor_.bytes() / 16));
  arguments.add(comparison_.pointer());
  kernel("read_all", "float").launch(whole_device(512), arguments);
}

}  // namespace rooftile::worker
