// Earlier results of the map: only what has changed is worked out again.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/state/kept_by_launch.hpp"
#include "app/scene/state/shown/landscape.hpp"

namespace rooftile::scene {

// A launch, or a prediction, as a cell shows it.
struct CellFigures {
  Parameters place;  // complete
  std::optional<Seconds> time;
  std::optional<double> value;       // of the metric, in its base unit
  std::optional<double> over_model;  // of a launch: measured over predicted time
  bool has_flops = false;
  std::vector<std::string> facts;
};

// A cell of the map before any launch is there.
struct EmptyCell {
  Parameters place;  // complete, with the other dials as they are
  bool legal = true;
  std::string why_not;  // not legal, or not predicted
  bool asked = false;   // for the prediction at `place`, from `compiled`
  std::optional<Compiled> compiled;
  std::optional<CellFigures> predicted;
};

// The fastest predicted of a cell over the other dials.
struct BestOfOthers {
  std::size_t asked = 0;  // of KeptMap::others
  std::optional<CellFigures> figures;
};

struct KeptMap {
  struct OnGrid {
    std::shared_ptr<const SessionLog> log;
    std::string grid;  // what it and the choice of launches depend on
    bool operator==(const OnGrid&) const = default;
  };
  struct OnMetric {
    std::shared_ptr<const SessionLog> log;
    LaunchBasis basis;
    MapMetric metric = MapMetric::time;
    bool operator==(const OnMetric&) const = default;
  };

  std::string grid;  // what the cells depend on
  std::vector<EmptyCell> cells;
  std::string others_of;            // what the two below depend on
  std::vector<Parameters> others;   // every value of the other dials, where the best over them is asked for
  std::vector<BestOfOthers> bests;  // of each cell
  KeptByLaunch<OnGrid, std::optional<std::size_t>> cell_of;  // the cell where a launch counts
  KeptByLaunch<OnMetric, CellFigures> figures;
  KeptByLaunch<LaunchBasis, std::optional<ScatterDot>> dots;  // their rate in its base unit
};

}  // namespace rooftile::scene
