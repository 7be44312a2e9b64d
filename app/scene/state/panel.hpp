// The panels beside the chart. Whether one is a column, a tab or a drawer is the layout's business.
#pragma once

#include <algorithm>
#include <span>

namespace rooftile::scene {

enum class Panel {
  kernels,
  dials,
  shares,
  occupancy,
  points,
  map,
  why,
  source,
  banks,
  sectors,
  tile,
  memory,
  roofs,
  curves,
  launch,
  proof
};

struct PanelWords {
  Panel panel;
  const char* title;  // above it
  const char* word;   // below its icon
  const char* shows;  // a sentence
};

// In the order of the rail of a small window.
inline constexpr PanelWords panels[] = {
    {Panel::kernels, "Kernels", "kernels", "The kernels, grouped by the problem that they solve."},
    {Panel::dials, "Dials", "dials", "What can be turned: of the kernel, and of its launch."},
    {Panel::shares, "Shares of the roofs", "shares",
     "What bounds the launch, and how much of each roof it uses."},
    {Panel::occupancy, "Occupancy of one SM", "SM",
     "How many blocks and warps fit one SM, and what keeps more out."},
    {Panel::points, "Points", "points", "The launches that you have visited, a line each."},
    {Panel::map, "Map", "map", "The time of two dials' places, a cell each. A click goes there."},
    {Panel::why, "Why", "why", "Why the last step made the launch faster or slower."},
    {Panel::source, "Source", "source", "The kernel's lines, with the figures of each."},
    {Panel::banks, "Banks", "banks", "Which banks of shared memory the lanes of a warp touch."},
    {Panel::sectors, "Sectors", "sectors", "Which sectors of global memory the lanes of a warp touch."},
    {Panel::tile, "Tile", "tile", "Which elements a block reads and writes in each step."},
    {Panel::memory, "Memory", "memory", "The bytes on their way from DRAM to the SMs."},
    {Panel::roofs, "Roofs", "roofs", "The limits of this GPU, and where their figures come from."},
    {Panel::curves, "Occupancy", "curves",
     "Occupancy over registers, shared memory and block size, with each place where a block is lost."},
    {Panel::launch, "Launch", "launch", "How your kernel is launched: block, grid, arguments, buffers."},
    {Panel::proof, "Proof", "proof", "How the figures were checked against each other."}};

constexpr const PanelWords& words_of(Panel panel) {
  return *std::ranges::find(panels, panel, &PanelWords::panel);
}

// Tabs of a window with room for columns: below the chart, and at the right of a low one.
inline constexpr Panel lower_tabs[] = {Panel::points, Panel::map,     Panel::why,   Panel::source,
                                       Panel::banks,  Panel::sectors, Panel::tile,  Panel::memory,
                                       Panel::roofs,  Panel::curves,  Panel::launch};
inline constexpr Panel side_tabs[] = {Panel::occupancy, Panel::proof};

// Tabs of pictures and of sources, which need more height than tables.
inline constexpr Panel tall_tabs[] = {Panel::map,     Panel::why,  Panel::source, Panel::banks,
                                      Panel::sectors, Panel::tile, Panel::memory, Panel::curves};

constexpr bool is_one_of(std::span<const Panel> some, Panel panel) {
  return std::ranges::find(some, panel) != some.end();
}

}  // namespace rooftile::scene
