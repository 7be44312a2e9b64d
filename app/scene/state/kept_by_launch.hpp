// Results of one launch each, worked out once: again when the launch changes in its log, or when the basis of
// all results changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "analysis/record/session_file.hpp"

namespace rooftile::scene {

// The log, and what else figures of a launch rest on.
struct LaunchBasis {
  std::shared_ptr<const SessionLog> log;
  Roofs roofs;
  std::optional<Gpu> gpu;
  ByteDefinition bytes = ByteDefinition::requested;
  bool operator==(const LaunchBasis&) const = default;
};

// Basis: has a member `log`.
template <class Basis, class Result>
class KeptByLaunch {
 public:
  // Forgets the results of launches that have changed in the log; on another basis all of them.
  void rest_on(const Basis& basis) {
    const PointList& points = basis.log->points;
    if (!(basis == basis_)) {
      basis_ = basis;
      results_.clear();
    } else {
      for (const std::size_t position : points.changed_since(revision_)) {
        results_.erase(points[position].id);
      }
    }
    revision_ = points.revision();
  }

  // work_out(point) where the result is not known yet. The reference holds until the launch or the basis
  // changes.
  template <class WorkOut>
  const Result& of(const Point& point, const WorkOut& work_out) {
    const auto found = results_.find(point.id);
    return found != results_.end() ? found->second : results_.emplace(point.id, work_out(point)).first->second;
  }

  const Basis& basis() const { return basis_; }

 private:
  Basis basis_;
  std::uint64_t revision_ = 0;  // of the log's launches
  std::unordered_map<std::uint64_t, Result> results_;
};

}  // namespace rooftile::scene
