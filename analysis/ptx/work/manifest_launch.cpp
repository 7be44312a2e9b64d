#include "analysis/ptx/work/manifest_launch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "analysis/model/model.hpp"
#include "analysis/ptx/run/fill.hpp"

namespace rooftile::ptx {
namespace {

// In the order of the parameters of a C function: each at a multiple of its size.
class ArgumentBytes {
 public:
  void add(std::uint64_t bits, std::size_t bytes, std::size_t alignment) {
    all_.resize((all_.size() + alignment - 1) / alignment * alignment);
    for (std::size_t i = 0; i < bytes; ++i) {
      all_.push_back(static_cast<char>(i < sizeof bits ? bits >> (8 * i) : 0));
    }
  }
  void add_scalar(const std::string& type, double value) {
    const auto whole = static_cast<std::uint64_t>(std::llround(value));
    if (type == "float") {
      add(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4, 4);
    } else if (type == "double") {
      add(std::bit_cast<std::uint64_t>(value), 8, 8);
    } else if (type == "half" || type == "bfloat16") {
      add(number_bits(type, value), 2, 2);
    } else {
      const std::size_t bytes = type == "char" ? 1 : type == "short" ? 2 : type == "int" ? 4 : 8;
      add(whole, bytes, bytes);
    }
  }
  const std::string& bytes() const { return all_; }

 private:
  std::string all_;
};

// The buffer with the values that the worker fills in. Its seed is its position, from 1.
DeviceBuffer device_buffer(const Buffer& buffer, const Parameters& parameters, std::size_t place) {
  Fill fill{buffer.element,
            static_cast<std::uint64_t>(std::llround(buffer.count.evaluate(parameters))),
            0,
            buffer.ascending,
            buffer.skew.evaluate(parameters),
            static_cast<std::uint32_t>(place + 1)};
  fill.below = buffer.below ? buffer.below->evaluate(parameters) : 0;
  DeviceBuffer made{
      buffer.name, fill.count * static_cast<std::uint64_t>(buffer.element_bytes), buffer.element_bytes, {}};
  const bool known = buffer.role != BufferRole::output && buffer.file.empty();
  const std::uint64_t cut =
      buffer.element_bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * buffer.element_bytes) - 1;
  if (known) {
    made.element = [fill, cut](std::uint64_t i) { return element_of(fill, i) & cut; };
  }
  return made;
}

}  // namespace

ProgramLaunch program_launch(const Manifest& manifest, const Parameters& parameters, int sm_count) {
  ProgramLaunch launch;
  launch.launch = launch_of(manifest, parameters, sm_count);
  for (const Buffer& buffer : manifest.buffers) {
    launch.buffers.push_back(device_buffer(buffer, parameters, launch.buffers.size()));
  }
  ArgumentBytes arguments;
  for (const Argument& argument : manifest.arguments) {
    if (argument.type == "buffer") {
      const auto found = std::ranges::find(manifest.buffers, argument.name, &Buffer::name);
      arguments.add(buffer_address(static_cast<std::size_t>(found - manifest.buffers.begin())), 8, 8);
    } else if (argument.type == "tensor_map") {
      constexpr std::size_t map_bytes = 128, map_alignment = 64;
      arguments.add(0, map_bytes, map_alignment);
    } else {
      arguments.add_scalar(argument.type, argument.value.evaluate(parameters));
    }
  }
  launch.arguments = arguments.bytes();
  return launch;
}

}  // namespace rooftile::ptx
