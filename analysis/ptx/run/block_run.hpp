// Runs the blocks of a launch one at a time, a warp at a time up to its barriers. Lanes of a warp that part at
// a branch meet again, since those at the lowest place go first. Where nothing that is stored decides anything,
// warps need not wait for each other, and trips of a loop that repeat are multiplied.
#pragma once

#include <vector>

#include "analysis/ptx/run/accesses.hpp"
#include "analysis/ptx/run/counts.hpp"
#include "analysis/ptx/run/loop_study.hpp"
#include "analysis/ptx/run/warp.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {

// The most that a run may cost.
struct Budget {
  std::uint64_t warp_instructions = 30'000'000;  // of all blocks together
  std::uint64_t register_bytes = 256 << 20;
  bool every_trip = false;  // true: no trip of a loop is skipped
  std::size_t warps = 32;   // of a block, from its first on; the others do nothing
};

struct BudgetSpent : Error {
  using Error::Error;
};

class BlockRun {
 public:
  // Both must outlive it. Throws Error for a launch that is beyond the budget.
  BlockRun(const Program& program, const ProgramLaunch& launch, const Budget& budget);

  // Watches shared memory from now on, for one block; every trip must be run.
  void watch(SharedTouches& touches);
  // From now on a warp ends with the request that fills the trace. Trips that are skipped are traced.
  void trace(SectorTrace& trace);
  // Keeps every request from now on, of one block; every trip must be run. A warp ends with the request that
  // fills the trace.
  void trace(RequestTrace& trace);
  // Throws Error for what is not followed, with the line of the PTX.
  void run(Dim3 block, Counts& counts);
  const Accesses& accesses() const { return accesses_; }  // of all blocks so far
  // Trips of loops that were skipped and counted by multiplication, summed over warps.
  std::int64_t multiplied_trips() const { return multiplied_trips_; }
  double busiest_warp() const {
    return busiest_warp_;
  }  // instructions, of the busiest one of all blocks so far
  double spent() const { return 1 - static_cast<double>(left_) / static_cast<double>(budget_); }  // 0..1

 private:
  void run_warp(Warp& warp);
  Warp::Group next_group(Warp& warp) const;
  void run_basic_block(Warp& warp, Warp::Group group);
  std::uint32_t count_guarded(Warp& warp, std::int32_t number, std::uint32_t lanes);
  void step(Warp& warp, std::int32_t number, std::uint32_t lanes);
  void compute(Warp& warp, std::int32_t number, std::uint32_t lanes);
  void end_or_await_copies(const Warp& warp, const Instruction& instruction);
  void note(const Comparison& comparison);
  void leave(Warp& warp, std::int32_t block, std::uint32_t lanes);
  void branch(Warp& warp, const Instruction& instruction, std::uint32_t taking, std::uint32_t lanes,
              std::int32_t next);
  void end_trip(Warp& warp, std::int32_t header, std::uint32_t lanes);
  void leave_loops(std::int32_t block);
  void wait(Warp& warp, const Instruction& instruction, std::uint32_t lanes, std::int32_t next);
  bool release();
  bool release(int barrier);
  void go_to(Warp& warp, std::int32_t block, std::uint32_t lanes);
  int barrier_operand(Warp& warp, const Instruction& instruction, int which, int otherwise);
  [[noreturn]] void fail(const Instruction& instruction, const char* why) const;

  const Program& program_;
  const ProgramLaunch& launch_;
  Memory memory_;
  Accesses accesses_;
  SharedTouches* touches_ = nullptr;
  SectorTrace* trace_ = nullptr;
  RequestTrace* requests_ = nullptr;
  std::vector<Lanes> constants_;
  std::vector<Warp> warps_;
  Loops loops_;
  std::vector<Comparison> comparisons_;  // of the warp that runs
  std::vector<LoopStudy> studies_;       // of the loops that it is in, from the outside
  std::vector<int> hopeless_;            // by loop: how often a study came to nothing
  bool in_order_ = false;  // what is stored may decide something, or every trip is run: barriers hold
  std::int64_t multiplied_trips_ = 0;
  std::vector<int> arrived_;      // by barrier: threads that do not wait there
  std::vector<double> of_warps_;  // instructions in this block
  double busiest_warp_ = 0;
  std::uint64_t budget_, left_;  // warp instructions
  std::int32_t last_wait_ = 0;
  Counts* counts_ = nullptr;
};

}  // namespace rooftile::ptx
