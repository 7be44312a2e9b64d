#include "app/scene/tile/tile_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/ptx/trace/block_steps.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/access/launch_steps.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/tile/wrong_map.hpp"

namespace rooftile::scene {
namespace {

constexpr std::int64_t most_across = 128, most_down = 64;

std::string range_text(const char* what, std::int64_t first, std::int64_t count_of) {
  return count_of == 1 ? fmt::format("{} {}", what, count(static_cast<double>(first)))
                       : fmt::format("{}s {} to {}", what, count(static_cast<double>(first)),
                                     count(static_cast<double>(first + count_of - 1)));
}

std::string extent_text(const ptx::BufferTile& tile) {
  return tile.pitch > 0 ? range_text("row", tile.first_row, tile.rows) + ", " +
                              range_text("column", tile.first_column, tile.columns)
                        : range_text("element", tile.first_column, tile.columns);
}

TileOfBuffer tile_at(const ptx::BlockSteps& steps, const ptx::BufferTile& from, const std::string& name,
                     const TileView& view) {
  TileOfBuffer tile{fmt::format("{} ({})", name,
                                !from.stores ? "loaded"
                                : from.loads ? "loaded, stored"
                                             : "stored"),
                    extent_text(from), static_cast<int>(std::min(from.columns, most_across)),
                    static_cast<int>(std::min(from.rows, most_down))};
  tile.cells.assign(static_cast<std::size_t>(tile.across * tile.down), TileOfBuffer::untouched);
  const auto mark = [&](std::uint32_t step, int warp, const ptx::ElementRun& run) {
    const std::uint8_t cell = step != view.step   ? TileOfBuffer::earlier
                              : warp != view.warp ? TileOfBuffer::now
                              : run.lane != 0     ? TileOfBuffer::by_warp
                                                  : TileOfBuffer::by_lane;
    for (std::int64_t i = run.first; i < run.first + run.count; ++i) {
      const std::int64_t row = from.pitch > 0 ? i / from.pitch : 0;
      const std::int64_t down = (row - from.first_row) * tile.down / from.rows;
      const std::int64_t across = (i - row * from.pitch - from.first_column) * tile.across / from.columns;
      std::uint8_t& known = tile.cells[static_cast<std::size_t>(down * tile.across + across)];
      known = std::max(known, cell);
    }
  };
  steps.for_touches(from.buffer, view.step, mark);
  return tile;
}

std::optional<ptx::BufferTile> tile_of(const ptx::BlockSteps& steps, const ptx::BlockTrace& trace,
                                       const std::string& buffer) {
  const auto tiles = steps.tiles();
  const auto found = std::ranges::find_if(tiles, [&](const ptx::BufferTile& tile) {
    return trace.buffers[static_cast<std::size_t>(tile.buffer)].name == buffer;
  });
  return found != tiles.end() ? std::optional(*found) : std::nullopt;
}

void add_roofs(TileView& view, const AppState& state) {
  const Roofs roofs = roofs_of(state);
  const MemoryRoof* memory = roofs.find(MemoryLevel::l1);
  const ComputeRoof* compute = roofs.find(kernel(state).pipe);
  view.bandwidth = memory ? std::optional(memory->bandwidth.value) : std::nullopt;
  view.peak = compute ? std::optional(compute->peak.value) : std::nullopt;
}

std::string progress_text(const TileView& view, bool is_whole) {
  if (view.loaded == 0) {
    return fmt::format("Step {} of {}: the block has done {}. What it loads is not followed.", view.step + 1,
                       view.steps, text(Flops{view.flops}));
  }
  return fmt::format(
      "Step {} of {}: the block has loaded {} and done {}{}.{}", view.step + 1, view.steps,
      text(Bytes{view.loaded}), text(Flops{view.flops}),
      view.loaded > 0 && view.flops > 0 ? fmt::format(", {:.3g} FLOP/B", view.flops / view.loaded) : "",
      is_whole ? "" : " It goes on: only its first steps are followed.");
}

}  // namespace

TileView tile_view(const AppState& state) {
  TileView view;
  const ptx::BlockTrace* trace = steps_here(state);
  if (!trace) {
    view.wrong = wrong_map(state, [](const std::string&) { return std::nullopt; });
    view.notice = why_no_steps(state);
    view.notice = view.notice.empty() ? "Nobody can read here which elements a block of this kernel touches."
                                      : view.notice;
    return view;
  }
  const ptx::BlockSteps steps(*trace);
  view.warps = trace->warps;
  view.warp = std::min(state.view.steps.warp, trace->warps - 1);
  view.steps = steps.count();
  view.step = std::min(state.view.steps.step, view.steps - 1);
  view.loaded = steps.loaded(view.step);
  view.flops = steps.flops(view.step);
  for (const ptx::BufferTile& tile : steps.tiles()) {
    view.tiles.push_back(
        tile_at(steps, tile, trace->buffers[static_cast<std::size_t>(tile.buffer)].name, view));
  }
  view.wrong = wrong_map(state, [&](const std::string& buffer) { return tile_of(steps, *trace, buffer); });
  add_roofs(view, state);
  view.sentence = progress_text(view, trace->is_whole);
  return view;
}

}  // namespace rooftile::scene
