// Trips of a loop that repeat: once two periods of them did the same, those up to the next change of a
// comparison are not run but multiplied.
#pragma once

#include <array>
#include <vector>

#include "analysis/ptx/program/loops.hpp"
#include "analysis/ptx/run/counts.hpp"
#include "analysis/ptx/run/sector_trace.hpp"
#include "analysis/ptx/run/warp.hpp"

namespace rooftile::ptx {

// The two values that were compared.
struct Comparison {
  std::int32_t instruction = 0;
  std::uint32_t lanes = 0;
  std::array<std::int64_t, lanes_of_warp> apart{};  // the first operand less the second
};
Comparison comparison(Warp& warp, const Program& program, std::int32_t number, std::uint32_t lanes);

// Notes that are taken while a warp runs.
struct Noted {
  const std::vector<Comparison>& comparisons;        // in order
  const std::vector<std::uint64_t>& last_addresses;  // by instruction
  SectorTrace* trace;                                // null: nothing is traced
};

class LoopStudy {
 public:
  LoopStudy(const Program& program, const Loops& loops, const Loop& loop)
      : program_(program), loops_(loops), loop_(&loop) {}

  const Loop& loop() const { return *loop_; }
  // Call it when all lanes of a warp begin another trip. It skips the trips that need not be run, adds them to
  // the counts and returns how many they are.
  std::int64_t end_of_trip(Warp& warp, Counts& counts, const Noted& noted);
  void forget() { trips_.clear(); }
  bool is_hopeless() const { return trips_.size() > 3 * longest_period; }

 private:
  static constexpr std::size_t longest_period = 8;

  struct Trip {                          // as it stood at its end
    std::vector<std::uint64_t> carried;  // by register and lane
    std::vector<std::uint64_t> addresses;
    std::vector<InstructionCounts> counted;
    std::vector<double> blocks;   // warps, then lanes; last the branches that parted
    std::size_t comparisons = 0;  // noted until then
    SectorTrace::Mark traced;
  };
  Trip taken(Warp& warp, const Counts& counts, const Noted& noted) const;
  const Trip& before(std::size_t trips) const { return trips_[trips_.size() - 1 - trips]; }
  bool repeats(std::size_t period, const SectorTrace* trace) const;
  bool carried_repeats(const Trip& now, const Trip& once, const Trip& twice) const;
  bool addresses_repeat(std::size_t period) const;
  bool counts_repeat(std::size_t period) const;
  std::int64_t periods_without_change(std::size_t period, const std::vector<Comparison>& comparisons,
                                      bool data_may_differ) const;
  std::int64_t without_change(const Comparison& last, const Comparison& earlier) const;
  // The other trips of a loop whose data differ from trip to trip, but nothing else: they do what those that
  // were run did in the mean.
  std::int64_t skip_by_mean(Warp& warp, Counts& counts, const Noted& noted);
  void move_on(Warp& warp, std::size_t period, std::int64_t times) const;
  void add_trips(Counts& counts, const Trip& from, double times) const;  // of what was counted since then

  const Program& program_;
  const Loops& loops_;
  const Loop* loop_;
  std::vector<Trip> trips_;
};

}  // namespace rooftile::ptx
