// Accesses to whole tiles, of a warp by ldmatrix, stmatrix and wmma, of one lane by TMA. What they bring
// decides nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "analysis/ptx/program/instruction_name.hpp"
#include "analysis/ptx/program/program_analysis.hpp"
#include "analysis/ptx/run/accesses.hpp"
#include "analysis/text/error.hpp"

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

// "wmma.load.a.sync.aligned.row.m16n16k16.global.f16" is 16 rows of 16 numbers.
MatrixTile wmma_tile(std::string_view name, int element_bytes) {
  std::array<int, 3> shape = matrix_shape(name);
  constexpr int most = 64;  // of all that there are 32
  for (int& extent : shape) {
    extent = std::clamp(extent, 0, most);
  }
  const auto [m, n, k] = shape;
  const bool is_a = name.find(".a.") != std::string_view::npos,
             is_b = name.find(".b.") != std::string_view::npos;
  const bool by_columns = name.find(".col") != std::string_view::npos,
             is_turned =
                 is_b ? !by_columns : by_columns;  // lanes beside each other hold one number of a row each
  MatrixTile tile{is_b ? k : m, is_a ? k : n, element_bytes, is_a || is_b || element_bytes == 2 ? 4 : 8};
  if (by_columns) {
    std::swap(tile.rows, tile.columns);
  }
  if (is_turned && element_bytes >= 4) {
    tile.lane_bytes = element_bytes;
    tile.lanes_of_row = 8;
  }
  tile.lane_bytes = element_bytes == 8 ? 8 : tile.lane_bytes;
  return tile;
}

std::int64_t whole(std::uint64_t bits) {
  return static_cast<std::int32_t>(bits);
}

}  // namespace

// Each eight lanes name the rows of one matrix, 16 bytes each.
void Accesses::load_matrix(Access& access) {
  const Instruction& x = access.instruction;
  const std::string& name = program_.name_of(x);
  if (x.decides) {
    throw Error(
        fmt::format("{}: \"{}\" decides an address, which is not followed.", place_of(program_, x), name));
  }
  if (name.starts_with("wmma")) {
    return access_tile(access, wmma_tile(name, x.type.bytes));
  }
  const int matrices = name.find(".x4") != std::string::npos   ? 4
                       : name.find(".x2") != std::string::npos ? 2
                                                               : 1;
  const std::uint32_t rows = matrices == 4 ? all_lanes : (1U << 8 * matrices) - 1;
  for (auto& at : access.at) {
    at &= offset_mask;
  }
  if ((access.lanes & rows) != 0) {
    access.counts.bytes += 16 * std::popcount(access.lanes & rows);
    watch_shared(access, access.lanes & rows, 16, x.op == Op::ldmatrix ? AccessKind::load : AccessKind::store);
    constexpr bool as_a_store = true;  // no lanes share a row
    keep(access, access.at.data(), access.lanes & rows, 16, Space::shared);
    count_shared(access, access.lanes & rows, 16, as_a_store);
  }
}

// PTX does not say which lane moves what of a tile. A request is taken to move 8 of its rows: four lanes a row,
// 4 bytes each, of accumulators and FP64 8. So an H200 counted it for FP16 and accumulators of FP32. Numbers of
// 4 bytes and more that lie across the lanes' rows are taken to be moved one by one, 8 of each of 4 rows.
void Accesses::access_tile(Access& access, const MatrixTile& tile) {
  const Instruction& x = access.instruction;
  const Space space = space_of(access);
  const Operand* sources = program_.source(x);
  const bool has_stride = x.sources > 1 && sources[x.sources - 1].kind != Operand::Kind::address;
  const std::uint64_t base =
      access.at[std::countr_zero(access.lanes)] & (space == Space::shared ? offset_mask : ~std::uint64_t{0});
  const std::uint64_t stride =
      has_stride ? access.warp.values(sources[x.sources - 1])[std::countr_zero(access.lanes)] & 0xffffffff
                 : static_cast<std::uint64_t>(tile.columns);
  const int rows_at_once = lanes_of_warp / tile.lanes_of_row, across = tile.lanes_of_row * tile.lane_bytes;
  for (int row = 0; row < tile.rows; row += rows_at_once) {
    for (int column = 0; column < tile.columns * tile.element_bytes; column += across) {
      for (int lane = 0; lane < lanes_of_warp; ++lane) {
        const int in_row = std::min(row + lane / tile.lanes_of_row, tile.rows - 1);
        access.at[lane] = base + static_cast<std::uint64_t>(in_row * tile.element_bytes) * stride +
                          static_cast<std::uint64_t>(column + lane % tile.lanes_of_row * tile.lane_bytes);
      }
      access_part(access, space, tile.lane_bytes);
    }
  }
}

void Accesses::access_part(Access& access, Space space, int bytes) {
  const AccessKind kind = access.instruction.op == Op::ldmatrix ? AccessKind::load : AccessKind::store;
  access.counts.bytes += bytes * lanes_of_warp;
  keep(access, access.at.data(), all_lanes, bytes, space);
  if (space == Space::shared) {
    watch_shared(access, all_lanes, bytes, kind);
    count_shared(access, all_lanes, bytes, kind == AccessKind::store);
  } else if (space == Space::global) {
    check(access, access.at.data(), all_lanes, bytes);
    count_global(access, access.at.data(), all_lanes, bytes, kind);
  }
}

// Copies of TMA are a row of bytes, or the box of a tensor map. They count sectors alone, since they pass
// neither L1 nor the registers.
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
