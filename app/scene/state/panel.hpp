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
};

// In the order of the rail of a small window.
inline constexpr PanelWords panels[] = {{Panel::kernels, "Kernels", "kernels"},
                                        {Panel::dials, "Dials", "dials"},
                                        {Panel::shares, "Shares of the roofs", "shares"},
                                        {Panel::occupancy, "Occupancy of one SM", "SM"},
                                        {Panel::points, "Points", "points"},
                                        {Panel::map, "Map", "map"},
                                        {Panel::why, "Why", "why"},
                                        {Panel::source, "Source", "source"},
                                        {Panel::banks, "Banks", "banks"},
                                        {Panel::sectors, "Sectors", "sectors"},
                                        {Panel::tile, "Tile", "tile"},
                                        {Panel::memory, "Memory", "memory"},
                                        {Panel::roofs, "Roofs", "roofs"},
                                        {Panel::curves, "Occupancy", "curves"},
                                        {Panel::launch, "Launch", "launch"},
                                        {Panel::proof, "Proof", "proof"}};

constexpr const PanelWords& words_of(Panel panel) {
  return *std::ranges::find(panels, panel, &PanelWords::panel);
}

// Tabs of a window with room for columns: below the chart, and at the right of a low one.
inline constexpr Panel lower_tabs[] = {Panel::points, Panel::map,     Panel::why,   Panel::source,
                                       Panel::banks,  Panel::sectors, Panel::tile,  Panel::memory,
                                       Panel::roofs,  Panel::curves,  Panel::launch};
inline constexpr Panel side_tabs[] = {Panel::occupancy, Panel::proof};

// Tabs of pictures, which need more height than tables.
inline constexpr Panel pictures[] = {Panel::map,  Panel::why,    Panel::banks, Panel::sectors,
                                     Panel::tile, Panel::memory, Panel::curves};

constexpr bool is_one_of(std::span<const Panel> some, Panel panel) {
  return std::ranges::find(some, panel) != some.end();
}

}  // namespace rooftile::scene
