// The memory that a launch finds: its arguments, its buffers as ranges of addresses, and variables of the
// program. A buffer holds nothing: its elements are worked out when they are asked for, and what is stored is
// kept alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/chip/launch.hpp"
#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

struct DeviceBuffer {
  std::string name;
  std::uint64_t bytes = 0;
  int element_bytes = 4;
  std::function<std::uint64_t(std::uint64_t)> element;  // the bits of the i-th; empty: nobody knows them
};

// A program's launch: buffer i begins at buffer_address(i).
struct ProgramLaunch {
  Launch launch;
  std::string arguments;  // their bytes, as the entry's parameters lie
  std::vector<DeviceBuffer> buffers;
};

// Blocks of a cluster reach the shared memory of each other, and copies of TMA are nobody's.
bool is_shared_with_others(const Program& program, const ProgramLaunch& launch);

class Memory {
 public:
  // Both must outlive it.
  Memory(const Program& program, const ProgramLaunch& launch)
      : program_(program), launch_(launch), is_stored_to_(launch.buffers.size()) {}

  // bytes: 1, 2, 4 or 8. Empty where nothing is known of what lies there.
  std::optional<std::uint64_t> read(std::uint64_t address, int bytes) const;
  // Throws Error where a launch stores more than can be kept.
  void write(std::uint64_t address, int bytes, std::uint64_t value);
  bool holds(std::uint64_t address, int bytes) const;  // a buffer or a variable does
  std::uint64_t parameter(std::uint64_t offset, int bytes) const;

 private:
  struct Word {
    std::uint64_t bits = 0;
    std::uint8_t stored = 0;  // which of its bytes, a bit each
  };
  static std::uint64_t index_of(std::uint64_t address) { return address / window_bytes - 1; }  // of a buffer
  bool may_be_stored(std::uint64_t address) const;
  const DeviceBuffer* buffer(std::uint64_t address) const;
  std::optional<std::uint8_t> byte(std::uint64_t address) const;

  const Program& program_;
  const ProgramLaunch& launch_;
  std::unordered_map<std::uint64_t, Word> stored_;  // by the address of 8 bytes
  std::vector<bool> is_stored_to_;                  // by buffer
};

}  // namespace rooftile::ptx
