// A kernel's PTX as it is executed: instructions in order, cut into basic blocks, with registers by number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/ptx/program/machine_block.hpp"

namespace rooftile::ptx {

// u, s: whole numbers; f: FP16 to FP64; h: BF16; x: two of FP16 or BF16; b: bits; p: a predicate.
struct Type {
  char kind = 'b';
  std::uint8_t bytes = 4;
  bool operator==(const Type&) const = default;
};

enum class Space : std::uint8_t { none, generic, global, shared, local, param, constant };

enum class Op : std::uint8_t {
  other,  // known by its name alone: counted, never executed
  // arithmetic
  abs,
  add,
  and_,
  bfe,
  bfi,
  bfind,
  brev,
  clz,
  cnot,
  copysign,
  cvt,
  cvta,
  div,
  ex2,
  fma,
  lg2,
  lop3,
  mad,
  max,
  min,
  mov,
  mul,
  neg,
  not_,
  or_,
  popc,
  prmt,
  rcp,
  rem,
  rsqrt,
  sad,
  selp,
  set,
  setp,
  shf,
  shl,
  shr,
  sin,
  cos,
  sqrt,
  sub,
  tanh,
  xor_,
  isspacep,
  // of the lanes of a warp together
  activemask,
  elect,
  match,
  redux,
  shfl,
  vote,
  // memory
  atom,
  cp_async,
  cp_async_group,  // ends one, or waits for some
  cp_bulk,
  ld,
  ldmatrix,
  mapa,
  mbarrier,
  prefetch,
  red,
  st,
  stmatrix,
  // tensor cores
  mma,
  wgmma,
  // control
  bar,
  barrier_cluster,
  bra,
  brx,
  call,
  exit,
  trap
};

enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge, num, nan };

// Further parts of an instruction's name, one bit each.
enum Modifier : std::uint32_t {
  wide = 1,         // mul, mad: the whole product
  high = 2,         // its upper half
  to_space = 4,     // cvta: from generic addresses
  wraps = 8,        // shf: the distance, at 32
  to_left = 16,     // shf
  to_nearest = 32,  // cvt to a whole number, which else is cut off
  to_lower = 64,    // likewise
  to_upper = 128,   // likewise
  unordered = 256,  // setp: holds too where an operand is no number
  reduces = 512,    // bar
  arrives = 1024,   // bar, mbarrier: does not wait
  tests = 2048,     // mbarrier: gives whether it is complete
  as_shift = 4096,  // bfind: how far the bit lies from the top
  ignores = 16384,  // cp.async: the source, of lanes whose last operand, a predicate, holds
  of_call = 8192    // ld, st: of a parameter or result of a call, which ptxas keeps in registers
};

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctarank,
  cluster_nctarank,
  dynamic_smem_size,
  half_of_grid_workspace,  // of the address of the driver's memory for cooperative launches: its lower or upper
                           // half
  zero
};

struct Operand {
  enum class Kind : std::uint8_t { none, reg, immediate, special, address };
  Kind kind = Kind::none;
  bool negated = false;  // of a predicate
  static constexpr std::int32_t symbol = -2;
  // The number of a register, special register or constant; for an address, of its base register. -1: none.
  // symbol: until constants have numbers, one that is the address of a variable.
  std::int32_t index = -1;
  std::uint64_t value = 0;  // of an immediate; of an address what is added
};

struct SourceLine {
  int file = 0, line = 0;
  auto operator<=>(const SourceLine&) const = default;
};

struct Instruction {
  Op op = Op::other;
  Type type, from;  // of the result; of what is converted or compared
  Space space = Space::none;
  Compare compare = Compare::eq;
  Op join = Op::other;      // of setp: and_, or_, xor_ with a third predicate
  std::uint8_t vector = 1;  // elements of a load or store
  std::uint8_t mode = 0;    // of shfl, vote, bfe...: the letter that tells its kinds apart
  std::uint32_t modifiers = 0;
  std::uint32_t first = 0;  // among the operands of the program
  std::uint8_t destinations = 0, sources = 0;
  std::int32_t guard = -1;  // a predicate that must hold for a lane to take part
  bool guard_negated = false;
  bool executed = false;            // else it is counted alone
  bool decides = false;             // its result may decide an address or a branch
  bool stores = false;              // likewise what it stores
  bool by_data = false;             // made of what was loaded from memory
  bool at_data = false;             // likewise the address that it accesses
  bool is_stored_negation = false;  // neg of floating point that no arithmetic takes along: an addition
  std::int32_t target = -1;         // of a branch: an instruction, then a basic block
  std::int32_t wide_lead = -1;      // of loads that ptxas makes one: that of the lowest address
  std::uint8_t wide_bytes = 0;      // of a lane, of all of them together
  std::int32_t name = 0;            // among the names of the program: "fma.rn.f32"
  SourceLine source;
  int text_line = 0;  // of the PTX
  bool has(std::uint32_t modifier) const { return (modifiers & modifier) != 0; }
};

constexpr bool writes_memory(const Instruction& x) {
  return x.op == Op::st || x.op == Op::atom || x.op == Op::red || x.op == Op::cp_async || x.op == Op::stmatrix;
}

struct BasicBlock {
  std::int32_t begin = 0, end = 0;
  std::vector<std::int32_t> executed = {};  // its instructions but for those that are counted alone
};

// A variable of global or constant memory.
struct Variable {
  std::string name;
  std::uint64_t bytes = 0, address = 0;
  std::string data;  // what it begins with; the rest are zeros
};

struct EntryParameter {
  std::string name;
  int offset = 0, bytes = 0;
};

struct Program {
  std::string entry;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<BasicBlock> blocks;
  std::vector<MachineBlock> machine_code;  // that ptxas makes of it; may be empty
  std::vector<std::string> names;
  std::vector<std::string> files;  // by the number that lines name
  std::vector<EntryParameter> parameters;
  std::vector<Variable> variables;
  int parameter_bytes = 0;
  int static_shared_bytes = 0;  // where dynamic shared memory begins
  int local_bytes = 0;
  int call_bytes = 0;                    // of these, parameters and results of calls
  int registers = 0;                     // that executed instructions name
  std::vector<std::uint64_t> constants;  // likewise
  bool contents[7] = {};                 // by Space: what lies there may decide an address or a branch
  const Operand* destination(const Instruction& instruction) const {
    return operands.data() + instruction.first;
  }
  const Operand* source(const Instruction& instruction) const {
    return operands.data() + instruction.first + instruction.destinations;
  }
  const std::string& name_of(const Instruction& instruction) const { return names[instruction.name]; }
};

// The address spaces start at these generic addresses, further apart than any buffer is large.
inline constexpr std::uint64_t window_bytes = std::uint64_t{1} << 40;
inline constexpr std::uint64_t shared_window = std::uint64_t{1} << 56;
inline constexpr std::uint64_t local_window = std::uint64_t{1} << 57;
inline constexpr std::uint64_t param_window = std::uint64_t{1} << 58;
inline constexpr std::uint64_t variable_window = std::uint64_t{1} << 55;
// The address of the grid workspace, behind the variables: its halves are the same number.
inline constexpr std::uint64_t half_of_grid_workspace = 0xa0'0000, grid_workspace_bytes = 4096;
inline constexpr std::uint64_t grid_workspace = half_of_grid_workspace << 32 | half_of_grid_workspace;
constexpr std::uint64_t window_of(Space space) {
  return space == Space::shared  ? shared_window
         : space == Space::local ? local_window
         : space == Space::param ? param_window
                                 : 0;
}
inline constexpr std::uint64_t buffer_address(std::size_t index) {
  return (index + 1) * window_bytes;
}

}  // namespace rooftile::ptx
