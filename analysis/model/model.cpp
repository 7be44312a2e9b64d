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

constexpr double bytes_of_wavefront = bank_count * bank_bytes;

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

std::int64_t whole(const Expression::Bound& expression, double lowest, double highest,
                   const std::string& what) {
  return whole(expression.evaluate(), lowest, highest, [&](const std::string& value) {
    return fmt::format("{}: \"{}\" is {} here", what, expression.text(), value);
  });
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

// True where one access lies whole rows of banks behind the other: the usual case, and quick to see.
bool meet_the_same_banks(const LaneAddresses& one, const LaneAddresses& other) {
  constexpr auto row = static_cast<std::int64_t>(bytes_of_wavefront);
  const std::int64_t apart = other[0].value_or(0) - one[0].value_or(0);
  for (std::size_t lane = 0; lane < one.size(); ++lane) {
    if (one[lane].has_value() != other[lane].has_value() ||
        other[lane].value_or(apart) - one[lane].value_or(0) != apart) {
      return false;
    }
  }
  return apart % row == 0;
}

std::int64_t warps_of_block(const Launch& launch) {
  return (launch.block.count() + warp_size - 1) / warp_size;
}

class AccessModeller {
 public:
  AccessModeller(const Manifest& manifest, const Parameters& parameters, const Launch& launch)
      : manifest_(manifest), launch_(launch), thread_values_(parameters), launch_values_(parameters) {
    launch_values_["blocks"] = static_cast<double>(launch.grid.count());
    launch_values_["warps"] = launch_values_["blocks"] * static_cast<double>(warps_of_block(launch));
    launch_values_["threads"] = launch_values_["blocks"] * static_cast<double>(launch.block.count());
  }

  AccessModel operator()(const SharedAccess& access) {
    const std::string what = fmt::format("{}: \"{}\"", manifest_.name, access.name);
    AccessModel result;
    result.name = access.name;
    result.array = access.array;
    result.store = access.store;
    result.width_bytes =
        access.element_bytes * static_cast<int>(whole(access.vector_elements, launch_values_, 1, 16, what));
    const Expression::Bound index = access.index.over(thread_values_);
    const auto addresses_of = [&](std::int64_t warp) {
      const LaneAddresses found = addresses(index, access.element_bytes, warp, largest_shared, what);
      expect_aligned(access, found, result.width_bytes);
      return found;
    };
    result.addresses = addresses_of(0);
    result.pattern = bank_pattern(result.addresses, result.width_bytes, result.store);
    result.requests = amount(access.requests, launch_values_, what);
    result.wavefronts = result.requests * mean_wavefronts(result, addresses_of);
    return result;
  }

  AtomicModel operator()(const Atomic& atomic) const {
    return {atomic.name,
            atomic.place,
            atomic.lanes,
            std::max(1.0, atomic.addresses.evaluate(launch_values_)),
            std::clamp(atomic.same.evaluate(launch_values_), 0.0, 1.0),
            std::clamp(atomic.active.evaluate(launch_values_), 0.0, 1.0),
            atomic.requests.evaluate(launch_values_)};
  }

  GlobalAccessModel operator()(const GlobalAccess& access) {
    const std::string what = fmt::format("{}: \"{}\"", manifest_.name, access.name);
    const int width =
        access.element_bytes * static_cast<int>(whole(access.vector_elements, launch_values_, 1, 16, what));
    const Expression::Bound index = access.index.over(thread_values_);
    const std::int64_t warps = std::min<std::int64_t>(warps_of_block(launch_), sampled_warps);
    const bool store = access.kind == GlobalAccessKind::store;
    GlobalAccessModel result{.name = access.name,
                             .kind = access.kind,
                             .width_bytes = width,
                             .requests = access.requests.evaluate(launch_values_)};
    const double each = result.requests / static_cast<double>(warps);
    LaneAddresses last;  // the last addresses that were looked at
    Coalescing met;
    for (std::int64_t warp = 0; warp < warps; ++warp) {
      const LaneAddresses here = addresses(index, access.element_bytes, warp, largest_global, what);
      if (warp == 0) {
        result.addresses = here;
      }
      if (warp == 0 || !meet_the_same_banks(last, here)) {
        met = coalescing(here, width, store);
        last = here;
      }
      result.sectors += each * met.sectors;
      result.lines += each * met.lines;
      result.partial_sectors += each * met.partial_sectors;
      result.cycles += each * met.cycles;
    }
    return result;
  }

 private:
  static constexpr std::int64_t sampled_warps = 8;  // of a block: their patterns on lines repeat soon
  static constexpr double largest_shared = 1 << 24, largest_global = 1e15;  // elements, far beyond any memory

  double mean_wavefronts(const AccessModel& first, const auto& addresses_of) const {
    const std::int64_t warps = warps_of_block(launch_);
    std::int64_t sum = first.pattern.wavefronts;
    for (std::int64_t warp = 1; warp < warps; ++warp) {
      const LaneAddresses of_warp = addresses_of(warp);
      sum += meet_the_same_banks(first.addresses, of_warp)
                 ? first.pattern.wavefronts
                 : bank_pattern(of_warp, first.width_bytes, first.store).wavefronts;
    }
    return static_cast<double>(sum) / static_cast<double>(warps);
  }

  LaneAddresses addresses(const Expression::Bound& index, int element_bytes, std::int64_t warp,
                          double largest_index, const std::string& what) {
    LaneAddresses addresses;
    for (int lane = 0; lane < warp_size; ++lane) {
      const std::int64_t thread = warp * warp_size + lane;
      if (thread < launch_.block.count()) {
        place(thread);
        addresses[static_cast<std::size_t>(lane)] = element_bytes * whole(index, 0, largest_index, what);
      }
    }
    return addresses;
  }

  // A compiler merges no loads that lie otherwise; a vector that the source asks for would end the launch.
  void expect_aligned(const SharedAccess& access, const LaneAddresses& addresses, int width_bytes) const {
    for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
      if (addresses[lane].value_or(0) % width_bytes != 0) {
        throw Error(
            fmt::format("\"{}\" moves {} bytes per lane, lane {} from byte {} of its array{}: that must be a "
                        "multiple of {}, "
                        "else the GPU ends the launch. Choose other dials, or a smaller vector.",
                        access.name, width_bytes, lane, count(static_cast<double>(*addresses[lane])),
                        set_by(std::span(&access.index, 1), launch_values_), width_bytes));
      }
    }
  }

  void place(std::int64_t thread) {
    const auto [x, y, z] = launch_.block;
    const auto of_block = static_cast<int>(thread);  // of 1,024 at most: divided in a quarter of the time
    tx_ = of_block % x;
    ty_ = of_block / x % y;
    tz_ = of_block / x / y;
    lane_ = of_block % warp_size;
    warp_ = of_block / warp_size;
  }

  const Manifest& manifest_;
  const Launch& launch_;
  Parameters thread_values_, launch_values_;
  // Set for thousands of lanes while a slider moves, so they are looked up once.
  double& tx_ = thread_values_["tx"];
  double& ty_ = thread_values_["ty"];
  double& tz_ = thread_values_["tz"];
  double& lane_ = thread_values_["lane"];
  double& warp_ = thread_values_["warp"];
};

Bytes shared_traffic(const std::vector<AccessModel>& accesses) {
  Bytes sum;
  for (const AccessModel& access : accesses) {
    sum += Bytes{bytes_of_wavefront * access.wavefronts};
  }
  return sum;
}

}  // namespace

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
  AccessModeller access_model(manifest, parameters, model.launch);
  for (const SharedAccess& access : manifest.shared_accesses) {
    model.accesses.push_back(access_model(access));
  }
  if (!model.accesses.empty()) {
    model.bytes[MemoryLevel::shared] = shared_traffic(model.accesses);
  }
  for (const GlobalAccess& access : manifest.global_accesses) {
    model.global_accesses.push_back(access_model(access));
  }
  for (const Atomic& atomic : manifest.atomics) {
    model.atomics.push_back(access_model(atomic));
  }
  if (manifest.waits) {
    model.rounds = manifest.waits->rounds.evaluate(parameters);
    model.ahead = manifest.waits->ahead.evaluate(parameters);
  }
  model.of_library = !manifest.library.empty();
  model.by_mma = is_tensor(manifest.pipe) && !manifest.architecture_specific && !model.of_library;
  if (is_read_from_code(manifest)) {
    model.is_bound = true;
    model.origin = "what its kernel.toml states alone";
  }
  return model;
}

std::optional<double> Model::wavefronts() const {
  const auto in_shared = [](const AtomicModel& atomic) { return atomic.place != AtomicPlace::global; };
  if (accesses.empty() || std::ranges::any_of(atomics, in_shared)) {
    return std::nullopt;
  }
  double sum = 0;
  for (const AccessModel& access : accesses) {
    sum += access.wavefronts;
  }
  return sum;
}

std::optional<double> Model::sectors_per_request() const {
  const auto in_global = [](const AtomicModel& atomic) { return atomic.place == AtomicPlace::global; };
  double sectors = 0, requests = 0;
  for (const GlobalAccessModel& access : global_accesses) {
    sectors += access.sectors;
    requests += access.requests;
  }
  return requests > 0 && std::ranges::none_of(atomics, in_global) ? std::optional(sectors / requests)
                                                                  : std::nullopt;
}

bool is_read_from_code(const Manifest& manifest) {
  return manifest.library.empty() && manifest.global_accesses.empty();
}

Model stated_model(const Manifest& manifest, const Parameters& parameters, const Gpu& gpu) {
  return model(manifest, parameters, gpu.sm_count);
}

}  // namespace rooftile
