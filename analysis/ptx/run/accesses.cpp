#include "analysis/ptx/run/accesses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

#include "analysis/ptx/lanes/conversion.hpp"
#include "analysis/ptx/program/program_analysis.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::uint64_t rank_mask = 0xff;
constexpr int line_repeats = 128, bank_repeats = 4;

AccessKind kind_of(const Instruction& x) {
  return x.op == Op::ld ? AccessKind::load : x.op == Op::st ? AccessKind::store : AccessKind::atomic;
}

// The lanes that mean a word, for each word that some of them mean.
std::map<std::uint64_t, int> lanes_of_words(const std::uint64_t* addresses, std::uint32_t lanes) {
  std::map<std::uint64_t, int> lanes_of;
  for_lanes(lanes, [&](int lane) { lanes_of[addresses[lane]] += 1; });
  return lanes_of;
}

// Shared memory adds no floats: ptxas makes a loop of it.
bool swaps_until_it_succeeds(const Instruction& x) {
  return (x.op == Op::atom || x.op == Op::red) && x.type.kind == 'f';
}

}  // namespace

Accesses::Accesses(const Program& program, const ProgramLaunch& launch, Memory& memory)
    : program_(program),
      launch_(launch),
      memory_(memory),
      shared_(static_cast<std::size_t>(program.static_shared_bytes + launch.launch.dynamic_shared_bytes)),
      memos_(program.instructions.size()),
      last_addresses_(program.instructions.size()),
      first_addresses_(last_addresses_),
      ranges_(program.instructions.size()),
      told_(program.instructions.size()) {}

void Accesses::start_block() {
  std::ranges::fill(first_addresses_, 0);
  std::ranges::fill(shared_, std::uint8_t{0});
  if (holds_contents(Space::local)) {
    local_.assign(static_cast<std::size_t>(program_.local_bytes * launch_.launch.block.count()), 0);
  }
}

void Accesses::run(Warp& warp, std::int32_t number, std::uint32_t lanes, Counts& counts) {
  const Instruction& x = program_.instructions[number];
  const bool moves_data = x.op == Op::ld || x.op == Op::st || x.op == Op::ldmatrix || x.op == Op::stmatrix;
  if (trace_ && moves_data && x.space == Space::shared && !holds_contents(Space::shared)) {
    return;  // a trace is of global memory
  }
  Access access{warp, number, x, lanes, counts.instructions[number], {}};
  if (x.op == Op::mbarrier) {
    return test_barrier(access);
  }
  if (x.op == Op::mapa) {
    return map_shared(access);
  }
  warp.addresses(address_of(x), access.at.data());
  if (x.op != Op::cp_async && x.op != Op::cp_bulk) {
    note_address(number, access.at[std::countr_zero(lanes)]);
  }
  switch (x.op) {
    case Op::ld:
    case Op::st:
    case Op::atom:
    case Op::red:
      return x.space == Space::param ? load_parameter(access) : load_or_store(access);
    case Op::cp_async:
      return copy(access);
    case Op::ldmatrix:
    case Op::stmatrix:
      return load_matrix(access);
    case Op::cp_bulk:
      return copy_bulk(access);
    default:
      return;
  }
}

const Operand& Accesses::address_of(const Instruction& x) const {
  const std::span<const Operand> sources(program_.source(x), x.sources);
  const auto address = std::ranges::find(sources, Operand::Kind::address, &Operand::kind);
  if (address == sources.end()) {
    throw Error(fmt::format("{}: \"{}\" has no address.", place_of(program_, x), program_.name_of(x)));
  }
  return *address;
}

void Accesses::note_address(std::int32_t number, std::uint64_t address) {
  last_addresses_[number] = address;
  first_addresses_[number] = first_addresses_[number] == 0 ? address : first_addresses_[number];
}

// Waits are over at once: no other warp could bring what is waited for before this one goes on.
void Accesses::test_barrier(Access& access) {
  const Instruction& x = access.instruction;
  if (x.destinations > 0) {
    x.has(tests) ? access.warp.set_predicate(*program_.destination(x), access.lanes, all_lanes)
                 : access.warp.set(*program_.destination(x), access.lanes, access.at.data());
  }
}

// An address in the shared memory of another block holds its rank, from 1, above the offset.
void Accesses::map_shared(Access& access) {
  const Instruction& x = access.instruction;
  if (x.destinations == 0 || x.sources < 2) {
    return;
  }
  access.warp.addresses(program_.source(x)[0], access.at.data());
  const std::uint64_t* rank = access.warp.values(program_.source(x)[1]);
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    access.at[lane] |= (rank[lane] + 1) << rank_shift;
  }
  access.warp.set(*program_.destination(x), access.lanes, access.at.data());
}

// The lanes that mean this block's shared memory; what the others move passes through L1.
std::uint32_t Accesses::own_lanes(Access& access) {
  const std::uint64_t own = access.warp.cluster_rank() + 1;
  std::uint32_t others = 0;
  for_lanes(access.lanes, [&](int lane) {
    const std::uint64_t rank = access.at[lane] >> rank_shift & rank_mask;
    others |= std::uint32_t{rank != 0 && rank != own} << lane;
  });
  if (others != 0) {
    const int bytes = access.instruction.type.bytes * access.instruction.vector;
    const Request request = global_request(access.at.data(), others, bytes, kind_of(access.instruction));
    access.counts.remote_sectors += request.global.sectors;
    if (kind_of(access.instruction) == AccessKind::atomic) {
      access.counts.remote_requests += 1;
      access.counts.remote_lanes += std::popcount(others);
      access.counts.of_one_word += request.of_one_word;
    }
  }
  for (auto& at : access.at) {
    at &= (std::uint64_t{1} << rank_shift) - 1;
  }
  return access.lanes & ~others;
}

void Accesses::load_parameter(Access& access) {
  const Instruction& x = access.instruction;
  const int bytes = x.type.bytes;
  const bool is_same = access.lanes == access.warp.alive && access.warp.is_uniform(address_of(x));
  for (int element = 0; element < x.destinations; ++element) {
    const Operand& to = program_.destination(x)[element];
    const auto value = [&](int lane) {
      return sign_extended(
          memory_.parameter(access.at[lane] + static_cast<std::uint64_t>(element * bytes), std::min(bytes, 8)),
          x.type);
    };
    Lanes made;
    if (is_same && to.kind == Operand::Kind::reg) {
      made.bits.fill(value(std::countr_zero(access.lanes)));
      access.warp.set_all(to.index, made);
    } else {
      for_lanes(access.lanes, [&](int lane) { made.bits[static_cast<std::size_t>(lane)] = value(lane); });
      access.warp.set(to, access.lanes, made.bits.data());
    }
  }
}

// A generic address says itself where it lies; all lanes of a warp are taken to mean the same space.
Space Accesses::space_of(const Access& access) const {
  const Space space = access.instruction.space;
  if (space != Space::generic) {
    return space;
  }
  const std::uint64_t first = access.at[std::countr_zero(access.lanes)];
  return (first & local_window) != 0    ? Space::local
         : (first & shared_window) != 0 ? Space::shared
         : (first & param_window) != 0  ? Space::param
                                        : Space::global;
}

// ptxas lets the first lane act for all where an atomic of whole numbers has one address for the warp.
std::uint32_t Accesses::acting_lanes(const Access& access) const {
  const Instruction& x = access.instruction;
  const bool is_whole_number = x.type.kind == 's' || x.type.kind == 'u' || x.type.kind == 'b';
  const bool is_joined = kind_of(x) == AccessKind::atomic && is_whole_number && x.type.bytes == 4 &&
                         combining(x.mode) != Op::mov && access.warp.is_uniform(address_of(x));
  return is_joined ? access.lanes & (0 - access.lanes) : access.lanes;
}

void Accesses::load_or_store(Access& access) {
  const Instruction& x = access.instruction;
  const Space space = space_of(access);
  int bytes = x.type.bytes * x.vector;
  const std::uint32_t lanes = space == Space::global ? acting_lanes(access) : access.lanes;
  access.counts.bytes += bytes * std::popcount(lanes);
  if (space == Space::global || space == Space::constant) {
    check(access, access.at.data(), access.lanes, bytes);
    if (space == Space::global) {
      access.counts.joined_lanes += std::popcount(access.lanes & ~lanes);
      keep(access, access.at.data(), lanes, bytes, space);
      count_global(access, access.at.data(), lanes, bytes, kind_of(x));
    }
  } else if (space == Space::shared) {
    const bool is_mapped = (access.at[std::countr_zero(access.lanes)] >> rank_shift & rank_mask) != 0;
    const std::uint32_t own = own_lanes(access);
    watch_shared(access, own, bytes, kind_of(x));
    if (own != 0 && !is_part_of_wide_access(access)) {
      bytes = std::max(bytes, int{x.wide_bytes});
      keep(access, access.at.data(), own, bytes, space);
      count_shared(access, own, bytes, x.op != Op::ld);
      if (swaps_until_it_succeeds(x)) {
        count_swaps(access, own);
      } else if (is_mapped && kind_of(x) == AccessKind::atomic) {
        count_in_turns(access, own);
      }
    }
  } else {
    for (auto& at : access.at) {
      at &= local_window - 1;
    }
    if (space == Space::local && !x.has(of_call)) {
      count_local(access, bytes);
    }
  }
  kind_of(x) == AccessKind::atomic ? combine(access, space) : move(access, space);
}

void Accesses::count_global(Access& access, const std::uint64_t* addresses, std::uint32_t lanes, int bytes,
                            AccessKind kind) {
  if (trace_) {
    trace_->add(access.number, addresses, lanes, bytes);
  }
  if (access.counts.requests == 0 && !first_global_.contains(access.number)) {
    first_global_[access.number] = {lane_addresses(addresses, lanes, line_bytes), bytes};
  }
  const Request& request = memos_[access.number].find(
      addresses, lanes, bytes, line_repeats, [&] { return global_request(addresses, lanes, bytes, kind); });
  access.counts.requests += 1;
  access.counts.sectors += request.global.sectors;
  access.counts.lines += request.global.lines;
  access.counts.partial_lines += request.global.partial_lines;
  access.counts.of_one_word += request.of_one_word;
  access.counts.cycles += request.global.cycles;
}

void Accesses::count_shared(Access& access, std::uint32_t lanes, int bytes, bool store) {
  if (access.counts.shared_requests == 0 && !first_shared_.contains(access.number)) {
    first_shared_[access.number] = {lane_addresses(access.at.data(), lanes, bank_count * bank_bytes), bytes};
  }
  const Request& request = memos_[access.number].find(access.at.data(), lanes, bytes, bank_repeats, [&] {
    return shared_request(access.at.data(), lanes, bytes, store);
  });
  access.counts.shared_requests += 1;
  access.counts.wavefronts += request.wavefronts;
  access.counts.ideal_wavefronts += request.ideal;
}

// The words of a lane's memory lie beside those of the other lanes, so that one element of all lanes is a line.
void Accesses::count_local(Access& access, int bytes) {
  constexpr std::uint64_t word_bytes = 4;
  for (int part = 0; part < bytes; part += word_bytes) {
    std::array<std::uint64_t, lanes_of_warp> at{};
    for_lanes(access.lanes, [&](int lane) {
      const std::uint64_t word = (access.at[lane] + static_cast<std::uint64_t>(part)) / word_bytes;
      at[lane] = word_bytes * (word * lanes_of_warp + static_cast<std::uint64_t>(lane));
    });
    access.counts.local_sectors +=
        global_request(at.data(), access.lanes, word_bytes, kind_of(access.instruction)).global.sectors;
  }
}

// Several lanes may add to one word: one of them succeeds in each trip. If other warps add to the same word,
// the loop takes more trips, which are not counted.
void Accesses::count_swaps(Access& access, std::uint32_t lanes) {
  constexpr double wavefronts_of_trip = 2;  // it loads the word and swaps it
  int most = 0;
  for (const auto& [word, sharers] : lanes_of_words(access.at.data(), lanes)) {
    most = std::max(most, sharers);
    access.counts.trip_lanes += 0.5 * sharers * (sharers + 1);
  }
  access.counts.trips += most;
  access.counts.wavefronts += wavefronts_of_trip * most;
}

// An atomic at an address of the cluster does not join the lanes that mean one word, as one at a block's own
// address does: each takes a wavefront. Counted on an H200.
void Accesses::count_in_turns(Access& access, std::uint32_t lanes) {
  int most = 0;
  for (const auto& [word, sharers] : lanes_of_words(access.at.data(), lanes)) {
    most = std::max(most, sharers);
  }
  access.counts.wavefronts += most - 1;
}

void Accesses::keep(const Access& access, const std::uint64_t* addresses, std::uint32_t lanes, int bytes,
                    Space space) {
  if (requests_) {
    requests_->add(access.number, addresses, lanes, bytes, space == Space::shared);
  }
}

void Accesses::watch_shared(const Access& access, std::uint32_t lanes, int bytes, AccessKind kind) {
  if (touches_) {
    touches_->touch(access.number, access.warp.index(), lanes, access.at.data(), bytes, kind);
  }
}

// The load of the lowest address counts for all that ptxas joins.
bool Accesses::is_part_of_wide_access(const Access& access) {
  return access.instruction.wide_lead >= 0 && access.instruction.wide_lead != access.number;
}

void Accesses::check(Access& access, const std::uint64_t* addresses, std::uint32_t lanes, int bytes) {
  std::uint64_t least = ~std::uint64_t{0}, most = 0, together = 0;
  for_lanes(lanes, [&](int lane) {
    least = std::min(least, addresses[lane]);
    most = std::max(most, addresses[lane]);
    together |= addresses[lane];
  });
  ranges_[access.number].add(least, most + static_cast<std::uint64_t>(bytes));
  if (least / window_bytes == most / window_bytes && memory_.holds(most, bytes) && together % bytes == 0) {
    return;
  }
  for_lanes(lanes, [&](int lane) {
    if (addresses[lane] % static_cast<std::uint64_t>(bytes) != 0) {
      tell(Finding::Kind::misaligned, access, lane, addresses[lane]);
    } else if (!memory_.holds(addresses[lane], bytes)) {
      tell(Finding::Kind::outside, access, lane, addresses[lane]);
    }
  });
}

void Accesses::tell(Finding::Kind kind, const Access& access, int lane, std::uint64_t address) {
  if (!told_[access.number]) {
    told_[access.number] = true;
    findings_.push_back({kind, access.number, lane, access.warp.index(), address});
  }
}

// cp.async is a request even where it reads nothing. Past L1 (.cg), a sector counts twice where its halves go
// to two sectors of shared memory: so counted on an H200.
void Accesses::copy(Access& access) {
  const Instruction& x = access.instruction;
  const Operand* sources = program_.source(x);
  if (x.sources < 3 || sources[1].kind != Operand::Kind::address) {
    throw Error(fmt::format("{}: \"{}\" lacks an operand.", place_of(program_, x), program_.name_of(x)));
  }
  const int bytes = static_cast<int>(std::clamp<std::uint64_t>(sources[2].value, 4, 16));
  std::array<std::uint64_t, lanes_of_warp> from{}, shifted{};
  access.warp.addresses(sources[1], from.data());
  note_address(access.number, from[std::countr_zero(access.lanes)]);
  std::uint32_t reading = access.lanes;
  if (x.has(ignores)) {
    reading &= ~access.warp.predicate_of(sources[x.sources - 1]);
  } else if (x.sources > 3 && sources[3].kind != Operand::Kind::none) {
    const std::uint64_t* size = access.warp.values(sources[3]);
    for_lanes(access.lanes, [&](int lane) { reading &= ~(std::uint32_t{size[lane] == 0} << lane); });
  }
  for (auto& at : access.at) {
    at &= offset_mask;
  }
  if (touches_) {
    touches_->copy(access.number, access.warp.index(), access.lanes, access.at.data(), bytes);
  }
  access.counts.requests += reading == 0 ? 1 : 0;
  if (reading != 0) {
    check(access, from.data(), reading, bytes);
    keep(access, from.data(), reading, bytes, Space::global);
    const std::uint64_t shift = program_.name_of(x).starts_with("cp.async.cg") ? 31 : 0;
    for_lanes(reading,
              [&](int lane) { shifted[lane] = from[lane] + ((access.at[lane] - from[lane]) & shift); });
    count_global(access, shifted.data(), reading, bytes, AccessKind::load);
    access.counts.bytes += bytes * std::popcount(reading);
  }
  if (!x.stores) {
    return;
  }
  for_lanes(access.lanes, [&](int lane) {
    for (std::uint64_t word = 0; word < static_cast<std::uint64_t>(bytes); word += 4) {
      const bool read_here = (reading >> lane & 1) != 0;
      write(access, Space::shared, lane, access.at[lane] + word, 4,
            read_here ? read(access, Space::global, lane, from[lane] + word, 4) : 0);
    }
  });
}

}  // namespace rooftile::ptx
