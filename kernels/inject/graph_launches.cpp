#include "kernels/inject/graph_launches.hpp"

#include <algorithm>
#include <iterator>

namespace rooftile::inject {
namespace {

// A trace comes within a second.
constexpr std::size_t most_under_way = 1 << 16;
// Before the latest one that was told: those of other streams come in another order.
constexpr std::size_t likely_under_way = 64;

}  // namespace

int GraphLaunches::number_of(CUgraphExec graph) {
  const auto [found, is_new] = numbers_.try_emplace(graph, numbered_ + 1);
  numbered_ += is_new ? 1 : 0;
  return found->second;
}

void GraphLaunches::launched(std::uint32_t correlation, std::size_t group) {
  launches_[correlation].group = group;
  if (launches_.size() > most_under_way) {
    launches_.erase(launches_.begin());
  }
}

void GraphLaunches::traced(std::uint32_t correlation, std::uint64_t start, std::uint64_t end) {
  const auto found = launches_.find(correlation);
  if (found == launches_.end()) {
    return;
  }
  Kernels& kernels = found->second;
  kernels.start = kernels.count == 0 ? start : std::min(kernels.start, start);
  kernels.end = std::max(kernels.end, end);
  ++kernels.count;
  traced(correlation);
}

void GraphLaunches::traced(std::uint32_t correlation) {
  const auto found = launches_.find(correlation);
  if (found != launches_.end()) {
    found->second.is_traced = true;
    latest_ = std::max(latest_, correlation);
  }
}

std::vector<GraphRun> GraphLaunches::take_ended(bool all) {
  std::vector<GraphRun> ended;
  const auto until = all ? launches_.end() : launches_.lower_bound(latest_);
  auto left = static_cast<std::size_t>(std::distance(launches_.begin(), until));
  for (; left > (all ? 0 : likely_under_way); --left) {
    const auto& [group, kernels, is_traced, start, end] = launches_.begin()->second;
    if (is_traced) {
      ended.push_back({group, kernels, {1e-9 * static_cast<double>(end - start)}});
    }
    launches_.erase(launches_.begin());
  }
  return ended;
}

}  // namespace rooftile::inject
