// Braces of PTX, each with registers and labels of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

class RegisterScopes {
 public:
  static constexpr std::int64_t most_registers = 1'000'000;

  void open() { scopes_.emplace_back(); }
  void close(Program& program);  // its branches get their targets; throws Error for a label that is nowhere
  std::size_t depth() const { return scopes_.size(); }

  // count: of registers that share the name, with a number behind it; 0: one of exactly this name. False: too
  // many.
  bool declare(std::string_view name, std::int64_t count, bool predicates);
  std::optional<std::int32_t> find(std::string_view name) const;
  bool is_predicate(std::int32_t number) const { return is_predicate_[number]; }
  std::int64_t registers() const { return next_; }

  void add_label(std::string_view name, std::int32_t instruction) { scopes_.back().labels[name] = instruction; }
  void add_branch(std::int32_t instruction, std::string_view label) {
    scopes_.back().branches.emplace_back(instruction, label);
  }

 private:
  struct Registers {
    std::string_view name;
    std::int64_t first = 0, count = 0;
  };

  struct Scope {
    std::vector<Registers> registers;
    std::unordered_map<std::string_view, std::int32_t> labels;
    std::vector<std::pair<std::int32_t, std::string_view>> branches;  // whose labels are not known yet
  };

  std::vector<Scope> scopes_;
  std::vector<bool> is_predicate_;  // by number
  std::int64_t next_ = 0;
};

}  // namespace rooftile::ptx
