#include "kernels/worker/measure/globals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/source/kernels/source_kernels.hpp"
#include "kernels/worker/compile/kernel_parameters.hpp"
#include "kernels/worker/measure/problem.hpp"

namespace rooftile::worker {

Globals::Globals(const Device& device, const Kernel& kernel, const std::string& cubin, HelperKernels& helpers,
                 const Manifest& manifest, const Parameters& parameters)
    : driver_(&device.driver()) {
  const std::vector<CubinVariable> variables = variables_in(cubin);
  for (const Buffer& global : manifest.globals) {
    const auto found = std::ranges::find(variables, global.name, &CubinVariable::name);
    const auto place = found != variables.end() ? kernel.global(found->symbol) : std::nullopt;
    if (!place || global.fill == FillKind::none) {
      continue;
    }
    const auto count = static_cast<std::int64_t>(place->bytes) / global.element_bytes;
    Slot& slot = slots_.emplace_back(Slot{place->pointer, DeviceMemory(device, place->bytes)});
    if (global.file.empty()) {
      Filling filling = filling_of(global, parameters, static_cast<double>(count));
      filling.seed = static_cast<unsigned>(manifest.buffers.size() + slots_.size());
      helpers.fill(slot.values, global.element, count, filling);
    } else {
      write_array(slot.values, global.file, global, count);
    }
  }
}

void Globals::fill() const {
  for (const Slot& slot : slots_) {
    driver_->check(
        driver_->cuMemcpyDtoDAsync(slot.pointer, slot.values.pointer(), slot.values.bytes(), nullptr),
        "cuMemcpyDtoDAsync");
  }
}

std::string unfilled_sentence(const std::string& cubin, const Manifest& manifest, std::string_view code) {
  std::vector<std::string> names;
  for (const CubinVariable& variable : variables_in(cubin)) {
    const auto global = std::ranges::find(manifest.globals, variable.name, &Buffer::name);
    const bool is_listed = global != manifest.globals.end();
    const bool is_filled = is_listed && global->fill != FillKind::none;
    if (variable.is_zero && !is_filled && (is_listed || !type_of_variable(code, variable.name).empty())) {
      names.push_back(variable.name);
    }
  }
  return names.empty()
             ? ""
             : fmt::format("Zeros, since no [[global]] of kernel.toml fills {}: {}.",
                           names.size() == 1 ? "this variable" : "these variables", fmt::join(names, ", "));
}

}  // namespace rooftile::worker
