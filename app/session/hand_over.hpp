// From one thread to another: put on one side, take everything at once on the other.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace rooftile {

template <class T>
class HandOver {
 public:
  void put(T value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
    }
    arrived_.notify_one();
  }

  std::vector<T> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(values_, {});
  }

  // Waits until there is something to take, at most so long.
  void wait(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, at_most, [this] { return !values_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<T> values_;
};

}  // namespace rooftile
