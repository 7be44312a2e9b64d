// Copies of TMA, each asked for by one lane: a row of bytes, or the box of a tensor map. They count sectors
// alone, since they pass neither L1 nor the registers; what they bring decides nothing.
#include <algorithm>
#include <span>

#include "analysis/ptx/run/accesses.hpp"

namespace rooftile::ptx {
namespace {

// The coordinates stand behind the address of the map, the innermost first.
struct Tensor {
  const Operand* map = nullptr;
  std::span<const Operand> coordinates;
};

Tensor tensor_of(std::span<const Operand> sources) {
  for (std::size_t i = 0; i + 1 < sources.size(); ++i) {
    if (sources[i].kind == Operand::Kind::address && sources[i + 1].kind != Operand::Kind::address) {
      const auto after = std::find_if(sources.begin() + static_cast<std::ptrdiff_t>(i) + 1, sources.end(),
                                      [](const Operand& x) { return x.kind == Operand::Kind::address; });
      return {&sources[i], {sources.begin() + static_cast<std::ptrdiff_t>(i) + 1, after}};
    }
  }
  return {};
}

std::int64_t whole(std::uint64_t bits) {
  return static_cast<std::int32_t>(bits);
}

}  // namespace

void Accesses::copy_bulk(Access& access) {
  const std::string& name = program_.name_of(access.instruction);
  const std::span<const Operand> sources(program_.source(access.instruction), access.instruction.sources);
  std::array<std::uint64_t, lanes_of_warp> at{};
  if (name.find(".tensor") == std::string::npos) {
    if (sources.size() > 2 && sources[1].kind == Operand::Kind::address) {
      access.warp.addresses(sources[access.instruction.space == Space::global ? 0 : 1], at.data());
      const std::uint64_t* bytes = access.warp.values(sources[2]);
      for_lanes(access.lanes, [&](int lane) { copy_rows(access, at[lane], bytes[lane] & 0xffffffff, 1, 0); });
    }
    return;
  }
  const Tensor tensor = tensor_of(sources);
  if (!tensor.map || tensor.coordinates.size() < 2) {
    return;
  }
  access.warp.addresses(*tensor.map, at.data());
  for_lanes(access.lanes, [&](int lane) {
    const auto map =
        std::ranges::find(launch_.maps, at[lane] & (param_window - 1), &TensorMapOfLaunch::argument);
    if (map != launch_.maps.end()) {
      copy_box(access, *map, whole(access.warp.values(tensor.coordinates[0])[lane]),
               whole(access.warp.values(tensor.coordinates[1])[lane]));
    }
  });
}

// TMA fills with zeros what lies outside of the matrix, and reads nothing there.
void Accesses::copy_box(Access& access, const TensorMapOfLaunch& map, std::int64_t column, std::int64_t row) {
  const std::int64_t left = std::max<std::int64_t>(column, 0),
                     right = std::min(column + map.box_columns, map.columns);
  const std::int64_t top = std::max<std::int64_t>(row, 0), bottom = std::min(row + map.box_rows, map.rows);
  if (left < right && top < bottom) {
    const std::int64_t bytes = map.element_bytes;
    copy_rows(access,
              buffer_address(map.buffer) + static_cast<std::uint64_t>((top * map.row_stride + left) * bytes),
              static_cast<std::uint64_t>((right - left) * bytes), bottom - top,
              static_cast<std::uint64_t>(map.row_stride * bytes));
  }
}

void Accesses::copy_rows(Access& access, std::uint64_t first, std::uint64_t bytes, std::int64_t rows,
                         std::uint64_t apart) {
  constexpr std::uint64_t bytes_of_sector = 32, most_bytes = 1 << 20;  // no shared memory holds more
  if (bytes == 0 || !is_global(first) || bytes > most_bytes ||
      static_cast<std::uint64_t>(rows) * bytes > most_bytes) {
    return;
  }
  note_address(access.number, first);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint64_t begin = first + static_cast<std::uint64_t>(row) * apart;
    access.counts.sectors +=
        static_cast<double>((begin + bytes - 1) / bytes_of_sector - begin / bytes_of_sector + 1);
  }
  access.counts.bytes += static_cast<double>(rows) * static_cast<double>(bytes);
  ranges_[access.number].add(first, first + static_cast<std::uint64_t>(rows - 1) * apart + bytes);
  if (trace_) {
    trace_->add_rows(access.number, first, bytes, rows, apart);
  }
}

}  // namespace rooftile::ptx
