#include "analysis/ptx/work/block_footprint.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/ptx/run/sector_trace.hpp"

namespace rooftile::ptx {
namespace {

std::vector<Span> spans(std::vector<std::uint64_t>& sectors) {
  std::ranges::sort(sectors);
  std::vector<Span> all;
  for (const std::uint64_t sector : sectors) {
    const std::uint64_t end = all.empty() ? 0 : all.back().first + all.back().count;
    if (all.empty() || sector > end) {
      all.push_back({sector, 1});
    } else if (sector == end) {
      ++all.back().count;
    }
  }
  return all;
}

// By instruction, from the last address of each access in a block and in those beside it.
std::vector<BlockSteps> block_steps(const Program& program, const ProgramLaunch& launch, Dim3 block) {
  BlockRun run(program, launch, {});
  const auto addresses_of = [&](Dim3 at) {
    Counts counts(program);
    run.run(at, counts);
    return run.last_addresses();
  };
  const std::vector<std::uint64_t> here = addresses_of(block);
  std::vector<BlockSteps> steps(here.size());
  const auto along = [&](int Dim3::*axis, std::int64_t BlockSteps::*step) {
    const int extent = launch.launch.grid.*axis;
    if (extent == 1) {
      return;
    }
    Dim3 beside = block;
    const int direction = block.*axis + 1 < extent ? 1 : -1;
    beside.*axis += direction;
    const std::vector<std::uint64_t> there = addresses_of(beside);
    for (std::size_t i = 0; i < there.size(); ++i) {
      steps[i].*step = direction * static_cast<std::int64_t>(there[i] - here[i]);
    }
  };
  along(&Dim3::x, &BlockSteps::x);
  along(&Dim3::y, &BlockSteps::y);
  along(&Dim3::z, &BlockSteps::z);
  return steps;
}

}  // namespace

BlockFootprint block_footprint(const Program& program, const ProgramLaunch& launch, int parts) {
  constexpr std::size_t most_requests = 400'000;
  const Dim3& grid = launch.launch.grid;
  BlockFootprint result{{grid.x / 2, grid.y / 2, grid.z / 2}, {}, true};
  const std::vector<BlockSteps> steps = block_steps(program, launch, result.block);
  const auto warps =
      static_cast<std::size_t>((launch.launch.block.count() + lanes_of_warp - 1) / lanes_of_warp);
  SectorTrace trace(most_requests / warps);
  BlockRun run(program, launch, {});
  run.trace(trace);
  Counts counts(program);
  run.run(result.block, counts);
  result.is_whole = !trace.was_full();
  std::uint32_t end = 1;
  for (const SectorRequest& request : trace.requests) {
    end = std::max(end, request.time + 1);
  }
  std::map<std::tuple<bool, bool, BlockSteps>, std::vector<std::vector<std::uint64_t>>> all;
  for (const SectorRequest& request : trace.requests) {
    const Op op = program.instructions[request.instruction].op;
    const bool atomic = op == Op::atom || op == Op::red;
    auto& sectors = all[{atomic || op == Op::st, atomic || op != Op::st,
                         steps[static_cast<std::size_t>(request.instruction)]}];
    sectors.resize(static_cast<std::size_t>(parts));
    auto& part = sectors[std::uint64_t{request.time} * static_cast<std::uint64_t>(parts) / end];
    const auto from = trace.sectors.begin() + static_cast<std::ptrdiff_t>(request.first);
    part.insert(part.end(), from, from + request.count);
  }
  for (auto& [kind, sectors] : all) {
    Footprint footprint{std::get<1>(kind), std::get<0>(kind), std::get<2>(kind), {}};
    for (auto& part : sectors) {
      footprint.parts.push_back(spans(part));
    }
    result.footprints.push_back(std::move(footprint));
  }
  return result;
}

}  // namespace rooftile::ptx
