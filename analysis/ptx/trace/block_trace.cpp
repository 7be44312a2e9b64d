#include "analysis/ptx/trace/block_trace.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/ptx/program/line_names.hpp"
#include "analysis/ptx/text/ptx_text.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

int buffer_of(const TracedRequest& request, const ProgramLaunch& launch) {
  const std::uint64_t index = request.lowest / window_bytes - 1;
  return !request.shared && index < launch.buffers.size() ? static_cast<int>(index) : -1;
}

// An atomic of shared memory goes out as a store does.
TracedAccess access_of(const Instruction& x, const TracedRequest& request, int bytes, int buffer) {
  TracedAccess access;
  access.shared = request.shared;
  access.store = is_store(x);
  access.atomic = is_atomic(x);
  access.width_bytes = bytes;
  access.buffer = buffer;
  return access;
}

void gather(BlockTrace& trace, const Program& program, const ProgramLaunch& launch, const Counts& counts) {
  using Key = std::tuple<SourceLine, bool, Op, int, int>;
  std::map<Key, TracedAccess> accesses;
  std::set<std::int32_t> counted;
  const std::vector<TracedRequest>& requests = trace.requests.requests;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const TracedRequest& request = requests[i];
    const Instruction& x = program.instructions[static_cast<std::size_t>(request.instruction)];
    const int bytes = trace.requests.bytes(request), buffer = buffer_of(request, launch);
    const auto at = accesses.try_emplace({x.source, request.shared, x.op, bytes, buffer},
                                         access_of(x, request, bytes, buffer));
    if (counted.insert(request.instruction).second) {
      const InstructionCounts& of_block = counts.instructions[static_cast<std::size_t>(request.instruction)];
      at.first->second.requests += request.shared ? of_block.shared_requests : of_block.requests;
      at.first->second.wavefronts += of_block.wavefronts;
      at.first->second.sectors += of_block.sectors;
    }
    auto& steps = at.first->second.steps;
    steps.resize(static_cast<std::size_t>(trace.warps));
    steps[static_cast<std::size_t>(request.warp)].push_back(static_cast<std::uint32_t>(i));
  }
  for (auto& [key, access] : accesses) {
    trace.accesses.push_back(std::move(access));
  }
}

// Copies that pass registers by store to shared memory without a request of their own: they are the access that
// loads.
void add_races(BlockTrace& trace, const std::vector<Race>& meetings) {
  std::map<std::int32_t, std::size_t> access_of;
  for (std::size_t i = 0; i < trace.accesses.size(); ++i) {
    for (const auto& of_warp : trace.accesses[i].steps) {
      for (const std::uint32_t number : of_warp) {
        access_of.emplace(trace.requests.requests[number].instruction, i);
      }
    }
  }
  for (const Race& race : meetings) {
    const auto earlier = access_of.find(race.earlier.instruction),
               later = access_of.find(race.later.instruction);
    if (earlier != access_of.end() && later != access_of.end()) {
      trace.races.push_back(
          {static_cast<std::int64_t>(race.word), race.earlier, race.later, earlier->second, later->second});
    }
  }
}

}  // namespace

const TracedAccess* BlockTrace::find(bool shared, const std::string& name) const {
  const auto found = std::ranges::find_if(
      accesses, [&](const TracedAccess& access) { return access.shared == shared && access.name == name; });
  return found != accesses.end() ? &*found : nullptr;
}

BlockTrace block_trace(const Program& program, const ProgramLaunch& launch) {
  constexpr std::size_t most_requests = 300'000;
  constexpr Budget every_trip{.warp_instructions = 60'000'000, .every_trip = true};
  const auto threads = static_cast<std::size_t>(launch.launch.block.count());
  const std::size_t warps = (threads + lanes_of_warp - 1) / lanes_of_warp;
  const Dim3 grid = launch.launch.grid;
  BlockTrace trace{{grid.x / 2, grid.y / 2, grid.z / 2},
                   static_cast<int>(warps),
                   true,
                   RequestTrace(program, most_requests / std::max<std::size_t>(warps, 1)),
                   {},
                   {},
                   {}};
  SharedTouches touches(program, launch.launch.dynamic_shared_bytes);
  BlockRun run(program, launch, every_trip);
  run.trace(trace.requests);
  run.watch(touches);
  Counts counts(program);
  try {
    run.run(trace.block, counts);
  } catch (const BudgetSpent&) {
    trace.is_whole = false;
  }
  trace.is_whole = trace.is_whole && !trace.requests.was_full();
  gather(trace, program, launch, counts);
  add_races(trace, touches.meetings());
  std::ranges::transform(launch.buffers, std::back_inserter(trace.buffers), [](const DeviceBuffer& buffer) {
    return TracedBuffer{buffer.name, buffer.bytes, buffer.element_bytes};
  });
  return trace;
}

BlockTrace block_trace(const CompiledLaunch& code, const StatedLaunch& stated) {
  const Program program = parse_ptx(code.ptx, code.symbol);
  BlockTrace trace = block_trace(program, stated.launch);
  const LineNames names(program, code.source);
  UniqueNames of_shared, of_global;  // accesses of one line differ in width or buffer
  for (TracedAccess& access : trace.accesses) {
    const auto warp = std::ranges::find_if(access.steps, [](const auto& steps) { return !steps.empty(); });
    const TracedRequest& first = trace.requests.requests[warp->front()];
    const Instruction& x = program.instructions[static_cast<std::size_t>(first.instruction)];
    access.name = (access.shared ? of_shared : of_global).take(names.of(x));
    access.line = names.words(x.source);
  }
  return trace;
}

}  // namespace rooftile::ptx
