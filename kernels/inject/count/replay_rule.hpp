// Whether CUPTI may still replay launches of this program. Replay suits programs that launch a kernel once;
// where launches repeat, each of them can be counted in one pass, which changes neither memory nor caches.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "analysis/model/model.hpp"
#include "analysis/record/program/profile_options.hpp"

namespace rooftile::inject {

class ReplayRule {
 public:
  explicit ReplayRule(ReplayUse use);

  // Tells of each launch. group: a number for its kernel and shape.
  void launched(std::size_t group);
  void replayed(Seconds cost);
  // Whether another replay, as dear as those before on average, fits into 1 s, or a tenth of the time that the
  // program has been running if that is more.
  bool affords_another(Seconds running) const;
  // The GPU's memory. CUPTI saves what is in use: fast beside it, and slowly on the host where it has no room.
  void sees_memory(double free, double total);

  // The answer changes once: CUPTI takes 0.2 s to change between the two ways (H200).
  bool allows() const { return reason_.empty(); }
  // Whether anything can still change it.
  bool is_open() const { return use_ == ReplayUse::seldom && allows(); }
  // "a kernel was launched 4 times"; empty while launches are replayed.
  const std::string& reason() const { return reason_; }

 private:
  void stop(const std::string& reason);

  ReplayUse use_;
  std::map<std::size_t, int> launches_;
  Seconds spent_;
  int replays_ = 0;
  std::string reason_;
};

}  // namespace rooftile::inject
