#include "kernels/inject/launch_filter.hpp"

namespace rooftile::inject {

bool LaunchFilter::means(std::size_t group, const std::string& kernel) {
  const auto [known, is_new] = meant_.try_emplace(group, true);
  if (is_new) {
    known->second = options_.kernel.empty() || RE2::PartialMatch(kernel, kernel_);
  }
  return known->second;
}

bool LaunchFilter::wants(std::size_t group) {
  if (skipped_ < options_.skip) {
    ++skipped_;
    return false;
  }
  const int nth = seen_[group]++;
  const bool its_turn = options_.every > 0 ? nth % options_.every == 0 : nth == 0;
  const bool is_wanted = its_turn && (options_.count == 0 || wanted_ < options_.count);
  wanted_ += is_wanted ? 1 : 0;
  return is_wanted;
}

}  // namespace rooftile::inject
