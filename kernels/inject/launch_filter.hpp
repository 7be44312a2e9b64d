// Which launches of a program are counted.
#pragma once

#include <re2/re2.h>

#include <map>
#include <set>
#include <string>

#include "analysis/record/program/profile_options.hpp"

namespace rooftile::inject {

class LaunchFilter {
 public:
  explicit LaunchFilter(const ProfileOptions& options)
      : options_(options), kernel_(options.kernel, RE2::Quiet) {}

  // Whether a kernel of this name is one of those meant. group: a number for its kernel and shape.
  bool means(std::size_t group, const std::string& kernel);
  // Whether to count this launch of a kernel that is meant.
  bool wants(std::size_t group);
  // Tells of a launch that was counted, and of a group that needs no more of them.
  void counted() { ++counted_; }
  void complete(std::size_t group) { complete_.insert(group); }
  // All groups are counted once more.
  void begin_again() { complete_.clear(); }

 private:
  ProfileOptions options_;
  RE2 kernel_;
  std::map<std::size_t, bool> meant_;  // of each group: an expression is slow beside a launch
  int skipped_ = 0, counted_ = 0;
  std::set<std::size_t> complete_;
  std::map<std::size_t, int> seen_;  // of each group, after those that are skipped
};

}  // namespace rooftile::inject
