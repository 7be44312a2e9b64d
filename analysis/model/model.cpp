#include "analysis/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/model/coalescing.hpp"
#include "analysis/model/fit.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

// Expressions are arithmetic of doubles; a launch needs whole numbers. describe: what the value is, called only
// for a message.
std::int64_t whole(double value, double lowest, double highest, const auto& describe) {
  const bool in_range = value >= lowest && value <= highest;  // then it fits its type as well
  if (!in_range || static_cast<double>(static_cast<std::int64_t>(value)) != value) {
    throw Error(fmt::format("{}; expected a whole number from {} to {}", describe(number(value)),
                            number(lowest), count(highest)));
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t whole(const Expression& expression, const Parameters& values, double lowest, double highest,
                   const std::string& what) {
  return whole(expression.evaluate(values), lowest, highest, [&](const std::string& value) {
    return fmt::format("{}: \"{}\" is {}{}", what, expression.text(), value,
                       set_by(std::span(&expression, 1), values));
  });
}

double amount(const Expression& expression, const Parameters& values, const std::string& what) {
  const double value = expression.evaluate(values);
  if (!an_amount.holds(value)) {
    throw Error(fmt::format("{}: \"{}\" is {}{}; expected a number{}", what, expression.text(), number(value),
                            set_by(std::span(&expression, 1), values), text(an_amount)));
  }
  return value;
}

std::optional<int> carveout_of(const Manifest& manifest, const Parameters& values) {
  constexpr double drivers_choice = -1, most = 100;
  const auto percent =
      manifest.carveout ? whole(*manifest.carveout, values, drivers_choice, most, manifest.name + ": carveout")
                        : -1;
  return percent >= 0 ? std::optional(static_cast<int>(percent)) : std::nullopt;
}

Dim3 shape(const std::array<Expression, 3>& extents, const Parameters& values, const std::string& what) {
  const auto extent = [&](std::size_t i) {
    return static_cast<int>(whole(extents[i], values, 1, std::numeric_limits<int>::max(), what));
  };
  return {extent(0), extent(1), extent(2)};
}

}  // namespace

double warps_of(const Launch& launch) {
  return static_cast<double>(launch.grid.count() * ((launch.block.count() + warp_size - 1) / warp_size));
}

Dim3 block_of(const Manifest& manifest, const Parameters& parameters) {
  return shape(manifest.block, parameters, manifest.name + ": block");
}

Dim3 cluster_of(const Manifest& manifest, const Parameters& parameters) {
  return shape(manifest.cluster, parameters, manifest.name + ": cluster");
}

Launch launch_of(const Manifest& manifest, const Parameters& given, int sm_count) {
  Parameters parameters = given;
  parameters["sms"] = sm_count;
  const Launch launch = {
      shape(manifest.grid, parameters, manifest.name + ": grid"),
      block_of(manifest, parameters),
      static_cast<int>(whole(manifest.dynamic_shared_bytes, parameters, 0, std::numeric_limits<int>::max(),
                             manifest.name + ": dynamic_shared_bytes")),
      cluster_of(manifest, parameters),
      carveout_of(manifest, parameters),
      manifest.cooperative};
  if (const auto why = why_unlaunchable(manifest, parameters, launch)) {
    throw Error(*why);
  }
  return launch;
}

Model model(const Manifest& manifest, const Parameters& given, int sm_count) {
  Parameters parameters = given;
  parameters["sms"] = sm_count;
  Model model;
  model.launch = launch_of(manifest, given, sm_count);
  if (manifest.flops) {
    model.flops = Flops{amount(*manifest.flops, parameters, manifest.name + ": flops")};
  }
  model.states_work = manifest.states_work;
  model.pipe = manifest.pipe;
  model.elements = amount(manifest.elements, parameters, manifest.name + ": elements");
  model.compulsory_dram =
      Bytes{amount(manifest.compulsory_dram_bytes, parameters, manifest.name + ": compulsory_dram_bytes")};
  for (const MemoryLevel level : memory_levels) {
    if (const auto& bytes = manifest.bytes[static_cast<std::size_t>(level)]) {
      model.bytes[level] =
          Bytes{amount(*bytes, parameters, fmt::format("{}: {}_bytes", manifest.name, key(level)))};
    }
  }
  model.of_library = !manifest.library.empty();
  model.by_mma = is_tensor(manifest.pipe) && !manifest.architecture_specific && !model.of_library;
  model.is_bound = is_read_from_code(manifest);
  return model;
}

std::optional<double> Model::wavefronts() const {
  double sum = 0;
  for (const AccessModel& access : accesses) {
    sum += access.wavefronts;
  }
  return accesses.empty() ? std::nullopt : std::optional(sum);
}

std::optional<double> Model::sectors_per_request() const {
  const bool adds = std::ranges::any_of(atomics, [](const AtomicModel& each) { return !each.on_other_blocks; });
  double sectors = 0, requests = 0;
  for (const GlobalAccessModel& access : global_accesses) {
    sectors += access.sectors;
    requests += access.requests;
  }
  return requests > 0 && !adds ? std::optional(sectors / requests) : std::nullopt;
}

bool is_read_from_code(const Manifest& manifest) {
  return manifest.library.empty();
}

Model stated_model(const Manifest& manifest, const Parameters& parameters, const Gpu& gpu) {
  return model(manifest, parameters, gpu.sm_count);
}

}  // namespace rooftile
