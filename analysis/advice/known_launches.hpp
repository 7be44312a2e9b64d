// The facts that the launches of one kernel on one GPU tell about its places: the measured times by problem,
// and what the compiler made of the dials. Learned once, however many launches are then advised.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/record/point.hpp"
#include "analysis/record/session_file.hpp"

namespace rooftile {

// The point outlives this.
struct KnownLaunch {
  Parameters place;  // complete
  const Point* point = nullptr;
};
// The launches of a log, in its order; a launch is left out if the kernel no longer has one of its parameters.
std::vector<KnownLaunch> launches_of(const SessionLog& log, const Manifest& manifest, const std::string& gpu);

class KnownLaunches {
 public:
  // The manifest outlives this.
  explicit KnownLaunches(const Manifest& manifest) : manifest_(manifest) {}
  KnownLaunches(const Manifest& manifest, const std::vector<KnownLaunch>& launches);

  // Replaces what is known about the place.
  void add(const KnownLaunch& launch);

  // At a complete place; null where no launch tells.
  const Compiled* compiled(const Parameters& place) const;
  // The launches with a time that solve the same problem as this complete place, by their places.
  using Timed = std::map<Parameters, const Point*>;
  const Timed& timed(const Parameters& place, Caches caches) const;

 private:
  Parameters compiled_values_of(const Parameters& place) const;

  const Manifest& manifest_;
  std::map<Parameters, Compiled> compiled_;               // by macros
  std::map<std::pair<Parameters, Caches>, Timed> timed_;  // by problem
};

}  // namespace rooftile
