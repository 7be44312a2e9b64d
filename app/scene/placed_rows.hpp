// Chart rows by launch: each is worked out once, and again when the launch or what all rows rest on has
// changed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "analysis/session_file.hpp"
#include "app/scene/shown.hpp"

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

  // Forgets the rows of launches that have changed in the log; on another basis all of them.
  void rest_on(const Basis& basis);
  // Null where the launch has no place on this kind of chart. Valid until another basis.
  const ChartRow* find(const Point& point);

 private:
  std::optional<ChartRow> work_out(const Point& point) const;

  Basis basis_;
  std::uint64_t revision_ = 0;  // of the log's launches
  std::unordered_map<std::uint64_t, std::optional<ChartRow>> rows_;
};

}  // namespace rooftile::scene
