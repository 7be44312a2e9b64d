#include "analysis/predict/block_life.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/predict/chip_pace.hpp"
#include "analysis/predict/l1_pipe.hpp"

namespace rooftile {
namespace {

// A warp's own time per instruction that does not compute: 29 cycles of a load from shared memory, and 4 of an
// addition, overlap. Chosen on recorded launches of the H200.
constexpr double cycles_per_instruction = 6;
// If no later round is under way, a block waits and works in turn. Other blocks work while it waits; about half
// of the shorter of both is not hidden. Chosen on the same launches.
constexpr double share_not_hidden = 0.5;

// The share of the bytes asked of one level that this level asks of the next one.
double passed_on(const std::optional<Bytes>& asked, const std::optional<Bytes>& next) {
  return asked && next && asked->value > 0 ? std::min(1.0, *next / *asked) : 1;
}

double any_of(double share, double loads) {
  return 1 - std::pow(1 - share, loads);
}

// Lines that are loaded in one round, by the threads that wait for each other.
double lines_of_round(const Model& model, bool waits_together) {
  double lines = 0;
  for (const GlobalAccessModel& access : model.global_accesses) {
    lines += access.kind == GlobalAccessKind::store ? 0 : access.lines;
  }
  const double groups =
      waits_together ? static_cast<double>(model.launch.grid.count()) : warps_of(model.launch);
  return std::max(1.0, lines / (std::max(1.0, model.rounds) * groups));
}

double latency_of_round(const Model& model, bool waits_together, const Roofs& roofs) {
  const auto dram = model.bytes[MemoryLevel::dram].value_or(model.compulsory_dram);
  const auto l2 = model.asked_of(MemoryLevel::l2);
  const double past_l1 = passed_on(model.bytes[MemoryLevel::l1], l2);
  const double past_l2 = past_l1 * passed_on(l2, dram);
  const double lines = lines_of_round(model, waits_together);
  const double of_l1 = roofs.find(Pace::l1_load).cycles, of_l2 = roofs.find(Pace::l2_load).cycles;
  return of_l1 + (of_l2 - of_l1) * any_of(past_l1, lines) +
         (roofs.find(Pace::dram_load).cycles - of_l2) * any_of(past_l2, lines);
}

// Cycles on the pipe that a block uses longest. At best a scheduler issues one instruction per cycle, and a
// warp belongs to one scheduler.
double cycles_of_work(const Model& model, const WarpInstructions& instructions, int schedulers) {
  const auto blocks = static_cast<double>(model.launch.grid.count());
  const double busy_schedulers = std::min<double>(schedulers, warps_of(model.launch) / blocks);
  return std::max(instructions.arithmetic / busy_schedulers, l1_pipe_cycles(model)) / blocks;
}

}  // namespace

double block_life(const Model& model, bool waits_together, int schedulers, const Roofs& roofs) {
  const WarpInstructions& instructions = model.instructions;
  const double of_a_warp = instructions.others / warps_of(model.launch);
  const double rounds = model.rounds / (1 + model.ahead);
  const double waiting = block_turnover +
                         rounds * (latency_of_round(model, waits_together, roofs) + barrier_latency) +
                         of_a_warp * cycles_per_instruction;
  const double working = model.ahead > 0 ? 0 : cycles_of_work(model, instructions, schedulers);
  return waiting + share_not_hidden * std::min(waiting, working) +
         (model.launch.cluster.count() > 1 ? 2 * roofs.find(Pace::cluster_barrier).cycles : 0);
}

}  // namespace rooftile
