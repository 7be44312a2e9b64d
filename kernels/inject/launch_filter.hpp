// Which launches of a program are counted.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "analysis/record/program/profile_options.hpp"

namespace rooftile::inject {

class LaunchFilter {
 public:
  // means: whether a kernel of this name is one of those meant.
  LaunchFilter(const ProfileOptions& options, std::function<bool(const std::string& kernel)> means)
      : options_(options), means_(std::move(means)) {}

  // Whether launches of this kernel and shape are meant. group: the number of both.
  bool means(std::size_t group, const std::string& kernel, const std::string& shape);
  // Whether to count this launch of a kernel that is meant.
  bool wants(std::size_t group);
  // Tells of a launch that was counted, and of a group that needs no more of them.
  void counted() { ++counted_; }
  void complete(std::size_t group) { ++complete_[group]; }
  // All groups are counted once more.
  void begin_again() { complete_.clear(); }

 private:
  ProfileOptions options_;
  std::function<bool(const std::string&)> means_;
  std::map<std::size_t, bool> meant_;  // of each group: asking is slow beside a launch
  int skipped_ = 0, counted_ = 0;
  std::map<std::size_t, int> complete_;  // how many times over
  std::map<std::size_t, int> seen_;      // of each group, after those that are skipped
};

}  // namespace rooftile::inject
