#include "analysis/ptx/work/manifest_launch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "analysis/model/argument_bytes.hpp"
#include "analysis/model/filling.hpp"
#include "analysis/model/model.hpp"
#include "analysis/ptx/run/fill.hpp"

namespace rooftile::ptx {
namespace {

// In the order of the parameters of a C function, each at a multiple of its alignment.
class ArgumentBytes {
 public:
  void add(const std::string& bytes, std::size_t alignment) {
    all_.resize((all_.size() + alignment - 1) / alignment * alignment);
    all_ += bytes;
  }
  const std::string& bytes() const { return all_; }

 private:
  std::string all_;
};

// CUDA aligns its vectors, such as float2 and float4, as a whole; C aligns a struct as its largest member.
std::size_t alignment_of(const Argument& argument) {
  constexpr std::size_t of_tensor_map = 64, most_of_vector = 16;
  const auto bytes = static_cast<std::size_t>(bytes_of(argument));
  if (argument.type != "struct") {
    return std::min(bytes, of_tensor_map);
  }
  std::size_t largest = 1;
  for (const Argument& member : argument.members) {
    largest = std::max(largest, alignment_of(member));
  }
  const bool alike = std::ranges::all_of(argument.members, [&](const Argument& member) {
    return member.type != "buffer" && member.type == argument.members.front().type;
  });
  return alike && std::has_single_bit(bytes) ? std::min(bytes, most_of_vector) : largest;
}

// The values that the worker fills in. Empty where a file holds them.
Elements elements_of(const Buffer& buffer, const Filling& filling, std::uint64_t count, std::size_t seed) {
  if (!buffer.file.empty()) {
    return {};
  }
  const Fill fill{buffer.element,    count,        filling.below,
                  filling.ascending, filling.skew, static_cast<std::uint32_t>(seed),
                  filling.first};
  const std::uint64_t cut =
      buffer.element_bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * buffer.element_bytes) - 1;
  return [fill, cut](std::uint64_t i) { return element_of(fill, i) & cut; };
}

// Its seed is its position, from 1.
DeviceBuffer device_buffer(const Buffer& buffer, const Parameters& parameters, std::size_t place) {
  const auto count = static_cast<std::uint64_t>(std::llround(buffer.count.evaluate(parameters)));
  return {
      buffer.name, count * static_cast<std::uint64_t>(buffer.element_bytes), buffer.element_bytes,
      buffer.role == BufferRole::output
          ? Elements{}
          : elements_of(buffer, filling_of(buffer, parameters, static_cast<double>(count)), count, place + 1)};
}

// Only the program knows how many elements it has. Its formulas are evaluated here, not where the code is read.
FilledVariable filled_variable(const Buffer& global, const Parameters& parameters, std::size_t seed) {
  const Filling filling = filling_of(global, parameters, 1);
  return {global.name, global.element_bytes, [=](std::uint64_t count) {
            Filling of_all = filling;
            of_all.below = global.fill == FillKind::range ? static_cast<double>(count) : filling.below;
            return elements_of(global, of_all, count, seed);
          }};
}

TensorMapOfLaunch map_of_launch(const Manifest& manifest, const TensorMap& map, const Parameters& parameters,
                                std::size_t argument) {
  const auto buffer = std::ranges::find(manifest.buffers, map.buffer, &Buffer::name);
  const auto whole = [&](const Expression& value) { return std::llround(value.evaluate(parameters)); };
  return {argument,
          static_cast<std::size_t>(buffer - manifest.buffers.begin()),
          whole(map.rows),
          whole(map.columns),
          whole(map.row_stride),
          whole(map.box_rows),
          whole(map.box_columns),
          buffer->element_bytes};
}

}  // namespace

ProgramLaunch program_launch(const Manifest& manifest, const Parameters& parameters, int sm_count) {
  ProgramLaunch launch;
  launch.launch = launch_of(manifest, parameters, sm_count);
  for (const Buffer& buffer : manifest.buffers) {
    launch.buffers.push_back(device_buffer(buffer, parameters, launch.buffers.size()));
  }
  for (const Buffer& global : manifest.globals) {
    const std::size_t seed = launch.buffers.size() + launch.variables.size() + 1;
    if (global.fill != FillKind::none) {
      launch.variables.push_back(filled_variable(global, parameters, seed));
    }
  }
  const auto address = [&](const std::string& buffer) {
    const auto found = std::ranges::find(manifest.buffers, buffer, &Buffer::name);
    return buffer_address(static_cast<std::size_t>(found - manifest.buffers.begin()));
  };
  ArgumentBytes arguments;
  for (const Argument& argument : manifest.arguments) {
    const auto map = argument.type == "tensor_map"
                         ? std::ranges::find(manifest.tensor_maps, argument.name, &TensorMap::name)
                         : manifest.tensor_maps.end();
    const bool is_map = map != manifest.tensor_maps.end();
    arguments.add(is_map ? std::string(static_cast<std::size_t>(bytes_of(argument)), '\0')
                         : argument_bytes(argument, parameters, address),
                  alignment_of(argument));
    if (is_map) {
      const std::size_t at = arguments.bytes().size() - static_cast<std::size_t>(bytes_of(argument));
      launch.maps.push_back(map_of_launch(manifest, *map, parameters, at));
    }
  }
  launch.arguments = arguments.bytes();
  return launch;
}

}  // namespace rooftile::ptx
