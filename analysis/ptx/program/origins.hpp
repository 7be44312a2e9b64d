// Tells what the registers of a program are made of. Ask before analyse() numbers registers anew.
#pragma once

#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

class Origins {
 public:
  explicit Origins(const Program& program);

  // The parameters that the address of an access may be made of, a bit each; all bits where nobody knows.
  // Parameters are taken to point to buffers of their own.
  std::uint64_t pointers_of(const Instruction& access) const;
  bool is_made_of_data(const Instruction& instruction) const;  // that was loaded from memory
  bool is_address_made_of_data(const Instruction& access) const;

 private:
  struct Origin {
    std::uint64_t parameters = 0, pointers = 0;  // pointers: those known to be global addresses
    bool data = false;
    bool operator==(const Origin&) const = default;
  };
  Origin of_sources(const Instruction& instruction) const;
  Origin of_result(const Instruction& instruction) const;
  Origin of_address(const Instruction& access) const;

  const Program& program_;
  std::vector<Origin> origins_;  // by register
};

}  // namespace rooftile::ptx
