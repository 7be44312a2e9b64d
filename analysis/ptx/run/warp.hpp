// The registers of a warp, and where its lanes stand.
#pragma once

#include <vector>

#include "analysis/chip/launch.hpp"
#include "analysis/ptx/lanes/arithmetic.hpp"

namespace rooftile::ptx {

// The constants of a program, one register each. All its warps share them.
std::vector<Lanes> constants_of(const Program& program);

class Warp {
 public:
  Warp(const Program& program, const std::vector<Lanes>& constants);

  // At the start of the kernel: the warp of a block that stands at `at` in the grid of the launch.
  void start(const Launch& launch, Dim3 at, int index);

  // All but memory and control. lanes: that take part. Throws Error for what it does not know.
  void compute(const Instruction& instruction, std::uint32_t lanes);

  std::uint32_t predicate(std::int32_t reg) const {
    return static_cast<std::uint32_t>(registers_[reg].bits[0]);
  }
  std::uint32_t predicate_of(const Operand& operand) const;
  std::uint32_t guarded(const Instruction& instruction, std::uint32_t lanes) const {
    if (instruction.guard < 0) {
      return lanes;
    }
    const std::uint32_t holds = predicate(instruction.guard);
    return lanes & (instruction.guard_negated ? ~holds : holds);
  }
  // By lane; also of lanes that take no part.
  const std::uint64_t* values(const Operand& operand);
  void addresses(const Operand& operand, std::uint64_t* result);
  bool is_uniform(const Operand& operand) const;  // made of what all lanes have in common
  void set(const Operand& operand, std::uint32_t lanes, const std::uint64_t* values);
  // Sets the register of every lane, also of lanes that have exited.
  void set_all(std::int32_t reg, const Lanes& values);
  void set_predicate(const Operand& operand, std::uint32_t lanes, std::uint32_t holds);
  int index() const { return index_; }
  std::uint64_t cluster_rank() const;  // of its block

  struct Group {
    std::int32_t block;
    std::uint32_t lanes;
  };
  struct Waiting {
    std::int32_t block;  // where they go on
    std::uint32_t lanes;
    int barrier, threads;  // threads: that must arrive; 0: all that have not exited
  };
  std::vector<Group> groups;
  std::vector<Waiting> waiting;
  std::uint32_t alive = 0;

 private:
  enum class State : std::uint8_t { by_lane, uniform, uniform_filled };  // uniform: only element 0 is set

  std::int32_t slot(const Operand& operand) const;
  const std::uint64_t* filled(std::int32_t slot);
  void set_specials(const Launch& launch, Dim3 at);
  void set_special(Special special, std::uint64_t value);
  void compute_predicate(const Instruction& instruction, std::uint32_t lanes);
  void compare(const Instruction& instruction, std::uint32_t lanes);
  void pack(const Instruction& instruction, std::uint32_t lanes);
  void exchange(const Instruction& instruction, std::uint32_t lanes);
  void vote(const Instruction& instruction, std::uint32_t lanes);
  void match(const Instruction& instruction, std::uint32_t lanes);
  void reduce(const Instruction& instruction, std::uint32_t lanes);
  void look_up_space(const Instruction& instruction, std::uint32_t lanes);
  // The sources that are no predicates; true where all are uniform and no lane is missing.
  bool gather(const Instruction& instruction, int count, std::uint32_t lanes, Sources& sources);
  [[noreturn]] void fail(const Instruction& instruction) const;

  const Program& program_;
  const std::vector<Lanes>& constants_;
  std::vector<Lanes> registers_;  // those of the program, then the special ones
  std::vector<State> states_;
  int index_ = 0;
};

}  // namespace rooftile::ptx
