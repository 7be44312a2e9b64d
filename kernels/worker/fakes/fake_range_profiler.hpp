// The range profiler of the fake CUPTI: which metrics each range of a counter data image holds. A configuration
// takes a pass for each call that added metrics to it. Passes come in turn, as from CUPTI.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace rooftile::worker {

class FakeRangeProfiler {
 public:
  void new_config() {
    pass_of_.clear();
    passes_ = 0;
  }
  void add_metrics(const char** names, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      pass_of_.emplace(names[i], passes_);
    }
    ++passes_;
  }
  int passes() const { return passes_; }

  void clear(const std::uint8_t* image) { images_[image].clear(); }
  void configure(std::uint8_t* image, bool replays) {
    image_ = image;
    replays_ = replays;
    pass_ = 0;
  }
  int pass() const { return pass_; }
  void start() { started_ = true; }
  // False where CUPTI would refuse it.
  bool push(const char* name) {
    const bool may = started_ && !replays_ && open_.empty();
    open_ = name;
    return may;
  }
  bool pop() {
    open_.clear();
    return true;
  }
  // True once the last pass was gathered; the next start() runs the next one.
  bool stop() {
    started_ = false;
    for (const std::string& name : taken_) {
      gathered_.push_back({name, pass_});
    }
    taken_.clear();
    pass_ = (pass_ + 1) % (passes_ > 0 ? passes_ : 1);
    return replays_ || pass_ == 0;
  }
  void decode() {
    for (const Gathered& one : gathered_) {
      auto& ranges = images_[image_];
      auto range = ranges.begin();
      while (range != ranges.end() && range->name != one.name) {
        ++range;
      }
      if (range == ranges.end()) {
        range = ranges.insert(range, Range{one.name, {}});
      }
      for (int pass = 0; pass < passes_; ++pass) {
        if (replays_ || pass == one.pass) {
          range->passes.insert(pass);
        }
      }
    }
    gathered_.clear();
  }

  // A kernel is launched. How it runs: "", ", replayed", ", pass 0"
  std::string launch() {
    if (!started_ || (!replays_ && open_.empty())) {
      return "";
    }
    taken_.push_back(replays_ ? std::to_string(taken_.size()) : open_);
    return replays_ ? ", replayed" : ", pass " + std::to_string(pass_);
  }

  std::size_t ranges(const std::uint8_t* image) const {
    return images_.count(image) ? images_.at(image).size() : 0;
  }
  // An image that was not filled here holds everything.
  bool holds(const std::uint8_t* image, std::size_t range, const std::string& metric) const {
    const auto pass = pass_of_.find(metric);
    return range >= ranges(image) || pass == pass_of_.end() ||
           images_.at(image)[range].passes.count(pass->second) > 0;
  }

 private:
  struct Range {
    std::string name;
    std::set<int> passes;
  };
  std::map<std::string, int> pass_of_;
  std::map<const std::uint8_t*, std::vector<Range>> images_;
  const std::uint8_t* image_ = nullptr;
  struct Gathered {
    std::string name;
    int pass;
  };
  std::vector<std::string> taken_;  // ranges since start()
  std::vector<Gathered> gathered_;  // since decode()
  std::string open_;
  int passes_ = 0, pass_ = 0;
  bool replays_ = false, started_ = false;
};

}  // namespace rooftile::worker
