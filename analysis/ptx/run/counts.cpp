#include "analysis/ptx/run/counts.hpp"

namespace rooftile::ptx {

void InstructionCounts::add(const InstructionCounts& other, double times) {
  warps += times * other.warps;
  lanes += times * other.lanes;
  requests += times * other.requests;
  sectors += times * other.sectors;
  lines += times * other.lines;
  partial_lines += times * other.partial_lines;
  of_one_word += times * other.of_one_word;
  joined_lanes += times * other.joined_lanes;
  remote_requests += times * other.remote_requests;
  remote_lanes += times * other.remote_lanes;
  cycles += times * other.cycles;
  remote_sectors += times * other.remote_sectors;
  local_sectors += times * other.local_sectors;
  shared_requests += times * other.shared_requests;
  wavefronts += times * other.wavefronts;
  ideal_wavefronts += times * other.ideal_wavefronts;
  bytes += times * other.bytes;
  trips += times * other.trips;
  trip_lanes += times * other.trip_lanes;
}

double Counts::instructions_of_warps(const Program& program) const {
  double sum = 0;
  for (std::size_t i = 0; i < block_warps.size(); ++i) {
    sum += block_warps[i] * (program.blocks[i].end - program.blocks[i].begin);
  }
  return sum;
}

void Counts::add(const Counts& other, double times) {
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    instructions[i].add(other.instructions[i], times);
  }
  for (std::size_t i = 0; i < block_warps.size(); ++i) {
    block_warps[i] += times * other.block_warps[i];
    block_lanes[i] += times * other.block_lanes[i];
  }
  divergent_branches += times * other.divergent_branches;
}

void Counts::clear() {
  instructions.assign(instructions.size(), {});
  block_warps.assign(block_warps.size(), 0);
  block_lanes.assign(block_lanes.size(), 0);
  divergent_branches = 0;
}

}  // namespace rooftile::ptx
