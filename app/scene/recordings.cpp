#include "app/scene/recordings.hpp"

#include <algorithm>

namespace rooftile::scene {
namespace {

// Left as they are when the kernel is unknown, or has lost one of them.
Parameters as_of_now(const Point& point, const std::vector<Manifest>& catalogue) {
  const auto manifest = std::ranges::find(catalogue, point.kernel, &Manifest::name);
  const bool known =
      manifest != catalogue.end() && std::ranges::all_of(point.parameters, [&](const auto& entry) {
        return manifest->parameter(entry.first) != nullptr;
      });
  return known ? complete(*manifest, point.parameters) : point.parameters;
}

}  // namespace

std::ptrdiff_t agreements(const Parameters& a, const Parameters& b) {
  return std::ranges::count_if(a, [&](const auto& entry) {
    const auto other = b.find(entry.first);
    return other != b.end() && other->second == entry.second;
  });
}

bool landed(const Point& point) {
  return point.timing && !point.failure;
}

void Recordings::add(const Point& point, const std::vector<Manifest>& catalogue) {
  if (landed(point)) {
    ids_[{point.gpu, point.kernel, point.caches}][as_of_now(point, catalogue)] = point.id;
  }
}

bool Recordings::any(const std::string& gpu) const {
  return std::ranges::any_of(ids_, [&](const auto& entry) { return std::get<0>(entry.first) == gpu; });
}

std::size_t Recordings::places(const std::string& gpu, const std::string& kernel) const {
  std::size_t sum = 0;
  for (const Caches caches : {Caches::cold, Caches::warm}) {
    const auto of_kernel = ids_.find({gpu, kernel, caches});
    sum += of_kernel == ids_.end() ? 0 : of_kernel->second.size();
  }
  return sum;
}

std::optional<std::uint64_t> Recordings::find(const std::string& gpu, const std::string& kernel, Caches caches,
                                              const Parameters& complete) const {
  const auto of_kernel = ids_.find({gpu, kernel, caches});
  if (of_kernel == ids_.end()) {
    return std::nullopt;
  }
  const auto found = of_kernel->second.find(complete);
  return found != of_kernel->second.end() ? std::optional(found->second) : std::nullopt;
}

void Recordings::each(const std::string& gpu, const std::string& kernel, Caches caches,
                      const std::function<void(const Parameters&, std::uint64_t)>& visit) const {
  const auto of_kernel = ids_.find({gpu, kernel, caches});
  if (of_kernel == ids_.end()) {
    return;
  }
  for (const auto& [values, id] : of_kernel->second) {
    visit(values, id);
  }
}

std::optional<Parameters> Recordings::nearest(const std::string& gpu, const std::string& kernel, Caches caches,
                                              const Parameters& wanted) const {
  const auto of_kernel = ids_.find({gpu, kernel, caches});
  if (of_kernel == ids_.end()) {
    return std::nullopt;
  }
  return std::ranges::max_element(of_kernel->second, {},
                                  [&](const auto& entry) { return agreements(entry.first, wanted); })
      ->first;
}

std::optional<Parameters> Recordings::nearest_with(const std::string& gpu, const std::string& kernel,
                                                   Caches caches, const Parameters& wanted,
                                                   const std::string& parameter) const {
  const auto of_kernel = ids_.find({gpu, kernel, caches});
  if (of_kernel == ids_.end()) {
    return std::nullopt;
  }
  const Parameters* nearest = nullptr;
  for (const auto& [values, id] : of_kernel->second) {
    const auto value = values.find(parameter);
    if (value != values.end() && value->second == wanted.at(parameter) &&
        (!nearest || agreements(values, wanted) > agreements(*nearest, wanted))) {
      nearest = &values;
    }
  }
  return nearest ? std::optional(*nearest) : std::nullopt;
}

}  // namespace rooftile::scene
