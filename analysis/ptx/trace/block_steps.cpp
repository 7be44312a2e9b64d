#include "analysis/ptx/trace/block_steps.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/chip/memory_level.hpp"
#include "analysis/model/coalescing.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::uint32_t no_step = ~std::uint32_t{0};

std::size_t most_steps(const TracedAccess& access) {
  return std::ranges::max(access.steps, {}, [](const auto& steps) { return steps.size(); }).size();
}

}  // namespace

BlockSteps::BlockSteps(const BlockTrace& trace)
    : trace_(trace), step_of_(trace.requests.requests.size(), no_step) {
  for (const TracedAccess& access : trace.accesses) {
    for (const auto& of_warp : access.steps) {
      if (access.buffer >= 0) {
        auto& all = of_buffer_[access.buffer];
        all.insert(all.end(), of_warp.begin(), of_warp.end());
      }
    }
  }
  number_steps();
  sum_up();
  for (const auto& [buffer, requests] : of_buffer_) {
    tiles_.push_back(tile_of(buffer));
  }
}

const TracedAccess* BlockSteps::leading() const {
  const TracedAccess* leading = nullptr;
  for (const TracedAccess& access : trace_.accesses) {
    if (access.buffer >= 0 && !access.atomic &&
        (!leading || (leading->store && !access.store) ||
         (leading->store == access.store && most_steps(access) > most_steps(*leading)))) {
      leading = leading && !leading->store && access.store ? leading : &access;
    }
  }
  return leading;
}

void BlockSteps::number_steps() {
  const TracedAccess* lead = leading();
  std::vector<std::uint32_t> begun(static_cast<std::size_t>(trace_.warps));
  std::vector<bool> leads(step_of_.size());
  for (const auto& of_warp : lead ? lead->steps : std::vector<std::vector<std::uint32_t>>{}) {
    std::ranges::for_each(of_warp, [&](std::uint32_t number) { leads[number] = true; });
  }
  const std::size_t steps = lead ? most_steps(*lead) : 1;
  loaded_.assign(std::max<std::size_t>(steps, 1), 0);
  flops_.assign(loaded_.size(), 0);
  for (std::size_t i = 0; i < step_of_.size(); ++i) {
    std::uint32_t& of_warp = begun[static_cast<std::size_t>(trace_.requests.requests[i].warp)];
    of_warp += leads[i] ? 1 : 0;
    step_of_[i] = std::max(of_warp, 1U) - 1;
  }
}

// FLOPs of a step are done when its warp begins the next one.
void BlockSteps::sum_up() {
  std::vector<std::vector<double>> of_warps(static_cast<std::size_t>(trace_.warps));
  for (int warp = 0; warp < trace_.warps; ++warp) {
    of_warps[static_cast<std::size_t>(warp)].assign(flops_.size(), trace_.requests.flops(warp));
  }
  std::map<std::pair<std::uint32_t, std::uint64_t>, int> sectors;  // by pattern and place in a line
  for (const TracedAccess& access : trace_.accesses) {
    for (const auto& of_warp : access.steps) {
      for (const std::uint32_t number : of_warp) {
        const TracedRequest& request = trace_.requests.requests[number];
        auto& flops = of_warps[static_cast<std::size_t>(request.warp)];
        if (const std::uint32_t step = step_of_[number]; step > 0) {
          flops[step - 1] = std::min(flops[step - 1], static_cast<double>(request.flops));
        }
        if (access.shared || access.store || access.atomic) {
          continue;
        }
        const auto [known, is_new] = sectors.try_emplace({request.pattern, request.lowest % line_bytes}, 0);
        known->second = is_new
                            ? coalescing(trace_.requests.addresses(request), access.width_bytes, false).sectors
                            : known->second;
        loaded_[step_of_[number]] += sector_bytes * known->second;
      }
    }
  }
  std::partial_sum(loaded_.begin(), loaded_.end(), loaded_.begin());
  for (const auto& of_warp : of_warps) {
    std::ranges::transform(flops_, of_warp, flops_.begin(), std::plus<>());
  }
}

// A buffer whose elements nobody states, or that a dial makes wide, has those that the block asks for.
std::int64_t BlockSteps::element_bytes(int buffer) const {
  std::int64_t least = 16;
  for (const TracedAccess& access : trace_.accesses) {
    least = access.buffer == buffer ? std::min<std::int64_t>(least, access.width_bytes) : least;
  }
  const std::int64_t stated = trace_.buffers[static_cast<std::size_t>(buffer)].element_bytes;
  return stated > 1 ? stated : least;
}

std::vector<ElementRun> BlockSteps::runs(const TracedRequest& request, int buffer) const {
  const std::int64_t bytes = element_bytes(buffer);
  const auto begin = static_cast<std::int64_t>(buffer_address(static_cast<std::size_t>(buffer)));
  const std::int64_t count = std::max<std::int64_t>(trace_.requests.bytes(request) / bytes, 1);
  const LaneAddresses addresses = trace_.requests.addresses(request);
  std::vector<ElementRun> all;
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    if (const auto& address = addresses[static_cast<std::size_t>(lane)]) {
      all.push_back({(*address - begin) / bytes, count, lane});
    }
  }
  return all;
}

// The least distance between elements of the first steps that are not side by side.
std::int64_t BlockSteps::pitch_of(int buffer) const {
  constexpr std::uint32_t first_steps = 2;
  std::uint32_t first = no_step;
  for (const std::uint32_t number : of_buffer_.at(buffer)) {
    first = std::min(first, step_of_[number]);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> touched;
  for (std::uint32_t steps = 1; steps <= first_steps; ++steps) {
    touched.clear();
    for_touches(buffer, first + steps - 1, [&](std::uint32_t, int, const ElementRun& run) {
      touched.emplace_back(run.first, run.first + run.count);
    });
    std::ranges::sort(touched);
    std::int64_t begin = touched.front().first, end = touched.front().second, pitch = 0;
    for (const auto& [from, to] : touched) {
      if (from > end) {
        pitch = pitch == 0 ? from - begin : std::min(pitch, from - begin);
        begin = from;
      }
      end = std::max(end, to);
    }
    if (pitch > 0) {
      return pitch;
    }
  }
  return 0;
}

BufferTile BlockSteps::tile_of(int buffer) const {
  BufferTile tile;
  tile.buffer = buffer;
  bool scattered = false;
  for (const TracedAccess& access : trace_.accesses) {
    tile.loads = tile.loads || (access.buffer == buffer && !access.store);
    tile.stores = tile.stores || (access.buffer == buffer && (access.store || access.atomic));
    scattered = scattered || (access.buffer == buffer && access.atomic);
  }
  tile.pitch = scattered ? 0 : pitch_of(buffer);
  std::int64_t row_end = 0, column_end = 0;
  tile.first_row = tile.first_column = std::int64_t{1} << 60;
  for_touches(buffer, count(), [&](std::uint32_t, int, const ElementRun& run) {
    const std::int64_t row = tile.pitch > 0 ? run.first / tile.pitch : 0;
    const std::int64_t column = run.first - row * tile.pitch;
    tile.first_row = std::min(tile.first_row, row);
    tile.first_column = std::min(tile.first_column, column);
    row_end = std::max(row_end, row + 1);
    column_end = std::max(column_end, column + run.count);
  });
  tile.rows = row_end - tile.first_row;
  tile.columns = column_end - tile.first_column;
  return tile;
}

}  // namespace rooftile::ptx
