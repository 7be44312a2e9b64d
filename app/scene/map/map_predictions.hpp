// Predictions for the cells of the map where nothing was measured.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/scene/chart/chart.hpp"
#include "app/scene/map/map_grid.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

class MapPredictions {
 public:
  // kept: the cells and what was predicted for them before.
  MapPredictions(const AppState& state, const Roofs& roofs, MapMetric metric, const MapGrid& grid,
                 KeptMap& kept)
      : state_(state), roofs_(roofs), metric_(metric), grid_(grid), kept_(kept) {}

  // Predicts a cell as dialled, and over the other dials for as long as the frame has time. Empty where
  // nothing is predicted: why_not of the kept cell says why.
  std::optional<CellFigures> predict(std::size_t cell, const Gpu& device);
  // Some predictions over the other dials are still to be made.
  bool unfinished() const { return unfinished_; }

 private:
  void predict_as_dialled(EmptyCell& cell, const Gpu& device) const;
  void predict_over_others(std::size_t cell);
  bool is_unread(const Parameters& place) const;
  CellFigures unread(const Parameters& place) const;
  std::optional<CellFigures> predicted(const std::optional<Ghost>& model_says) const;

  // Each takes about 0.1 ms, and a frame 16.
  static constexpr int predictions_at_once = 100;

  const AppState& state_;
  const Roofs& roofs_;
  const MapMetric metric_;
  const MapGrid& grid_;
  KeptMap& kept_;
  int predictions_left_ = predictions_at_once;
  bool unfinished_ = false;
};

}  // namespace rooftile::scene
