// The cells of the map by place: two dials of one kernel, across and down, row by row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "app/scene/map/kept_map.hpp"
#include "app/scene/state/shown/landscape.hpp"

namespace rooftile::scene {

class MapGrid {
 public:
  // present: the complete place of the dials. The choice names a dial across, and may name one down.
  MapGrid(const Manifest& manifest, const Parameters& present, const MapChoice& choice);

  const MapAxis& across() const { return across_; }
  const MapAxis& down() const { return down_; }  // has no values where the kernel has one dial
  std::size_t size() const { return rows() * columns(); }
  bool is_axis(const std::string& dial) const { return dial == across_.parameter || dial == down_.parameter; }
  bool is_present(const Parameters& place) const;

  // The dials that are given, without those of the axes.
  Parameters held_dials() const;
  // The complete place of a cell beside these dials.
  Parameters place_of(std::size_t cell, Parameters others) const;
  // The other dials stay as they are.
  std::vector<EmptyCell> empty_cells() const;
  // Every value of the other dials; empty where all cells together have more such places than most_places.
  std::vector<Parameters> every_other(double most_places) const;

  // The cell where a launch counts: its work is the same, and so are its other dials, unless the map shows the
  // best over them.
  std::optional<std::size_t> cell_of(const Point& launch) const;
  std::size_t steps_between(std::size_t a, std::size_t b) const;

 private:
  std::size_t columns() const { return across_.values.size(); }
  std::size_t rows() const { return down_.values.empty() ? 1 : down_.values.size(); }
  MapAxis axis(const Parameter& parameter) const;
  bool is_comparable(const Parameters& values) const;

  const Manifest& manifest_;
  const Parameters& present_;
  bool over_others_;
  MapAxis across_, down_;
};

}  // namespace rooftile::scene
