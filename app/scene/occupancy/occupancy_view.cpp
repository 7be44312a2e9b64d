#include "app/scene/occupancy/occupancy_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/format.hpp"
#include "analysis/verdict/diagnosis.hpp"
#include "analysis/verdict/idle_warps.hpp"

namespace rooftile::scene {
namespace {

constexpr int largest_cluster = 16;  // blocks

std::string blocks_text(int blocks) {
  return counted(blocks, "block");
}

std::string fill_sentence(const Point& point, const Occupancy& occupancy) {
  return fmt::format("{} of {} threads fill{} one SM", blocks_text(occupancy.blocks),
                     count(static_cast<double>(point.launch.block.count())), occupancy.blocks == 1 ? "s" : "");
}

std::string amount(Limiter limiter, std::int64_t value) {
  const auto whole = static_cast<double>(value);
  switch (limiter) {
    case Limiter::warps:
      return count(whole) + " threads";
    case Limiter::registers:
      return count(whole) + " registers";
    case Limiter::shared_memory:
      return kibibytes(whole);
    case Limiter::block_slots:
      return count(whole) + " slots";
    case Limiter::barriers:
      break;
  }
  return count(whole) + " barriers";
}

std::vector<std::string> facts_of(const BlockLimit& limit, int resident) {
  const auto of = [&](std::int64_t value) { return amount(limit.limiter, value); };
  std::vector<std::string> facts = {fmt::format("{} of one SM: {}", title(limit.limiter), of(limit.capacity)),
                                    fmt::format("One block asks for {}", of(limit.used))};
  if (limit.allocated > limit.used) {
    facts.push_back(fmt::format("and is given {}, rounded up", of(limit.allocated)));
  }
  facts.push_back(fmt::format("{} stay empty beside {}", of(limit.capacity - resident * limit.allocated),
                              blocks_text(resident)));
  facts.push_back(fmt::format("By this limit alone: {}", blocks_text(*limit.blocks)));
  return facts;
}

SmResource resource_of(const BlockLimit& limit, int resident) {
  const auto share = [&](std::int64_t value) {
    return limit.capacity > 0 ? static_cast<double>(value) / static_cast<double>(limit.capacity) : 0;
  };
  return {.label = std::string(title(limit.limiter)),
          .figure = count(*limit.blocks),
          .used = share(limit.used),
          .allocated = share(limit.allocated),
          .blocks = resident,
          .binds = limit.binds,
          .facts = facts_of(limit, resident)};
}

// Barriers suffice for nearly every kernel: they have a row only where they bind.
bool is_shown(const BlockLimit& limit) {
  return limit.blocks && (limit.limiter != Limiter::barriers || limit.binds);
}

std::string here_text(BlockResource resource, int value, const OccupancyStep& step) {
  return fmt::format("{}: {}, {}", value_text(resource, value), fit_text(resource, step.blocks),
                     percent(step.ratio));
}

// The nearest places at either side at which another number of blocks fits.
std::string neighbours_text(BlockResource resource, const std::vector<OccupancyStep>& steps,
                            const OccupancyStep& here) {
  const auto other = [&](const OccupancyStep& step) { return step.blocks != here.blocks; };
  const auto place = steps.begin() + (&here - steps.data());
  std::vector<std::string> parts;
  const auto before = std::find_if(std::make_reverse_iterator(place), steps.rend(), other);
  if (before != steps.rend()) {
    parts.push_back(fmt::format("{} or less: {}", value_text(resource, before.base()->first - 1),
                                fit_text(resource, before->blocks)));
  }
  const auto after = std::find_if(place, steps.end(), other);
  if (after != steps.end()) {
    parts.push_back(
        fmt::format("{} or more: {}", value_text(resource, after->first), fit_text(resource, after->blocks)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

int last_value(const SmLimits& sm, BlockResource resource) {
  switch (resource) {
    case BlockResource::threads:
      return max_threads_per_block;
    case BlockResource::registers:
      return max_registers_per_thread;
    case BlockResource::shared_bytes:
      return sm.shared_bytes_per_block_optin;
    case BlockResource::cluster:
      break;
  }
  return largest_cluster;
}

OccupancyPlot plot_of(const BlockResources& block, BlockResource resource, int present, const Gpu& chosen,
                      const std::vector<const Gpu*>& others) {
  OccupancyPlot plot;
  plot.resource = resource;
  plot.present = present;
  const auto add = [&](const Gpu& gpu) {
    auto curve = resource == BlockResource::cluster ? cluster_curve(block, gpu)
                                                    : occupancy_curve(block, gpu.sm, resource);
    plot.lines.push_back({gpu.name, std::move(curve), last_value(gpu.sm, resource)});
  };
  add(chosen);
  for (const Gpu* other : others) {
    add(*other);
  }
  const auto& steps = plot.lines.front().steps;
  if (const OccupancyStep* here = step_at(steps, plot.present)) {
    plot.here = here_text(resource, plot.present, *here);
    plot.neighbours = neighbours_text(resource, steps, *here);
  }
  return plot;
}

}  // namespace

std::string fit_text(BlockResource resource, int fit) {
  return resource == BlockResource::cluster ? counted(fit, "cluster") : blocks_text(fit);
}

std::string value_text(BlockResource resource, int value) {
  return resource == BlockResource::shared_bytes ? kibibytes(value) : count(value);
}

OccupancyView occupancy_view(const Point& point, const Occupancy& occupancy, const Gpu& gpu) {
  OccupancyView view{.sentence = fill_sentence(point, occupancy),
                     .theoretical = occupancy.ratio(),
                     .achieved = point.counters ? point.counters->achieved_occupancy : std::nullopt,
                     .resources = {},
                     .cliff = {},
                     .why_below = why_fewer_warps(point, occupancy, gpu)};
  for (const BlockLimit& limit : occupancy.limits) {
    if (is_shown(limit)) {
      view.resources.push_back(resource_of(limit, occupancy.blocks));
    }
  }
  if (const auto cliff = next_cliff(resources_of(point.launch, point.compiled), gpu.sm)) {
    view.cliff = text(*cliff);
  }
  return view;
}

std::vector<OccupancyPlot> occupancy_plots(const Point& point, const Gpu& chosen,
                                           const std::vector<const Gpu*>& others) {
  const BlockResources block = resources_of(point.launch, point.compiled);
  std::vector<OccupancyPlot> plots;
  for (const BlockResource resource : block_resources) {
    plots.push_back(plot_of(block, resource, value_of(block, resource), chosen, others));
  }
  const auto blocks_of_cluster = static_cast<int>(point.launch.cluster.count());
  if (blocks_of_cluster > 1 && !cluster_curve(block, chosen).empty()) {
    plots.push_back(plot_of(block, BlockResource::cluster, blocks_of_cluster, chosen, others));
  }
  return plots;
}

std::vector<const Gpu*> compared_gpus(const AppState& state) {
  std::vector<const Gpu*> found;
  for (const std::string& name : state.view.compared) {
    const auto entry = std::ranges::find(state.known.gpus, name, &Gpu::name);
    if (entry != state.known.gpus.end()) {
      found.push_back(&*entry);
    }
  }
  return found;
}

}  // namespace rooftile::scene
