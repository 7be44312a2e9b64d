#include "analysis/model/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

// Programming guide, "Technical Specifications per Compute Capability": the same for every one so far.
constexpr int most_threads_of_block = 1024;
constexpr int most_threads_along_z = 64;
constexpr int most_blocks_along_y_or_z = 65535;
constexpr int most_blocks_of_cluster = 16;  // above 8 only where a kernel asks for it, as ours do

using Why = std::optional<std::string>;

std::string parenthesised(const Parameters& values) {
  return values.empty() ? "" : " (" + text(values) + ")";
}

// A double, since three sides that are each legal may have a product beyond any integer.
double volume(const Dim3& sides) {
  return double{1} * sides.x * sides.y * sides.z;
}

Why why_no_block(const Manifest& manifest, const Parameters& parameters, const Dim3& block) {
  if (volume(block) > most_threads_of_block) {
    return fmt::format("A block has {} threads{}; a GPU launches at most {}.", count(volume(block)),
                       set_by(manifest.block, parameters), count(most_threads_of_block));
  }
  if (block.z > most_threads_along_z) {
    return fmt::format("A block has {} threads along z{}; a GPU launches at most {}.", count(block.z),
                       set_by(manifest.block, parameters), most_threads_along_z);
  }
  return {};
}

Why why_no_grid(const Manifest& manifest, const Parameters& parameters, const Dim3& grid) {
  for (const auto& [axis, blocks] : {std::pair("y", grid.y), std::pair("z", grid.z)}) {
    if (blocks > most_blocks_along_y_or_z) {
      return fmt::format("The grid has {} blocks along {}{}; a GPU launches at most {} there.", count(blocks),
                         axis, set_by(manifest.grid, parameters), count(most_blocks_along_y_or_z));
    }
  }
  return {};
}

Why why_no_offset(const Manifest& manifest, const Parameters& parameters,
                  const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    if (argument.type == "struct") {
      if (Why why = why_no_offset(manifest, parameters, argument.members)) {
        return why;
      }
    }
    const double offset = argument.type == "buffer" ? argument.value.evaluate(parameters) : 0;
    if (offset == 0) {
      continue;
    }
    const Buffer& buffer = *std::ranges::find(manifest.buffers, argument.name, &Buffer::name);
    if (offset < 0 || offset > buffer.element_bytes * buffer.count.evaluate(parameters)) {
      return fmt::format("The offset of {} bytes lies outside of {}{}.", number(offset), argument.name,
                         set_by(std::span(&argument.value, 1), parameters));
    }
  }
  return {};
}

Why why_no_cluster(const Manifest& manifest, const Parameters& parameters, const Launch& launch) {
  const auto extents = [](const Dim3& d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); };
  const Dim3 &grid = launch.grid, &cluster = launch.cluster;
  if (volume(cluster) > most_blocks_of_cluster) {
    return fmt::format("A cluster has {} blocks{}; a GPU launches at most {}.", count(volume(cluster)),
                       set_by(manifest.cluster, parameters), most_blocks_of_cluster);
  }
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return fmt::format("A grid of {} blocks{} is no multiple of its clusters of {}{}: round it up.",
                       extents(grid), set_by(manifest.grid, parameters), extents(cluster),
                       set_by(manifest.cluster, parameters));
  }
  return {};
}

// The least value, and the first value beyond what the type holds.
struct Bounds {
  double least, beyond;
};

std::optional<Bounds> bounds_of(const std::string& type) {
  constexpr std::pair<std::string_view, Bounds> bounds[] = {{"char", {-128, 256}},  // either signed or not
                                                            {"short", {-32768, 65536}},
                                                            {"int", {-0x1p31, 0x1p31}},
                                                            {"long_long", {-0x1p63, 0x1p63}}};
  const auto found = std::ranges::find(bounds, type, &std::pair<std::string_view, Bounds>::first);
  return found != std::end(bounds) ? std::optional(found->second) : std::nullopt;
}

Why why_no_argument(const Argument& argument, const Parameters& parameters) {
  for (const Argument& member : argument.members) {
    if (auto why = why_no_argument(member, parameters)) {
      return why;
    }
  }
  const auto bounds = bounds_of(argument.type);
  const double value = bounds ? argument.value.evaluate(parameters) : 0;
  if (!bounds || (value >= bounds->least && value < bounds->beyond)) {
    return {};
  }
  return fmt::format("The argument \"{}\" is {}{}, which no {} holds{}.", argument.value.text(), count(value),
                     set_by(std::span(&argument.value, 1), parameters), argument.type,
                     argument.type == "int" ? ": make it a long_long, here and in the kernel" : "");
}

Why why_no_arguments(const std::vector<Argument>& arguments, const Parameters& parameters) {
  for (const Argument& argument : arguments) {
    if (auto why = why_no_argument(argument, parameters)) {
      return why;
    }
  }
  return {};
}

Why why_no_buffer(const Buffer& buffer, const Parameters& parameters) {
  constexpr double largest = 0x1p48;  // bytes that a GPU can address
  const double elements = std::round(buffer.count.evaluate(parameters));
  if (elements >= 1 && elements * buffer.element_bytes <= largest) {
    return {};
  }
  return fmt::format("The buffer {} has {} elements{}: \"{}\" must give 1 or more, and fit into memory.",
                     buffer.name, count(elements), set_by(std::span(&buffer.count, 1), parameters),
                     buffer.count.text());
}

Why why_no_buffers(const std::vector<Buffer>& buffers, const Parameters& parameters) {
  for (const Buffer& buffer : buffers) {
    if (auto why = why_no_buffer(buffer, parameters)) {
      return why;
    }
  }
  return {};
}

// Words of a sentence on the values behind each resource; nothing for a block without a kernel.
struct Causes {
  std::string threads, registers, shared;
};

Why why_too_much_shared(const BlockResources& block, const Gpu& gpu, const Causes& causes) {
  const double asked = static_cast<double>(block.static_shared_bytes) + block.dynamic_shared_bytes;
  if (asked <= gpu.sm.shared_bytes_per_block_optin) {
    return {};
  }
  return fmt::format("A block asks for {} B of shared memory{}; the {} allows it {} B.", count(asked),
                     causes.shared, gpu.name, count(gpu.sm.shared_bytes_per_block_optin));
}

Why why_no_place(const BlockResources& block, const Gpu& gpu, const BlockLimit& limit, const Causes& causes) {
  if (limit.limiter == Limiter::warps) {
    return fmt::format("A block has {} threads{}; the {} launches from 1 to {}.", count(block.threads),
                       causes.threads, gpu.name, count(most_threads_of_block));
  }
  if (limit.limiter == Limiter::registers) {
    return fmt::format(
        "A block of {} threads with {} registers per thread{} takes more than the {} registers of an SM of the "
        "{}: choose smaller blocks, or fewer registers with __launch_bounds__.",
        count(block.threads), count(block.registers_per_thread), causes.registers, count(gpu.sm.registers),
        gpu.name);
  }
  return fmt::format("No block fits on an SM of the {}, limited by {}.", gpu.name, title(limit.limiter));
}

Why why_unfit(const BlockResources& block, const Gpu& gpu, const Causes& causes) {
  const Occupancy fit = occupancy(block, gpu.sm);
  if (fit.max_warps == 0) {
    return fmt::format("The limits of an SM of the {}, compute capability {}, are not known.", gpu.name,
                       text(gpu.cc));
  }
  if (auto why = why_too_much_shared(block, gpu, causes)) {
    return why;
  }
  for (const BlockLimit& limit : fit.limits) {
    if (limit.blocks == 0) {
      return why_no_place(block, gpu, limit, causes);
    }
  }
  return {};
}

Why why_no_clusters(const Launch& launch, const Gpu& gpu) {
  if (launch.cluster.count() == 1 || closest_architecture(gpu.cc).clusters) {
    return {};
  }
  return fmt::format("The kernel launches clusters; the {}, compute capability {}, has none.", gpu.name,
                     text(gpu.cc));
}

// The blocks of a cooperative launch wait for each other.
Why why_not_all_resident(const Manifest& manifest, const Parameters& parameters, const Launch& launch,
                         const std::optional<Compiled>& compiled, const Gpu& gpu) {
  const std::int64_t resident =
      compiled && launch.cooperative
          ? std::int64_t{occupancy(resources_of(launch, compiled), gpu.sm).blocks} * gpu.sm_count
          : launch.grid.count();
  if (launch.grid.count() <= resident) {
    return {};
  }
  return fmt::format(
      "A cooperative launch needs all of its {} blocks{} resident at once; the {} holds {} of them.",
      count(static_cast<double>(launch.grid.count())), set_by(manifest.grid, parameters), gpu.name,
      count(static_cast<double>(resident)));
}

// Registers and static shared memory depend on whatever the source makes of its macros and template arguments.
Causes causes_of(const Manifest& manifest, const Parameters& parameters, const Launch& launch,
                 const std::optional<Compiled>& compiled) {
  Parameters compiled_values;
  for (const Parameter& parameter : manifest.parameters) {
    const auto value = parameters.find(parameter.name);
    if (parameter.is_compiled() && value != parameters.end()) {
      compiled_values.insert(*value);
    }
  }
  const bool mostly_dynamic = launch.dynamic_shared_bytes >= compiled.value_or(Compiled{}).static_shared_bytes;
  return {set_by(manifest.block, parameters), parenthesised(compiled_values),
          mostly_dynamic ? set_by(std::span(&manifest.dynamic_shared_bytes, 1), parameters)
                         : parenthesised(compiled_values)};
}

}  // namespace

std::string set_by(std::span<const Expression> expressions, const Parameters& parameters) {
  Parameters values;
  for (const Expression& expression : expressions) {
    for (const std::string& name : expression.names()) {
      if (const auto value = parameters.find(name); value != parameters.end()) {
        values.insert(*value);
      }
    }
  }
  return parenthesised(values);
}

std::optional<std::string> why_unlaunchable(const Manifest& manifest, const Parameters& parameters,
                                            const Launch& launch) {
  Why why = why_no_block(manifest, parameters, launch.block);
  why = why ? why : why_no_grid(manifest, parameters, launch.grid);
  why = why ? why : why_no_cluster(manifest, parameters, launch);
  why = why ? why : why_no_arguments(manifest.arguments, parameters);
  why = why || !manifest.verify ? why : why_no_arguments(manifest.verify->arguments, parameters);
  return why ? why : why_no_buffers(manifest.buffers, parameters);
}

std::optional<std::string> why_unfit(const BlockResources& block, const Gpu& gpu) {
  return why_unfit(block, gpu, Causes{});
}

std::optional<std::string> why_unfit(const Manifest& manifest, const Parameters& parameters,
                                     const Launch& launch, const std::optional<Compiled>& compiled,
                                     const Gpu& gpu) {
  if (!manifest.library.empty()) {
    return why_unfit(manifest, gpu.cc);
  }
  Why why = why_unfit(manifest, gpu.cc);
  why = why ? why : why_no_offset(manifest, parameters, manifest.arguments);
  why = why ? why : why_no_clusters(launch, gpu);
  const BlockResources block = resources_of(launch, compiled);
  const bool fits = !why_unfit(block, gpu);  // the usual case, in which nobody asks for causes
  why = why || fits ? why : why_unfit(block, gpu, causes_of(manifest, parameters, launch, compiled));
  return why ? why : why_not_all_resident(manifest, parameters, launch, compiled, gpu);
}

}  // namespace rooftile
