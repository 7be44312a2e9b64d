// All that is worked out of the rest: what is shown, and every result that is kept for the next time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/scene/chart/placed_rows.hpp"
#include "app/scene/map/kept_map.hpp"
#include "app/scene/state/shown.hpp"
#include "app/scene/state/view.hpp"
#include "app/scene/table/table_order.hpp"

namespace rooftile::scene {

struct KeptAdvice {
  struct Last {
    Point point;                 // that it is for
    std::uint64_t revision = 0;  // of the log
    std::uint64_t of_code = 0;   // revision of the compiled code that was read
    std::optional<Advice> advice;
  };
  std::optional<Places> places;  // of the chosen kernel and GPU, modelled so far
  std::optional<Last> last;
};

// The inputs that a result was made from.
template <class... From>
class MadeFrom {
 public:
  // True where the result was made from other inputs, or not yet; it counts as made from these now.
  bool outdated(const From&... now) {
    auto from = std::tuple(now...);
    return std::exchange(from_, from) != from;
  }

 private:
  std::optional<std::tuple<From...>> from_;
};

// The inputs of each part: the revision of what is known and chosen, and the values of the view it depends on.
// A bool says whether a panel is open.
struct Made {
  using Revision = std::uint64_t;
  MadeFrom<Revision> dials;
  MadeFrom<Revision, bool, std::map<std::string, LaunchEdits>> form;
  MadeFrom<Revision, bool, bool, SweepChoice, MapChoice> sweep;
  MadeFrom<Revision, std::map<std::string, bool>> kernels;
  MadeFrom<Revision, ByteDefinition, TableChoice> table;
  MadeFrom<Revision, bool, bool, bool> source;
  MadeFrom<Revision, bool> roofs;
  MadeFrom<Revision, bool, std::string, StepChoice, bool> banks, sectors;
  MadeFrom<Revision, ByteDefinition, std::optional<Origin>, bool, bool, std::string, bool,
           std::optional<Ladder>>
      chart;
  MadeFrom<Revision, ByteDefinition, bool, MapChoice> map;
  MadeFrom<Revision, MemoryLevel, ByteDefinition, std::vector<std::string>, bool, bool, std::set<std::uint64_t>,
           bool, std::optional<Ladder>>
      subject;
  MadeFrom<Revision, bool, StepChoice, bool> tile;
  MadeFrom<Revision, MemoryLevel, ByteDefinition, bool, bool> memory;
};

struct Derived {
  std::uint64_t revision = 0;  // of what is known and chosen
  Made made;
  PlacedRows placed;     // launches, for the chart
  TableKeys table_keys;  // and for the table
  KeptMap kept_map;      // and for the map
  KeptAdvice advice;
  Shown shown;
};

}  // namespace rooftile::scene
