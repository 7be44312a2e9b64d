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
  times,
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
    {Panel::kernels, "Kernels", "kernels", "This lists the kernels by the problem that they solve."},
    {Panel::dials, "Dials", "dials", "You choose the values of the kernel and of its launch here."},
    {Panel::shares, "Shares of the roofs", "shares",
     "This says what bounds the launch, and how much of each roof it uses."},
    {Panel::occupancy, "Occupancy of one SM", "SM",
     "This shows how many blocks and warps fit one SM, and what limits them."},
    {Panel::points, "Points", "points", "Each line is a launch that you have visited."},
    {Panel::map, "Map", "map", "Each cell is a place of two dials. A click goes there."},
    {Panel::why, "Why", "why", "This explains why the last step made the launch faster or slower."},
    {Panel::source, "Source", "source", "Each line of the kernel stands beside its figures."},
    {Panel::banks, "Banks", "banks", "This shows which banks of shared memory the lanes of a warp touch."},
    {Panel::sectors, "Sectors", "sectors",
     "This shows which sectors of global memory the lanes of a warp touch."},
    {Panel::tile, "Tile", "tile", "This shows which elements a block reads and writes in each step."},
    {Panel::memory, "Memory", "memory", "This shows the bytes on their way from DRAM to the SMs."},
    {Panel::roofs, "Roofs", "roofs",
     "Each line is a limit of this GPU. A click shows where its figures come from."},
    {Panel::curves, "Occupancy", "curves",
     "The curves show where one more register, byte or thread loses a block."},
    {Panel::times, "Launches", "times",
     "Each dot is a launch of the program: when it began, and how long it took."},
    {Panel::launch, "Launch", "launch",
     "You say here how your kernel is launched: block, grid, arguments, buffers."},
    {Panel::proof, "Proof", "proof", "Each line is a check of the figures."}};

constexpr const PanelWords& words_of(Panel panel) {
  return *std::ranges::find(panels, panel, &PanelWords::panel);
}

// Tabs of a window with room for columns: below the chart, and at the right of a low one.
inline constexpr Panel lower_tabs[] = {Panel::points, Panel::map,     Panel::why,   Panel::source,
                                       Panel::banks,  Panel::sectors, Panel::tile,  Panel::memory,
                                       Panel::roofs,  Panel::curves,  Panel::times, Panel::launch};
inline constexpr Panel side_tabs[] = {Panel::occupancy, Panel::proof};

// Tabs of pictures and of sources, which need more height than tables.
inline constexpr Panel tall_tabs[] = {Panel::map,  Panel::why,    Panel::source, Panel::banks, Panel::sectors,
                                      Panel::tile, Panel::memory, Panel::curves, Panel::times};

constexpr bool is_one_of(std::span<const Panel> some, Panel panel) {
  return std::ranges::find(some, panel) != some.end();
}

}  // namespace rooftile::scene
