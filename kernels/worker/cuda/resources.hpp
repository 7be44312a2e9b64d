// Device memory, modules and events, each released with its owner.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/model/model.hpp"
#include "kernels/worker/cuda/device.hpp"

namespace rooftile::worker {

// The memory that a buffer takes. exact: small buffers share a page, and the driver chooses where in it they
// start. That may double a time: atomics on 1 kB of bins took 17.3 ms if the buffer started at a multiple of 1
// kB, 8.3 ms if it started 512 B further (on an H200; likely on one slice of L2, and on two). whole_pages: it
// starts with a page.
enum class Room { exact, whole_pages };

class DeviceMemory {
 public:
  DeviceMemory() = default;
  // Throws Error saying how much was asked for and how much is free.
  DeviceMemory(const Device& device, std::size_t bytes, Room room = Room::exact);
  DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceMemory();

  CUdeviceptr pointer() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }
  void fill_bytes(unsigned char value) const;
  void write(std::string_view bytes) const;       // as many as it has
  void copy(const DeviceMemory& original) const;  // as large; queued

 private:
  void swap(DeviceMemory& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(pointer_, other.pointer_);
    std::swap(bytes_, other.bytes_);
  }
  const Driver* driver_ = nullptr;
  CUdeviceptr pointer_ = 0;
  std::size_t bytes_ = 0;
};

// The values of a kernel's arguments, kept alive for as long as launches refer to them.
class Arguments {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(alignof(T) <= alignof(Value));
    add_bytes({reinterpret_cast<const char*>(&value), sizeof(T)});
  }
  void add_bytes(std::string_view value) {
    begins_.push_back(values_.size());
    values_.resize(values_.size() + (value.size() + sizeof(Value) - 1) / sizeof(Value));
    std::memcpy(&values_[begins_.back()], value.data(), value.size());
  }
  void append(const Arguments& more) {
    for (const std::size_t begin : more.begins_) {
      begins_.push_back(values_.size() + begin);
    }
    values_.insert(values_.end(), more.values_.begin(), more.values_.end());
  }
  std::string bytes() const {
    return {reinterpret_cast<const char*>(values_.data()), sizeof(Value) * values_.size()};
  }
  std::vector<void*> pointers() {
    std::vector<void*> result;
    for (const std::size_t begin : begins_) {
      result.push_back(&values_[begin]);
    }
    return result;
  }

 private:
  struct alignas(alignof(CUtensorMap)) Value {
    std::byte bytes[sizeof(CUtensorMap)];  // a struct may take several
  };
  std::vector<Value> values_;
  std::vector<std::size_t> begins_;  // of the arguments
};

// One kernel of a loaded cubin. Its module stays loaded: CUPTI does not survive the unloading of a kernel it
// has counted in a patched pass (seen with 13.0: it crashes some launches later).
class Kernel {
 public:
  Kernel(const Device& device, const std::string& cubin, const std::string& entry);

  // A variable of the module, by its symbol; empty where the module has none.
  struct Global {
    CUdeviceptr pointer = 0;
    std::size_t bytes = 0;
  };
  std::optional<Global> global(const std::string& symbol) const;

  // Queued on the default stream. Asks for dynamic shared memory and clusters above the default limits when
  // needed.
  void launch(const Launch& launch, Arguments& arguments) const;

 private:
  void allow(const Launch& launch) const;

  const Driver* driver_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  mutable int carveout_ = CU_SHAREDMEM_CARVEOUT_DEFAULT;  // the last one asked for: the function keeps it
};

class Event {
 public:
  explicit Event(const Device& device);
  Event(const Event&) = delete;
  Event(Event&& other) noexcept : driver_(other.driver_), event_(std::exchange(other.event_, nullptr)) {}
  ~Event();

  void record() const;
  // Waits for this event.
  Seconds since(const Event& start) const;

 private:
  const Driver* driver_;
  CUevent event_ = nullptr;
};

}  // namespace rooftile::worker
