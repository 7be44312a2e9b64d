// The measured points of a session by what was dialled, for sliders that select among them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/record/session_file.hpp"

namespace rooftile::scene {

// Something to draw: it ran, and it did not fail.
bool landed(const Point& point);

// In how many parameters both have the same value.
std::ptrdiff_t agreements(const Parameters& a, const Parameters& b);

class Recordings {
 public:
  // The newest state of a launch. Parameters that a kernel has got since have their defaults. A point that has
  // not landed is found by known_at() alone.
  void add(const Point& point, const std::vector<Manifest>& catalogue);

  bool any(const std::string& gpu) const;
  bool any(const std::string& gpu, const std::string& kernel) const { return places(gpu, kernel) > 0; }
  // At how many places of its dials the kernel was measured, cold and warm.
  std::size_t places(const std::string& gpu, const std::string& kernel) const;
  // The newest point of exactly these complete parameters.
  std::optional<std::uint64_t> find(const std::string& gpu, const std::string& kernel, Caches caches,
                                    const Parameters& complete) const;
  // The same, but where none has landed one whose result is wrong.
  std::optional<std::uint64_t> seen_at(const std::string& gpu, const std::string& kernel, Caches caches,
                                       const Parameters& complete) const;
  // The recorded parameters, of launches that landed or whose result is wrong, that agree with the wanted ones
  // in most places.
  std::optional<Parameters> nearest(const std::string& gpu, const std::string& kernel, Caches caches,
                                    const Parameters& wanted) const;
  // The nearest of the recorded parameters that have the wanted value of this parameter.
  std::optional<Parameters> nearest_with(const std::string& gpu, const std::string& kernel, Caches caches,
                                         const Parameters& wanted, const std::string& parameter) const;
  // Calls visit(complete parameters, id of the newest point there) for each place.
  void each(const std::string& gpu, const std::string& kernel, Caches caches,
            const std::function<void(const Parameters&, std::uint64_t)>& visit) const;
  // The newest points of all places of one problem, the fastest first; none whose result is wrong.
  std::vector<std::uint64_t> by_speed(const std::string& gpu, const std::string& kernel, Caches caches,
                                      const Parameters& problem) const;
  std::optional<std::uint64_t> fastest(const std::string& gpu, const std::string& kernel, Caches caches,
                                       const Parameters& problem) const;
  // The known points of exactly these complete parameters, the newest first: the newest point that has landed,
  // and the newest that has not.
  std::vector<std::uint64_t> known_at(const std::string& gpu, const std::string& kernel, Caches caches,
                                      const Parameters& complete) const;

 private:
  struct Landed {
    std::uint64_t id = 0;
    Seconds time;
    auto operator<=>(const Landed& other) const {
      return std::pair(time.value, id) <=> std::pair(other.time.value, other.id);
    }
  };
  // One kernel on one GPU with cold or warm caches.
  struct OfKernel {
    std::map<Parameters, Landed> places;
    std::map<Parameters, std::set<Landed>> by_speed;  // by problem
    std::map<Parameters, std::uint64_t> unlanded;     // predicted, compiled or failed
    std::map<Parameters, std::uint64_t> refuted;      // whose result is wrong, at places where none landed
    std::vector<const Parameters*> seen() const;      // where one landed or was refuted
  };
  using Key = std::tuple<std::string, std::string, Caches>;

  const OfKernel* find(const std::string& gpu, const std::string& kernel, Caches caches) const;
  const std::set<Landed>* problem(const std::string& gpu, const std::string& kernel, Caches caches,
                                  const Parameters& problem) const;

  std::map<Key, OfKernel> kernels_;
};

}  // namespace rooftile::scene
