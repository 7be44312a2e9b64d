// A gate in the queue of the device: events and launches behind it wait until it is opened. They then follow
// each other at once, so that a time between events holds no part of the host's launch latency.
#pragma once

#include <filesystem>

#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

class LaunchGate {
 public:
  // sources: the folder kernels/.
  LaunchGate(const Device& device, const Compiler& compiler, const std::filesystem::path& sources);
  ~LaunchGate();
  LaunchGate(const LaunchGate&) = delete;
  LaunchGate& operator=(const LaunchGate&) = delete;

  // Between close() and open() nothing may wait for the device. If something does, or the host pauses, the gate
  // opens by itself after 0.2 s. The next launch is held again; after two late launches none is held until
  // take_not_held().
  void close();
  void open() noexcept;
  // Launches since the last call that were not held until they were queued. The device must be done with them.
  int take_not_held();

 private:
  struct Words {  // in memory of the host that the device reads and writes
    unsigned opened, late;
  };

  const Driver* driver_;
  Kernel hold_;
  Words* words_ = nullptr;
  CUdeviceptr on_device_ = 0;
  unsigned turn_ = 0;
  int skipped_ = 0;  // launches that nothing held
};

// Closes a gate, if there is one, and opens it again whatever happens.
class HeldBack {
 public:
  explicit HeldBack(LaunchGate* gate);
  ~HeldBack();
  HeldBack(const HeldBack&) = delete;
  HeldBack& operator=(const HeldBack&) = delete;

 private:
  LaunchGate* gate_;
};

}  // namespace rooftile::worker
