// Who touched each place in the shared memory of a block last, and when.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/ptx/program/program.hpp"
#include "analysis/ptx/run/request.hpp"

namespace rooftile::ptx {

struct Touch {
  std::int32_t instruction = -1;
  int warp = -1, lane = -1;
  int barriers = -1;    // that the block had passed
  int warp_syncs = -1;  // that its warp had passed
  int copy_group = -1;  // of what cp.async writes: its number among the groups of its warp
};

struct Race {
  enum class Kind { unordered, unwritten, under_way };
  Kind kind = Kind::unordered;
  Touch earlier, later;    // earlier: without an instruction where nobody had written the place
  std::uint64_t word = 0;  // of a meeting: its address is 4 times as large
  bool is_within_warp() const { return earlier.warp == later.warp; }
};

class SharedTouches {
 public:
  // Places lie as close as the program's narrowest access asks for, 1, 2 or 4 bytes apart.
  SharedTouches(const Program& program, std::int64_t dynamic_bytes);

  void touch(std::int32_t instruction, int warp, std::uint32_t lanes, const std::uint64_t* addresses, int bytes,
             AccessKind kind);
  // cp.async writes these.
  void copy(std::int32_t instruction, int warp, std::uint32_t lanes, const std::uint64_t* addresses, int bytes);
  void pass_barrier() { ++barriers_; }
  void pass_warp_sync(int warp) { ++of(warp).syncs; }
  void end_copy_group(int warp) { ++of(warp).group; }
  // Waits until no more than so many of the last groups are under way.
  void await_copy_groups(int warp, int left);
  void await_all_copies(int warp) { of(warp).arrived = of(warp).group + 1; }
  // Each pair of instructions once, of two warps if it can be.
  const std::vector<Race>& races() const { return races_; }
  const std::vector<Race>& meetings() const { return meetings_; }  // without an order, each word once

 private:
  struct Place {
    Touch write, atomic, read;
    Touch read_of_other_lane, read_of_other_warp;  // than `read`
  };
  struct WarpProgress {
    int syncs = 0;
    int group = 0;    // that is open
    int arrived = 0;  // groups before this one
  };
  WarpProgress& of(int warp);
  template <typename Do>
  void for_places(std::int32_t instruction, int warp, std::uint32_t lanes, const std::uint64_t* addresses,
                  int bytes, int most_alike, Do&& each);
  void load(Place& place, const Touch& touch);
  void store(Place& place, const Touch& touch);
  void combine(Place& place, const Touch& touch);
  void meet(const Place& place, const Touch& earlier, const Touch& later);
  void tell(Race::Kind kind, const Touch& earlier, const Touch& later);

  std::uint64_t bytes_apart_;
  std::vector<Place> places_;
  std::vector<WarpProgress> warps_;
  int barriers_ = 0;
  std::vector<Race> races_, meetings_;
  std::set<std::uint64_t> met_;                                                     // words
  std::map<std::tuple<Race::Kind, std::int32_t, std::int32_t>, std::size_t> told_;  // where in races_
};

}  // namespace rooftile::ptx
