// What is worked out of the rest: all that is shown, and every result that is kept for the next time.
#pragma once

#include <cstdint>
#include <optional>

#include "app/scene/chart/placed_rows.hpp"
#include "app/scene/map/kept_map.hpp"
#include "app/scene/state/shown.hpp"
#include "app/scene/table/table_order.hpp"

namespace rooftile::scene {

// The last advice that was worked out, and what of.
struct KeptAdvice {
  Point point;
  std::uint64_t revision = 0;  // of the log
  std::optional<Advice> advice;
};

struct Derived {
  PlacedRows placed;             // launches, for the chart
  TableKeys table_keys;          // and for the table
  KeptMap kept_map;              // and for the map
  std::optional<Places> places;  // of the chosen kernel and GPU, modelled for advice so far
  std::optional<KeptAdvice> advice;
  Shown shown;
};

}  // namespace rooftile::scene
