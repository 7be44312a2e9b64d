// Times of the parts of the work.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::worker {

class Stopwatch {
 public:
  Seconds elapsed() const {
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()};
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Adds the time of its scope to a list of phases.
class PhaseClock {
 public:
  PhaseClock(std::vector<Phase>& phases, std::string name) : phases_(&phases), name_(std::move(name)) {}
  ~PhaseClock() { phases_->push_back({name_, watch_.elapsed()}); }
  PhaseClock(const PhaseClock&) = delete;
  PhaseClock& operator=(const PhaseClock&) = delete;

 private:
  std::vector<Phase>* phases_;
  std::string name_;
  Stopwatch watch_;
};

}  // namespace rooftile::worker
