// The launches of a session that were looked at line by line, each in its newest profile.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/record/point.hpp"
#include "analysis/record/source_profile.hpp"

namespace rooftile {

class ProfileList {
 public:
  // Replaces the older one of its launch.
  void add(const SourceProfile& profile);
  // Null for a launch that was not looked at. Valid until the next add.
  const SourceProfile* find(const Point& point) const;

  auto begin() const { return profiles_.begin(); }
  auto end() const { return profiles_.end(); }
  std::size_t size() const { return profiles_.size(); }
  bool empty() const { return profiles_.empty(); }
  const SourceProfile& front() const { return profiles_.front(); }
  bool operator==(const ProfileList&) const = default;

 private:
  using Launch = std::tuple<std::string, Parameters, Caches, std::string>;  // kernel and GPU around
  static Launch launch_of(const auto& it) { return {it.kernel, it.parameters, it.caches, it.gpu}; }

  std::vector<SourceProfile> profiles_;
  std::map<Launch, std::size_t> positions_;
};

}  // namespace rooftile
