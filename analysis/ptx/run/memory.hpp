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

using Elements = std::function<std::uint64_t(std::uint64_t)>;  // the bits of the i-th

struct DeviceBuffer {
  std::string name;
  std::uint64_t bytes = 0;
  int element_bytes = 4;
  Elements element;  // empty: nobody knows them
};

// A variable of the program that is filled before the launch.
struct FilledVariable {
  std::string name;  // as C++ writes it: "ours::table"
  int element_bytes = 4;
  std::function<Elements(std::uint64_t)> elements;  // of so many
};

// A matrix of a buffer, and the box of it that a copy of TMA moves: what an argument says of them.
struct TensorMapOfLaunch {
  std::size_t argument = 0, buffer = 0;  // its place among the bytes of the arguments; which buffer
  std::int64_t rows = 0, columns = 0, row_stride = 0, box_rows = 0, box_columns = 0;  // elements
  int element_bytes = 4;
};

// A program's launch: buffer i begins at buffer_address(i).
struct ProgramLaunch {
  Launch launch;
  std::string arguments;  // their bytes, as the entry's parameters lie
  std::vector<DeviceBuffer> buffers;
  std::vector<FilledVariable> variables;  // of the program's; the others have what was compiled
  std::vector<TensorMapOfLaunch> maps = {};
};

// Blocks of a cluster reach the shared memory of each other, and copies of TMA are nobody's.
bool is_shared_with_others(const Program& program, const ProgramLaunch& launch);

class Memory {
 public:
  // Both must outlive it.
  Memory(const Program& program, const ProgramLaunch& launch);

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
  struct Contents {  // of a variable that is filled
    int element_bytes = 0;
    Elements element;
  };
  static std::uint64_t index_of(std::uint64_t address) { return address / window_bytes - 1; }  // of a buffer
  bool may_be_stored(std::uint64_t address) const;
  const DeviceBuffer* buffer(std::uint64_t address) const;
  std::optional<std::uint8_t> byte(std::uint64_t address) const;
  std::optional<std::uint8_t> byte_of_variable(std::uint64_t address) const;

  const Program& program_;
  const ProgramLaunch& launch_;
  std::vector<std::optional<Contents>> contents_;   // by variable; empty: those that were compiled
  std::unordered_map<std::uint64_t, Word> stored_;  // by the address of 8 bytes
  std::vector<bool> is_stored_to_;                  // by buffer
};

}  // namespace rooftile::ptx
