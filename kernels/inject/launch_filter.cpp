#include "kernels/inject/launch_filter.hpp"

namespace rooftile::inject {

bool LaunchFilter::means(std::size_t group, const std::string& kernel, const std::string& shape) {
  const auto [known, is_new] = meant_.try_emplace(group, true);
  if (is_new) {
    known->second = (options_.shape.empty() || options_.shape == shape) && means_(kernel);
  }
  return known->second;
}

bool LaunchFilter::wants(std::size_t group) {
  if (skipped_ < options_.skip) {
    ++skipped_;
    return false;
  }
  if (options_.count > 0 && counted_ >= options_.count) {
    return false;
  }
  if (options_.every > 0) {
    return seen_[group]++ % options_.every == 0;
  }
  const auto complete = complete_.find(group);
  return complete == complete_.end() || complete->second < options_.times;
}

}  // namespace rooftile::inject
