// The values that an access moves, as far as they decide an address or a branch later.
#include <algorithm>
#include <cstring>

#include "analysis/ptx/lanes/arithmetic.hpp"
#include "analysis/ptx/lanes/conversion.hpp"
#include "analysis/ptx/run/accesses.hpp"

namespace rooftile::ptx {

std::uint8_t* Accesses::own_bytes(const Access& access, Space space, int lane, std::uint64_t address,
                                  int bytes) {
  std::vector<std::uint8_t>& all = space == Space::shared ? shared_ : local_;
  const auto thread = static_cast<std::uint64_t>(access.warp.index() * lanes_of_warp + lane);
  const auto size = space == Space::shared ? all.size() : static_cast<std::uint64_t>(program_.local_bytes);
  const std::uint64_t begin = space == Space::shared ? 0 : thread * size;
  const bool inside =
      address <= size && size - address >= static_cast<std::uint64_t>(bytes) && begin + size <= all.size();
  return inside ? all.data() + begin + address : nullptr;
}

std::uint64_t Accesses::read(Access& access, Space space, int lane, std::uint64_t address, int bytes) {
  if (space == Space::shared || space == Space::local) {
    std::uint64_t value = 0;
    const std::uint8_t* from = own_bytes(access, space, lane, address, bytes);
    from ? static_cast<void>(std::memcpy(&value, from, static_cast<std::size_t>(bytes)))
         : tell(Finding::Kind::outside, access, lane, address);
    return value;
  }
  const auto value =
      space == Space::param ? std::optional(memory_.parameter(address, bytes)) : memory_.read(address, bytes);
  if (!value && access.instruction.decides) {
    tell(Finding::Kind::unknown_value, access, lane, address);
  }
  return value.value_or(0);
}

void Accesses::write(Access& access, Space space, int lane, std::uint64_t address, int bytes,
                     std::uint64_t value) {
  if (space == Space::shared || space == Space::local) {
    std::uint8_t* to = own_bytes(access, space, lane, address, bytes);
    to ? static_cast<void>(std::memcpy(to, &value, static_cast<std::size_t>(bytes)))
       : tell(Finding::Kind::outside, access, lane, address);
  } else {
    memory_.write(address, bytes, value);
  }
}

void Accesses::move(Access& access, Space space) {
  const Instruction& x = access.instruction;
  const bool loads = x.op == Op::ld;
  if (loads ? !x.decides : !x.stores) {
    return;
  }
  const int bytes = std::min<int>(x.type.bytes, 8);
  const int elements = std::min<int>(x.vector, loads ? x.destinations : x.sources - 1);
  for (int element = 0; element < elements; ++element) {
    const auto further = static_cast<std::uint64_t>(element * x.type.bytes);
    if (loads) {
      Lanes made;
      for_lanes(access.lanes, [&](int lane) {
        made.bits[static_cast<std::size_t>(lane)] =
            sign_extended(read(access, space, lane, access.at[lane] + further, bytes), x.type);
      });
      access.warp.set(program_.destination(x)[element], access.lanes, made.bits.data());
    } else {
      const std::uint64_t* value = access.warp.values(program_.source(x)[1 + element]);
      for_lanes(access.lanes,
                [&](int lane) { write(access, space, lane, access.at[lane] + further, bytes, value[lane]); });
    }
  }
}

// Lane after lane.
void Accesses::combine(Access& access, Space space) {
  const Instruction& x = access.instruction;
  if (!x.stores || x.sources < 2) {
    return;
  }
  const int bytes = std::min<int>(x.type.bytes, 8);
  const std::uint64_t* b = access.warp.values(program_.source(x)[1]);
  const std::uint64_t* c = x.sources > 2 ? access.warp.values(program_.source(x)[2]) : b;
  Instruction step = x;
  step.op = combining(x.mode);
  Lanes old;
  for_lanes(access.lanes, [&](int lane) {
    std::uint64_t& before = old.bits[static_cast<std::size_t>(lane)];
    before = read(access, space, lane, access.at[lane], bytes);
    std::uint64_t after = b[lane];
    if (x.mode == 'c') {
      after = before == b[lane] ? c[lane] : before;
    } else if (x.mode == 'i') {
      after = before >= b[lane] ? 0 : before + 1;
    } else if (x.mode == 'd') {
      after = before == 0 || before > b[lane] ? b[lane] : before - 1;
    } else if (step.op != Op::mov && is_computed(step)) {
      const std::uint64_t zero = 0;
      compute(step, 1, {{&before, &b[lane], &zero, &zero}}, 0, &after);
    }
    write(access, space, lane, access.at[lane], bytes, after);
  });
  if (x.destinations > 0) {
    access.warp.set(*program_.destination(x), access.lanes, old.bits.data());
  }
}

}  // namespace rooftile::ptx
