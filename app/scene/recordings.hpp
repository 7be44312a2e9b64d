// The measured points of a session by what was dialled, for sliders that select among them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "analysis/manifest.hpp"
#include "analysis/session_file.hpp"

namespace rooftile::scene {

// Something to draw: it ran, and it did not fail.
bool landed(const Point& point);

// In how many parameters both have the same value.
std::ptrdiff_t agreements(const Parameters& a, const Parameters& b);

class Recordings {
 public:
  // A point that has not landed is left out. Parameters that a kernel has got since have their defaults.
  void add(const Point& point, const std::vector<Manifest>& catalogue);

  bool any(const std::string& gpu) const;
  bool any(const std::string& gpu, const std::string& kernel) const { return places(gpu, kernel) > 0; }
  // At how many places of its dials the kernel was measured, cold and warm.
  std::size_t places(const std::string& gpu, const std::string& kernel) const;
  // The newest point of exactly these complete parameters.
  std::optional<std::uint64_t> find(const std::string& gpu, const std::string& kernel, Caches caches,
                                    const Parameters& complete) const;
  // The recorded parameters that agree with the wanted ones in most places.
  std::optional<Parameters> nearest(const std::string& gpu, const std::string& kernel, Caches caches,
                                    const Parameters& wanted) const;
  // The same among those whose value of this parameter is the wanted one.
  std::optional<Parameters> nearest_with(const std::string& gpu, const std::string& kernel, Caches caches,
                                         const Parameters& wanted, const std::string& parameter) const;
  // Calls visit(complete parameters, id of the newest point there) for each place.
  void each(const std::string& gpu, const std::string& kernel, Caches caches,
            const std::function<void(const Parameters&, std::uint64_t)>& visit) const;

 private:
  using Key = std::tuple<std::string, std::string, Caches>;
  std::map<Key, std::map<Parameters, std::uint64_t>> ids_;
};

}  // namespace rooftile::scene
