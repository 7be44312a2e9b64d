#include "kernels/worker/measure/helper_kernels.hpp"

#include <fmt/format.h>

#include <bit>
#include <string_view>
#include <vector>

#include "kernels/worker/measure/wrong_elements.hpp"

namespace rooftile::worker {
namespace {

// Twice L2, so that an inclusive replacement policy cannot keep anything.
std::size_t evictor_bytes(const Gpu& gpu) {
  return 2 * static_cast<std::size_t>(gpu.l2_size.value) / 16 * 16;
}

// "1.5", or all digits of a whole number.
std::string element_text(std::string_view element, double value, long long whole) {
  return is_floating_point(element) ? fmt::format("{:.7g}", value) : fmt::format("{}", whole);
}

std::string tolerance_text(Tolerance tolerance) {
  return tolerance.relative > 0
             ? fmt::format("{:.2g} and {:.2g} of the reference", tolerance.absolute, tolerance.relative)
             : fmt::format("{:.2g}", tolerance.absolute);
}

// The arguments that the kernels which compare have in common.
Arguments of_comparison(const DeviceMemory& result, const DeviceMemory& reference, std::int64_t count,
                        Tolerance tolerance) {
  Arguments arguments;
  arguments.add(result.pointer());
  arguments.add(reference.pointer());
  arguments.add(count);
  arguments.add(tolerance.absolute);
  arguments.add(tolerance.relative);
  return arguments;
}

}  // namespace

// The same struct as in fill_compare_evict.cu.
struct HelperKernels::Comparison {
  unsigned largest = 0;
  unsigned shown = 0;
  unsigned long long first_bad = ~0ull;
  double result = 0, reference = 0;
  long long whole_result = 0, whole_reference = 0;

  // All zero or all equal, which the reference is not.
  bool is_flat() const { return (shown >> 2 & ~shown) != 0; }
};

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
  arguments.add(filling.first);
  arguments.add(filling.below);
  arguments.add(static_cast<int>(filling.ascending));
  arguments.add(filling.skew);
  arguments.add(filling.seed);
  kernel("fill", element).launch(whole_device(256), arguments);
}

HelperKernels::Comparison HelperKernels::compared(const Kernel& kernel, const Launch& launch,
                                                  Arguments arguments, const Comparison& before) {
  const Driver& driver = device_->driver();
  Comparison comparison = before;
  driver.check(driver.cuMemcpyHtoD(comparison_.pointer(), &comparison, sizeof comparison), "cuMemcpyHtoD");
  arguments.add(comparison_.pointer());
  kernel.launch(launch, arguments);
  driver.check(driver.cuMemcpyDtoH(&comparison, comparison_.pointer(), sizeof comparison), "cuMemcpyDtoH");
  return comparison;
}

Verification HelperKernels::compare(const DeviceMemory& result, const DeviceMemory& reference,
                                    const std::string& element, std::int64_t count, Tolerance tolerance) {
  const Comparison found = compared(kernel("compare", element), whole_device(256),
                                    of_comparison(result, reference, count, tolerance), {});
  Verification verification;
  verification.largest_error = std::bit_cast<float>(found.largest);
  verification.tolerance = tolerance.absolute;
  if (tolerance.relative > 0) {
    verification.relative_tolerance = tolerance.relative;
  }
  verification.passed = found.first_bad == ~0ull && !found.is_flat();
  if (!verification.passed) {
    verification.sentence = what_differs(result, reference, element, found, tolerance);
  }
  return verification;
}

std::string HelperKernels::what_differs(const DeviceMemory& result, const DeviceMemory& reference,
                                        const std::string& element, const Comparison& found,
                                        Tolerance tolerance) {
  const unsigned long long place = found.is_flat() ? 0 : found.first_bad;
  Arguments arguments;
  arguments.add(result.pointer());
  arguments.add(reference.pointer());
  arguments.add(place);
  const Comparison there = compared(kernel("look_at", element), {}, arguments, {});
  const std::string got = element_text(element, there.result, there.whole_result);
  const std::string expected = element_text(element, there.reference, there.whole_reference);
  return found.is_flat() ? fmt::format("every element is {}, those of the reference are not (its first is {})",
                                       got, expected)
                         : fmt::format("element {} is {}, the reference says {} (tolerance {})", place, got,
                                       expected, tolerance_text(tolerance));
}

std::optional<WrongElements> HelperKernels::wrong_in(const DeviceMemory& result, const DeviceMemory& reference,
                                                     const std::string& element, std::int64_t count,
                                                     Tolerance tolerance, std::int64_t row_length) {
  const MapSize size = map_size(count, row_length);
  std::vector<unsigned> in_cell(size.cells());
  const DeviceMemory memory(*device_, in_cell.size() * sizeof in_cell[0]);
  memory.fill_bytes(0);
  Arguments arguments = of_comparison(result, reference, count, tolerance);
  arguments.add(row_length);
  arguments.add(size.across);
  arguments.add(size.down);
  arguments.add(memory.pointer());
  kernel("map_wrong", element).launch(whole_device(256), arguments);
  const Driver& driver = device_->driver();
  driver.check(driver.cuMemcpyDtoH(in_cell.data(), memory.pointer(), memory.bytes()), "cuMemcpyDtoH");
  WrongElements map = wrong_elements(in_cell, count, row_length);
  return map.wrong > 0 ? std::optional(std::move(map)) : std::nullopt;
}

double HelperKernels::scale(const DeviceMemory& memory, const std::string& element, std::int64_t count) {
  Arguments arguments;
  arguments.add(memory.pointer());
  arguments.add(count);
  return std::bit_cast<float>(compared(kernel("scale", element), whole_device(256), arguments, {}).largest);
}

void HelperKernels::empty_caches() {
  Arguments arguments;
  arguments.add(evictor_.pointer());
  arguments.add(static_cast<std::int64_t>(evictor_.bytes() / 16));
  arguments.add(comparison_.pointer());
  kernel("read_all", "float").launch(whole_device(512), arguments);
}

}  // namespace rooftile::worker
