#include "kernels/worker/measure/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/exchange/npy.hpp"
#include "analysis/model/argument_bytes.hpp"
#include "analysis/model/fit.hpp"
#include "analysis/model/row_length.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/compile/kernel_parameters.hpp"
#include "kernels/worker/cuda/tensor_map.hpp"
#include "kernels/worker/measure/globals.hpp"

namespace rooftile::worker {
namespace {

constexpr unsigned char never_written = 0xff;  // NaN, or a number that nobody expects

// A size of the reference's grid or block.
int side(const Expression& expression, const Parameters& parameters) {
  const double value = expression.evaluate(parameters);
  if (value != std::floor(value) || value < 1 || value > std::numeric_limits<int>::max()) {
    throw Error(fmt::format("The reference cannot be launched: \"{}\" is {}{}, not a whole number from 1 on.",
                            expression.text(), number(value), set_by(std::span(&expression, 1), parameters)));
  }
  return static_cast<int>(value);
}

}  // namespace

void write_array(const DeviceMemory& memory, const std::filesystem::path& file, const Buffer& buffer,
                 std::int64_t count) {
  const std::optional<std::string> text = platform::read_data(file);
  if (!text) {
    throw Error(
        fmt::format("There is no file {}, which kernel.toml names for {}.", file.string(), buffer.name));
  }
  memory.write(elements_of_npy(*text, file.string(), buffer.element, count));
}

namespace {

// A file that was written again has another identity.
std::string identity_of(const std::filesystem::path& file) {
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(file, failed);
  return fmt::format(" {} {}", file.string(), failed ? 0 : written.time_since_epoch().count());
}

}  // namespace

Problem::Problem(const Device& device, const Compiler& compiler, HelperKernels& helpers,
                 const Manifest& manifest, const Parameters& parameters, Room room)
    : identity_(identity(manifest, parameters)), device_(&device), compiler_(&compiler), helpers_(&helpers) {
  for (const Buffer& buffer : manifest.buffers) {
    Slot& slot = slots_.emplace_back();
    slot.buffer = buffer;
    slot.count = std::llround(buffer.count.evaluate(parameters));
    slot.row_length = row_length(buffer, parameters);
    const std::size_t bytes =
        static_cast<std::size_t>(slot.count) * static_cast<std::size_t>(buffer.element_bytes);
    slot.memory = DeviceMemory(device, bytes, room);
    slot.filling = filling_of(buffer, parameters, static_cast<double>(slot.count));
    slot.filling.seed = static_cast<unsigned>(slots_.size());
    if (buffer.role != BufferRole::output) {
      set_input(device, slot);
    }
  }
}

void Problem::set_input(const Device& device, Slot& slot) const {
  if (slot.buffer.file.empty()) {
    fill(slot, slot.memory);
    return;
  }
  write_array(slot.memory, slot.buffer.file, slot.buffer, slot.count);
  if (slot.buffer.is_written()) {
    slot.from_file = DeviceMemory(device, slot.memory.bytes());
    slot.from_file.copy(slot.memory);
  }
}

std::string Problem::identity(const Manifest& manifest, const Parameters& parameters) {
  std::string identity;
  for (const Buffer& buffer : manifest.buffers) {
    identity += buffer.file.empty() ? "" : identity_of(buffer.file);
    const auto count = std::llround(buffer.count.evaluate(parameters));
    const Filling filling = filling_of(buffer, parameters, static_cast<double>(count));
    identity +=
        fmt::format(" {} {} {} {} {} {} {} {}", buffer.name, buffer.element, static_cast<int>(buffer.role),
                    count, filling.first, filling.skew, filling.below, filling.ascending);
  }
  for (const Parameter& parameter : manifest.parameters) {
    // A value that goes to the launch alone changes how the result is made, not the result.
    if (parameter.is_of_problem() && parameter.where != ParameterPlace::launch) {
      identity += fmt::format(" {}={}", parameter.name, parameters.at(parameter.name));
    }
  }
  return identity;
}

Arguments Problem::arguments(const Manifest& manifest, const Parameters& parameters) const {
  return arguments(manifest, manifest.arguments, parameters, false);
}

Arguments Problem::arguments(const Manifest& manifest, const std::vector<Argument>& arguments,
                             const Parameters& parameters, bool reference) const {
  const auto memory = [&](const Slot& place) {
    return reference && place.buffer.is_written() ? place.reference.pointer() : place.memory.pointer();
  };
  Arguments result;
  for (const Argument& argument : arguments) {
    if (argument.type == "tensor_map") {
      const TensorMap& map = *std::ranges::find(manifest.tensor_maps, argument.name, &TensorMap::name);
      const Slot& place = slot(map.buffer);
      result.add(encode(device_->driver(), map, place.buffer, memory(place), parameters));
    } else {
      result.add_bytes(argument_bytes(argument, parameters,
                                      [&](const std::string& buffer) { return memory(slot(buffer)); }));
    }
  }
  return result;
}

const Problem::Slot& Problem::slot(const std::string& name) const {
  return *std::find_if(slots_.begin(), slots_.end(),
                       [&](const Slot& slot) { return slot.buffer.name == name; });
}

void Problem::expect(const Manifest& manifest, const Parameters& parameters) {
  if (!manifest.verify) {
    expected_.reset();
    return;
  }
  for (Slot& slot : slots_) {
    if (slot.buffer.is_written() && slot.reference.bytes() == 0) {
      slot.reference = DeviceMemory(*device_, slot.memory.bytes());
    }
  }
  if (manifest.verify->files.empty()) {
    run_reference(manifest, parameters);
  } else {
    read_reference(manifest);
  }
}

void Problem::read_reference(const Manifest& manifest) {
  Source source;
  for (const std::filesystem::path& file : manifest.verify->files) {
    source.contents += identity_of(file);
  }
  make_reference(source, [&] {
    auto file = manifest.verify->files.begin();
    for (const Slot& slot : slots_) {
      if (slot.buffer.is_written()) {
        write_array(slot.reference, *file++, slot.buffer, slot.count);
      }
    }
  });
}

// Macros and headers are part of the compiled kernel.
void Problem::run_reference(const Manifest& manifest, const Parameters& parameters) {
  const VerifyRule& rule = *manifest.verify;
  const Binary binary = compiler_->compile_reference(manifest, parameters, device_->gpu().cc);
  if (const auto reason = why_not_given(rule.arguments, binary.cubin, binary.symbol, rule.entry)) {
    throw Error(*reason);
  }
  const auto dim3 = [&](const std::array<Expression, 3>& sides) {
    return Dim3{side(sides[0], parameters), side(sides[1], parameters), side(sides[2], parameters)};
  };
  const Launch launch = rule.with_macros ? launch_of(manifest, parameters, device_->gpu().sm_count)
                                         : Launch{dim3(rule.grid), dim3(rule.block), 0};
  Arguments values = arguments(manifest, rule.arguments, parameters, true);
  make_reference({binary.symbol + binary.cubin, launch, values.bytes()}, [&] {
    for (const Slot& slot : slots_) {
      if (slot.buffer.role == BufferRole::in_out) {
        fill(slot, slot.reference);
      } else if (slot.buffer.is_written()) {
        slot.reference.fill_bytes(never_written);
      }
    }
    const Kernel kernel(*device_, binary.cubin, binary.symbol);
    Globals(*device_, kernel, binary.cubin, *helpers_, manifest, parameters).fill();
    try {
      kernel.launch(launch, values);
      device_->synchronize();
    } catch (const DriverError& error) {
      throw ReferenceFault(fmt::format("{} in {}", rule.entry, rule.source.filename().string()), error);
    }
  });
}

void Problem::make_reference(Source source, const std::function<void()>& make) {
  if (expected_ == source) {
    return;
  }
  expected_.reset();
  make();
  expected_ = std::move(source);
}

void Problem::fill(const Slot& slot, const DeviceMemory& memory) const {
  if (slot.from_file.bytes() > 0) {
    memory.copy(slot.from_file);
  } else {
    helpers_->fill(memory, slot.buffer.element, slot.count, slot.filling);
  }
}

void Problem::restore_inputs() const {
  for (const Slot& slot : slots_) {
    if (slot.buffer.role == BufferRole::in_out) {
      fill(slot, slot.memory);
    }
  }
}

void Problem::reset_outputs() const {
  restore_inputs();
  for (const Slot& slot : slots_) {
    if (slot.buffer.role == BufferRole::output) {
      slot.memory.fill_bytes(never_written);
    }
  }
}

Tolerance Problem::tolerance(const Slot& slot, const VerifyRule& rule, const Parameters& parameters) const {
  const std::string& element = slot.buffer.element;
  const bool is_stated = rule.tolerance || rule.relative_tolerance;
  const double scale =
      is_stated || !is_floating_point(element) ? 0 : helpers_->scale(slot.reference, element, slot.count);
  return tolerance_of(rule, parameters, element, scale);
}

Verification Problem::verify(const Slot& slot, const VerifyRule& rule, const Parameters& parameters) const {
  const std::string& element = slot.buffer.element;
  const Tolerance allowed = tolerance(slot, rule, parameters);
  Verification found = helpers_->compare(slot.memory, slot.reference, element, slot.count, allowed);
  if (found.passed) {
    return found;
  }
  found.sentence = slot.buffer.name + ": " + found.sentence;
  found.wrong = helpers_->wrong_in(slot.memory, slot.reference, element, slot.count, allowed, slot.row_length);
  if (found.wrong) {
    found.wrong->buffer = slot.buffer.name;
    found.sentence +=
        fmt::format("; {} of {} elements {} wrong", rooftile::count(static_cast<double>(found.wrong->wrong)),
                    rooftile::count(static_cast<double>(slot.count)), found.wrong->wrong == 1 ? "is" : "are");
  }
  return found;
}

std::optional<Verification> Problem::verify(const Manifest& manifest, const Parameters& parameters) const {
  std::optional<Verification> worst;
  for (const Slot& slot : slots_) {
    if (!expected_ || !slot.buffer.is_written()) {
      continue;
    }
    Verification found = verify(slot, *manifest.verify, parameters);
    if (!found.passed) {
      return found;
    }
    if (!worst || found.largest_error > worst->largest_error) {
      worst = std::move(found);
    }
  }
  return worst;
}

}  // namespace rooftile::worker
