#include "app/cli/shared/best.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <tuple>

#include "analysis/manifest/catalogue.hpp"

namespace rooftile::cli {
namespace {

// Launches can be compared where the sizes, the scalars and the caches are the same.
struct Problem {
  std::string kernel;
  Caches caches;
  Parameters parameters;
  auto operator<=>(const Problem&) const = default;
};

struct KernelBest {
  std::string kernel;
  bool of_defaults = false;
  int launches = 0;
  const LaunchReport* fastest = nullptr;
};

// If the kernel is not known any more, the work tells the problems apart.
Problem problem_of(const Point& point, const Manifest* kernel) {
  if (!kernel) {
    const ModelFigures& work = point.modelled;
    return {point.kernel, point.caches, {{"elements", work.elements}, {"bytes", work.compulsory_dram.value}}};
  }
  Problem problem{point.kernel, point.caches, point.parameters};
  std::erase_if(problem.parameters, [&](const auto& value) {
    const Parameter* parameter = kernel->parameter(value.first);
    return parameter && !parameter->is_of_problem();
  });
  return problem;
}

bool is_default(const Problem& problem, const Manifest* kernel) {
  const Parameters defaults = kernel ? complete(*kernel, {}) : Parameters{};
  return problem.caches == Caches::cold && std::ranges::all_of(problem.parameters, [&](const auto& value) {
           const auto usual = defaults.find(value.first);
           return usual != defaults.end() && usual->second == value.second;
         });
}

// A time that is predicted gives way to one that was measured.
bool is_faster(const LaunchReport& a, const LaunchReport& b) {
  return std::tuple(!a.point.timing, a.placement->time) < std::tuple(!b.point.timing, b.placement->time);
}

std::vector<KernelBest> contests(const std::vector<LaunchReport>& all, const std::vector<Manifest>& kernels) {
  std::vector<KernelBest> contests;  // in the order of their first launches
  std::map<Problem, std::size_t> positions;
  for (const LaunchReport& found : all) {
    if (!found.point.sound()) {
      continue;
    }
    const Manifest* kernel = known_kernel(kernels, found.point.kernel);
    const Problem problem = problem_of(found.point, kernel);
    const auto [position, is_new] = positions.try_emplace(problem, contests.size());
    if (is_new) {
      contests.push_back({problem.kernel, is_default(problem, kernel), 0, &found});
    }
    KernelBest& contest = contests[position->second];
    ++contest.launches;
    if (is_faster(found, *contest.fastest)) {
      contest.fastest = &found;
    }
  }
  return contests;
}

}  // namespace

std::vector<LaunchReport> best_of_each_kernel(const std::vector<LaunchReport>& all,
                                              const std::vector<Manifest>& kernels) {
  std::vector<KernelBest> of_kernels;
  for (const KernelBest& contest : contests(all, kernels)) {
    const auto rival = std::ranges::find(of_kernels, contest.kernel, &KernelBest::kernel);
    if (rival == of_kernels.end()) {
      of_kernels.push_back(contest);
    } else if (std::pair(contest.launches, contest.of_defaults) >
               std::pair(rival->launches, rival->of_defaults)) {
      *rival = contest;
    }
  }
  std::vector<LaunchReport> best;
  std::ranges::transform(of_kernels, std::back_inserter(best),
                         [](const KernelBest& it) { return *it.fastest; });
  return best;
}

}  // namespace rooftile::cli
