// The memory instructions of a block: what each costs, and what it moves where a value may decide an address.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/ptx/run/counts.hpp"
#include "analysis/ptx/run/memory.hpp"
#include "analysis/ptx/run/request.hpp"
#include "analysis/ptx/run/request_trace.hpp"
#include "analysis/ptx/run/sector_trace.hpp"
#include "analysis/ptx/run/shared_touches.hpp"
#include "analysis/ptx/run/warp.hpp"

namespace rooftile::ptx {

// Something that the source should not do, told once for each instruction.
struct Finding {
  enum class Kind { outside, misaligned, unknown_value };
  Kind kind = Kind::outside;
  std::int32_t instruction = 0;
  int lane = 0, warp = 0;
  std::uint64_t address = 0;
};

// Addresses of global memory that an instruction touched, in all blocks so far.
struct AddressRange {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  void add(std::uint64_t from, std::uint64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
};

// Rows of a matrix as they lie in memory, and what a lane moves at once.
struct MatrixTile {
  int rows = 0, columns = 0, element_bytes = 0, lane_bytes = 0, lanes_of_row = 4;
};

// An address in shared memory holds the rank of its block in the cluster, from 1, above the offset.
inline constexpr int rank_shift = 24;  // shared memory has less than 16 MB
inline constexpr std::uint64_t offset_mask = (std::uint64_t{1} << rank_shift) - 1;

// The first request of an instruction.
struct FirstRequest {
  LaneAddresses addresses;
  int width_bytes = 0;
};

class Accesses {
 public:
  // All must outlive it.
  Accesses(const Program& program, const ProgramLaunch& launch, Memory& memory);

  void start_block();
  void watch(SharedTouches& touches) { touches_ = &touches; }  // from now on; it must outlive this
  void run(Warp& warp, std::int32_t instruction, std::uint32_t lanes, Counts& counts);
  void trace(SectorTrace& trace) { trace_ = &trace; }  // likewise
  void trace(RequestTrace& trace) { requests_ = &trace; }
  const std::vector<Finding>& findings() const { return findings_; }
  // For each access of the program, the last address of its first lane.
  const std::vector<std::uint64_t>& last_addresses() const { return last_addresses_; }
  // Likewise the first one in the block.
  const std::vector<std::uint64_t>& first_addresses() const { return first_addresses_; }
  const std::vector<AddressRange>& ranges() const { return ranges_; }  // by instruction
  const std::map<std::int32_t, FirstRequest>& first_shared() const { return first_shared_; }
  const std::map<std::int32_t, FirstRequest>& first_global() const { return first_global_; }

 private:
  struct Access {
    Warp& warp;
    std::int32_t number;
    const Instruction& instruction;
    std::uint32_t lanes;
    InstructionCounts& counts;
    std::array<std::uint64_t, lanes_of_warp> at;
  };

  static bool is_global(std::uint64_t address) { return address < shared_window; }
  const Operand& address_of(const Instruction& instruction) const;
  void load_or_store(Access& access);
  std::uint32_t acting_lanes(const Access& access) const;
  void load_parameter(Access& access);
  void copy(Access& access);
  void copy_bulk(Access& access);
  void copy_box(Access& access, const TensorMapOfLaunch& map, std::int64_t column, std::int64_t row);
  void copy_rows(Access& access, std::uint64_t first, std::uint64_t bytes, std::int64_t rows,
                 std::uint64_t apart);
  void load_matrix(Access& access);
  void access_tile(Access& access, const MatrixTile& tile);
  void access_part(Access& access, Space space, int bytes);
  void test_barrier(Access& access);
  void map_shared(Access& access);
  std::uint32_t own_lanes(Access& access);
  void note_address(std::int32_t instruction, std::uint64_t address);

  Space space_of(const Access& access) const;
  void count_global(Access& access, const std::uint64_t* addresses, std::uint32_t lanes, int bytes,
                    AccessKind kind);
  void count_shared(Access& access, std::uint32_t lanes, int bytes, bool store);
  static void count_local(Access& access, int bytes);
  static void count_swaps(Access& access, std::uint32_t lanes);
  static void count_in_turns(Access& access, std::uint32_t lanes);
  void keep(const Access& access, const std::uint64_t* addresses, std::uint32_t lanes, int bytes, Space space);
  void watch_shared(const Access& access, std::uint32_t lanes, int bytes, AccessKind kind);
  static bool is_part_of_wide_access(const Access& access);
  bool holds_contents(Space space) const { return program_.contents[static_cast<std::size_t>(space)]; }
  void move(Access& access, Space space);
  void combine(Access& access, Space space);
  std::uint64_t read(Access& access, Space space, int lane, std::uint64_t address, int bytes);
  void write(Access& access, Space space, int lane, std::uint64_t address, int bytes, std::uint64_t value);
  std::uint8_t* own_bytes(const Access& access, Space space, int lane, std::uint64_t address, int bytes);
  void check(Access& access, const std::uint64_t* addresses, std::uint32_t lanes, int bytes);
  void tell(Finding::Kind kind, const Access& access, int lane, std::uint64_t address);

  const Program& program_;
  const ProgramLaunch& launch_;
  Memory& memory_;
  std::vector<std::uint8_t> shared_, local_;
  SharedTouches* touches_ = nullptr;
  SectorTrace* trace_ = nullptr;
  RequestTrace* requests_ = nullptr;
  std::vector<RequestMemo> memos_;  // by instruction
  std::vector<std::uint64_t> last_addresses_, first_addresses_;
  std::vector<AddressRange> ranges_;
  std::map<std::int32_t, FirstRequest> first_shared_, first_global_;
  std::vector<bool> told_;
  std::vector<Finding> findings_;
};

}  // namespace rooftile::ptx
