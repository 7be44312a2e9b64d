// Chart rows by launch.
#pragma once

#include <memory>
#include <optional>

#include "app/scene/state/kept_by_launch.hpp"
#include "app/scene/state/shown/chart.hpp"

namespace rooftile::scene {

class PlacedRows {
 public:
  struct Basis {
    std::shared_ptr<const SessionLog> log;
    Roofs roofs;
    ChartKind kind = ChartKind::roofline;
    ByteDefinition bytes = ByteDefinition::requested;
    bool operator==(const Basis&) const = default;
  };

  void rest_on(const Basis& basis) { rows_.rest_on(basis); }
  // Null where the launch has no place on this kind of chart. Valid until the launch or the basis changes.
  const ChartRow* find(const Point& point);

 private:
  KeptByLaunch<Basis, std::optional<ChartRow>> rows_;
};

}  // namespace rooftile::scene
