#include "app/scene/state/recordings.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace rooftile::scene {
namespace {

// Left as they are when the kernel is unknown, or has lost one of them.
Parameters as_of_now(const Point& point, const Manifest* manifest) {
  const bool known = manifest && std::ranges::all_of(point.parameters, [&](const auto& entry) {
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
  const auto manifest = std::ranges::find(catalogue, point.kernel, &Manifest::name);
  const Parameters values = as_of_now(point, manifest != catalogue.end() ? &*manifest : nullptr);
  OfKernel& kernel = kernels_[{point.gpu, point.kernel, point.caches}];
  auto& of_problem =
      kernel.by_speed[manifest != catalogue.end() ? problem_of(*manifest, values) : Parameters{}];
  const auto before = kernel.places.find(values);
  if (before != kernel.places.end() && (landed(point) || before->second.id == point.id)) {
    of_problem.erase(before->second);
    kernel.places.erase(before);
  }
  if (landed(point)) {
    const Landed now{point.id, point.timing->median};
    kernel.places.emplace(values, now);
    if (point.competes()) {
      of_problem.insert(now);
    }
    if (const auto place = kernel.unlanded.find(values);
        place != kernel.unlanded.end() && place->second == point.id) {
      kernel.unlanded.erase(place);
    }
    kernel.refuted.erase(values);
  } else {
    kernel.unlanded[values] = point.id;
    if (point.wrong() && !kernel.places.contains(values)) {
      kernel.refuted[values] = point.id;
    }
  }
}

const Recordings::OfKernel* Recordings::find(const std::string& gpu, const std::string& kernel,
                                             Caches caches) const {
  const auto found = kernels_.find({gpu, kernel, caches});
  return found != kernels_.end() ? &found->second : nullptr;
}

bool Recordings::any(const std::string& gpu) const {
  return std::ranges::any_of(kernels_, [&](const auto& entry) {
    return std::get<0>(entry.first) == gpu && !entry.second.places.empty();
  });
}

std::size_t Recordings::places(const std::string& gpu, const std::string& kernel) const {
  std::size_t sum = 0;
  for (const Caches caches : {Caches::cold, Caches::warm}) {
    const OfKernel* of_kernel = find(gpu, kernel, caches);
    sum += of_kernel ? of_kernel->places.size() : 0;
  }
  return sum;
}

std::optional<std::uint64_t> Recordings::find(const std::string& gpu, const std::string& kernel, Caches caches,
                                              const Parameters& complete) const {
  const OfKernel* of_kernel = find(gpu, kernel, caches);
  if (!of_kernel) {
    return std::nullopt;
  }
  const auto found = of_kernel->places.find(complete);
  return found != of_kernel->places.end() ? std::optional(found->second.id) : std::nullopt;
}

std::optional<std::uint64_t> Recordings::seen_at(const std::string& gpu, const std::string& kernel,
                                                 Caches caches, const Parameters& complete) const {
  if (const auto landed = find(gpu, kernel, caches, complete)) {
    return landed;
  }
  const OfKernel* of_kernel = find(gpu, kernel, caches);
  if (!of_kernel) {
    return std::nullopt;
  }
  const auto refuted = of_kernel->refuted.find(complete);
  return refuted != of_kernel->refuted.end() ? std::optional(refuted->second) : std::nullopt;
}

void Recordings::each(const std::string& gpu, const std::string& kernel, Caches caches,
                      const std::function<void(const Parameters&, std::uint64_t)>& visit) const {
  if (const OfKernel* of_kernel = find(gpu, kernel, caches)) {
    for (const auto& [values, landed] : of_kernel->places) {
      visit(values, landed.id);
    }
  }
}

const std::set<Recordings::Landed>* Recordings::problem(const std::string& gpu, const std::string& kernel,
                                                        Caches caches, const Parameters& problem) const {
  const OfKernel* of_kernel = find(gpu, kernel, caches);
  if (!of_kernel) {
    return nullptr;
  }
  const auto found = of_kernel->by_speed.find(problem);
  return found != of_kernel->by_speed.end() ? &found->second : nullptr;
}

std::vector<std::uint64_t> Recordings::by_speed(const std::string& gpu, const std::string& kernel,
                                                Caches caches, const Parameters& problem) const {
  std::vector<std::uint64_t> ids;
  if (const auto* launches = this->problem(gpu, kernel, caches, problem)) {
    ids.reserve(launches->size());
    std::ranges::transform(*launches, std::back_inserter(ids), &Landed::id);
  }
  return ids;
}

std::optional<std::uint64_t> Recordings::fastest(const std::string& gpu, const std::string& kernel,
                                                 Caches caches, const Parameters& problem) const {
  const auto* launches = this->problem(gpu, kernel, caches, problem);
  return launches && !launches->empty() ? std::optional(launches->begin()->id) : std::nullopt;
}

std::vector<std::uint64_t> Recordings::known_at(const std::string& gpu, const std::string& kernel,
                                                Caches caches, const Parameters& complete) const {
  std::vector<std::uint64_t> ids;
  const OfKernel* of_kernel = find(gpu, kernel, caches);
  if (!of_kernel) {
    return ids;
  }
  if (const auto place = of_kernel->places.find(complete); place != of_kernel->places.end()) {
    ids.push_back(place->second.id);
  }
  if (const auto place = of_kernel->unlanded.find(complete); place != of_kernel->unlanded.end()) {
    ids.push_back(place->second);
  }
  std::ranges::sort(ids, std::greater{});
  return ids;
}

std::vector<const Parameters*> Recordings::OfKernel::seen() const {
  std::vector<const Parameters*> all;
  for (const auto& [values, landed] : places) {
    all.push_back(&values);
  }
  for (const auto& [values, id] : refuted) {
    all.push_back(&values);
  }
  return all;
}

std::optional<Parameters> Recordings::nearest(const std::string& gpu, const std::string& kernel, Caches caches,
                                              const Parameters& wanted) const {
  const OfKernel* of_kernel = find(gpu, kernel, caches);
  if (!of_kernel || of_kernel->places.empty()) {
    return std::nullopt;
  }
  if (seen_at(gpu, kernel, caches, wanted)) {
    return wanted;
  }
  const std::vector<const Parameters*> seen = of_kernel->seen();
  return **std::ranges::max_element(seen, {},
                                    [&](const Parameters* values) { return agreements(*values, wanted); });
}

std::optional<Parameters> Recordings::nearest_with(const std::string& gpu, const std::string& kernel,
                                                   Caches caches, const Parameters& wanted,
                                                   const std::string& parameter) const {
  const OfKernel* of_kernel = find(gpu, kernel, caches);
  if (!of_kernel) {
    return std::nullopt;
  }
  const Parameters* nearest = nullptr;
  for (const Parameters* values : of_kernel->seen()) {
    const auto value = values->find(parameter);
    if (value != values->end() && value->second == wanted.at(parameter) &&
        (!nearest || agreements(*values, wanted) > agreements(*nearest, wanted))) {
      nearest = values;
    }
  }
  return nearest ? std::optional(*nearest) : std::nullopt;
}

}  // namespace rooftile::scene
