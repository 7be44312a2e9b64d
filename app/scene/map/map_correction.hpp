// Corrects predictions of the map by launches near to them: the model errs alike at places near to each other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/scene/map/map_grid.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

class MapCorrection {
 public:
  // over_model: measured over predicted time of each cell's launch.
  MapCorrection(const AppState& state, const Roofs& roofs, const MapGrid& grid,
                const std::vector<std::optional<double>>& over_model);

  // Corrects time and value of a predicted cell. The map shows a time or a rate.
  void correct(std::size_t cell, Landscape& map) const;

 private:
  struct Factor {
    Parameters place;  // of the launch
    double over_model;
  };

  std::optional<Factor> factor_at(std::size_t cell, const Landscape& map) const;
  bool is_a_move(const Parameters& place) const;
  std::optional<std::size_t> nearest_launch(std::size_t cell) const;

  const MapGrid& grid_;
  const Manifest& manifest_;
  const std::vector<std::optional<double>>& over_model_;
  Parameters present_;
  std::optional<double> over_model_here_;  // of the launch at the dials
};

}  // namespace rooftile::scene
