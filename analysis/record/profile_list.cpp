#include "analysis/record/profile_list.hpp"

namespace rooftile {

void ProfileList::add(const SourceProfile& profile) {
  const auto [position, is_new] = positions_.try_emplace(launch_of(profile), profiles_.size());
  if (is_new) {
    profiles_.push_back(profile);
  } else {
    profiles_[position->second] = profile;
  }
}

const SourceProfile* ProfileList::find(const Point& point) const {
  const auto position = positions_.find(launch_of(point));
  return position != positions_.end() ? &profiles_[position->second] : nullptr;
}

}  // namespace rooftile
