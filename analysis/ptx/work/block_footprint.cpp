#include "analysis/ptx/work/block_footprint.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/ptx/program/line_names.hpp"
#include "analysis/ptx/run/sector_trace.hpp"

namespace rooftile::ptx {
namespace {

// In order, and joined where they touch.
std::vector<Span> joined(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::first);
  std::vector<Span> all;
  for (const Span& span : spans) {
    if (all.empty() || span.first > all.back().first + all.back().count) {
      all.push_back(span);
    } else {
      all.back().count = std::max(all.back().count, span.first + span.count - all.back().first);
    }
  }
  return all;
}

void add(std::vector<Span>& spans, std::uint64_t first, std::uint64_t count) {
  Span* last = spans.empty() ? nullptr : &spans.back();
  if (last && last->first <= first && first <= last->first + last->count) {
    last->count = std::max(last->count, first + count - last->first);
  } else {
    spans.push_back({first, count});
  }
}

// The spans of one request, and of those that follow it by steps. part: of a time.
void add(std::vector<std::vector<Span>>& parts, const SectorRequest& request,
         const std::vector<std::uint64_t>& sectors, auto&& part) {
  const std::size_t end = request.first + static_cast<std::size_t>(request.count);
  for (std::size_t begin = request.first, after = begin; begin < end; begin = after) {
    while (after < end && sectors[after] - sectors[begin] == after - begin) {
      ++after;
    }
    for (std::uint32_t i = 0; i < request.times; ++i) {
      add(parts[part(request.time + i * request.time_step)], sectors[begin] + i * request.sector_step,
          after - begin);
    }
  }
}

Dim3 block_at(const Dim3& grid, std::int64_t number) {
  return {static_cast<int>(number % grid.x), static_cast<int>(number / grid.x % grid.y),
          static_cast<int>(number / grid.x / grid.y)};
}

std::int64_t number_of(const Dim3& grid, const Dim3& block) {
  return block.x + std::int64_t{grid.x} * (block.y + std::int64_t{grid.y} * block.z);
}

std::int64_t digit(const std::vector<std::int64_t>& units, std::size_t i, std::int64_t number) {
  return (i + 1 < units.size() ? number % units[i + 1] : number) / units[i];
}

// Where the accesses of a block lie, told by the digits of its number.
class Places {
 public:
  // block: its number. warps: of a block, whose accesses are looked at.
  Places(const Program& program, const ProgramLaunch& launch, std::int64_t block, std::size_t warps)
      : program_(program),
        launch_(launch),
        run_(program, launch, {.warps = warps}),
        blocks_(launch.launch.grid.count()),
        base_(block),
        at_base_(addresses_of(base_)),
        at_followed_(at_base_) {}

  bool come_to_all(const SectorTrace& trace) const {
    return std::ranges::all_of(trace.requests, [&](const SectorRequest& request) {
      return at_followed_[static_cast<std::size_t>(request.instruction)].has_value();
    });
  }

  // The units of the grid and its clusters, or those by which the kernel itself orders its blocks.
  void find() {
    const Dim3& grid = launch_.launch.grid;
    for (const std::int64_t unit : {std::int64_t{1}, std::int64_t{launch_.launch.cluster.x},
                                    std::int64_t{grid.x}, std::int64_t{grid.x} * grid.y}) {
      if (unit < blocks_ && (units.empty() || (unit > units.back() && unit % units.back() == 0))) {
        units.push_back(unit);
      }
    }
    for (std::size_t i = 0; i < units.size(); ++i) {
      const std::int64_t extent = (i + 1 < units.size() ? units[i + 1] : blocks_) / units[i];
      const std::int64_t direction = digit(units, i, base_) + 1 < extent ? 1 : -1;
      add_steps(addresses_of(base_ + direction * units[i]), direction);
    }
    if (program_.contents[static_cast<std::size_t>(Space::global)]) {
      forget_steps_that_data_decide();
    } else if (!is_right(blocks_ / 3) || !is_right(blocks_ / 7)) {
      search();
    }
  }

  std::int64_t offset(std::int32_t instruction) const {
    return static_cast<std::int64_t>(at_followed_[static_cast<std::size_t>(instruction)].value_or(0) % 32);
  }

  std::vector<std::int64_t> units;
  std::vector<std::vector<std::int64_t>> steps;  // by digit and instruction

 private:
  using Addresses = std::vector<std::optional<std::uint64_t>>;

  // The first address of each access to global memory; empty for one that the block does not come to.
  Addresses addresses_of(std::int64_t number) {
    Counts counts(program_);
    run_.run(block_at(launch_.launch.grid, number), counts);
    Addresses all(program_.instructions.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (counts.instructions[i].sectors > 0) {
        all[i] = run_.accesses().first_addresses()[i];
      }
    }
    return all;
  }

  void add_steps(const Addresses& there, std::int64_t direction) {
    steps.emplace_back();
    for (std::size_t i = 0; i < there.size(); ++i) {
      const bool known = there[i] && at_base_[i];
      const std::uint64_t step = !known          ? 0
                                 : direction > 0 ? *there[i] - *at_base_[i]
                                                 : *at_base_[i] - *there[i];
      steps.back().push_back(static_cast<std::int64_t>(step));
    }
  }

  // Addresses of a wrong program may be any numbers, so they wrap around.
  bool is_right(std::size_t instruction, std::int64_t number, const Addresses& there) const {
    std::uint64_t apart = 0;
    for (std::size_t k = 0; k < units.size(); ++k) {
      apart += static_cast<std::uint64_t>(digit(units, k, number) - digit(units, k, base_)) *
               static_cast<std::uint64_t>(steps[k][instruction]);
    }
    return !there[instruction] || !at_base_[instruction] ||
           apart == *there[instruction] - *at_base_[instruction];
  }

  bool is_right(std::int64_t number) {
    const Addresses there = addresses_of(number);
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (!is_right(i, number, there)) {
        return false;
      }
    }
    return true;
  }

  // All blocks are taken to touch what the one in the middle touches.
  void forget_steps_that_data_decide() {
    const Addresses there = addresses_of(blocks_ / 3);
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (!is_right(i, blocks_ / 3, there)) {
        std::ranges::for_each(steps, [&](auto& of_digit) { of_digit[i] = 0; });
      }
    }
  }

  // From the first block on, the next unit is the first number that the digits so far do not explain.
  void search() {
    constexpr std::size_t most_digits = 5;
    base_ = 0;
    at_base_ = addresses_of(0);
    units.clear();
    steps.clear();
    std::int64_t unit = 1;
    while (unit < blocks_ && units.size() < most_digits) {
      units.push_back(unit);
      add_steps(addresses_of(unit), 1);
      std::int64_t right = unit, wrong = 2 * unit;
      while (wrong < blocks_ && is_right(wrong)) {
        right = wrong;
        wrong *= 2;
      }
      wrong = std::min(wrong, blocks_);
      while (wrong - right > unit) {
        const std::int64_t middle = right + std::max<std::int64_t>(1, (wrong - right) / unit / 2) * unit;
        (is_right(middle) ? right : wrong) = middle;
      }
      unit = wrong;
    }
  }

  const Program& program_;
  const ProgramLaunch& launch_;
  BlockRun run_;
  std::int64_t blocks_, base_;
  Addresses at_base_, at_followed_;
};

// The first warp where it does what all of them do; a barrier may wait for the others.
std::size_t warps_that_tell(const Program& program, const ProgramLaunch& launch, std::int64_t block,
                            const SectorTrace& trace, std::size_t warps) {
  const bool waits = std::ranges::any_of(program.instructions,
                                         [](const Instruction& x) { return x.op == Op::bar && x.sources > 1; });
  return !waits && Places(program, launch, block, 1).come_to_all(trace) ? 1 : warps;
}

}  // namespace

std::int64_t BlockFootprint::shift(const Footprint& footprint, std::int64_t number) const {
  constexpr int sector_bits = 5;
  auto bytes = static_cast<std::uint64_t>(footprint.offset);
  for (std::size_t i = 0; i < units.size(); ++i) {
    bytes += static_cast<std::uint64_t>(digit(units, i, number) - digit(units, i, block)) *
             static_cast<std::uint64_t>(footprint.steps[i]);
  }
  return static_cast<std::int64_t>(bytes) >> sector_bits;  // rounded down
}

BlockFootprint block_footprint(const Program& program, const ProgramLaunch& launch, Dim3 block, int parts) {
  constexpr std::size_t most_requests = 400'000;
  const Dim3& grid = launch.launch.grid;
  BlockFootprint result;
  result.block = number_of(grid, block);
  const auto warps =
      static_cast<std::size_t>((launch.launch.block.count() + lanes_of_warp - 1) / lanes_of_warp);
  SectorTrace trace(most_requests / warps);
  BlockRun run(program, launch, {});
  run.trace(trace);
  Counts counts(program);
  run.run(block, counts);
  result.is_whole = !trace.was_full();
  Places places(program, launch, result.block, warps_that_tell(program, launch, result.block, trace, warps));
  places.find();
  result.units = places.units;
  std::uint32_t end = 1;
  for (const SectorRequest& request : trace.requests) {
    end = std::max(end, request.time + (request.times - 1) * request.time_step + 1);
  }
  std::map<std::tuple<bool, bool, std::int64_t, std::vector<std::int64_t>>, std::vector<std::vector<Span>>> all;
  for (const SectorRequest& request : trace.requests) {
    const Instruction& x = program.instructions[request.instruction];
    const bool atomic = is_atomic(x), stores = is_store(x);
    std::vector<std::int64_t> steps;
    for (const std::vector<std::int64_t>& by_instruction : places.steps) {
      steps.push_back(by_instruction[static_cast<std::size_t>(request.instruction)]);
    }
    auto& spans = all[{atomic || stores, atomic || !stores, places.offset(request.instruction), steps}];
    spans.resize(static_cast<std::size_t>(parts));
    add(spans, request, trace.sectors,
        [&](std::uint32_t time) { return std::uint64_t{time} * static_cast<std::uint64_t>(parts) / end; });
  }
  for (auto& [kind, spans] : all) {
    const auto& [writes, reads, offset, steps] = kind;
    Footprint footprint{reads, writes, offset, steps, {}};
    for (std::vector<Span>& part : spans) {
      footprint.parts.push_back(joined(std::move(part)));
    }
    result.footprints.push_back(std::move(footprint));
  }
  return result;
}

}  // namespace rooftile::ptx
