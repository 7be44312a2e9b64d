// Declarations of PTX: what lies where in parameters and in global, constant, shared and local memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/ptx/program/program.hpp"
#include "analysis/ptx/text/ptx_cursor.hpp"

namespace rooftile::ptx {

// Reads at the cursor into the program. All of it throws Error with the line.
class Declarations {
 public:
  Declarations(Cursor& cursor, Program& program) : cursor_(cursor), program_(program) {}

  void parse_parameters();                       // from behind "(" to behind ")"
  void parse_variables(std::string_view space);  // from behind ".shared" to behind ";"
  void parse_call_parameter();                   // from behind ".param" to behind ";"
  // Their places in local memory, by name, for the calls of the function that is read.
  using CallParameters = std::unordered_map<std::string_view, std::uint64_t>;
  CallParameters& of_calls() { return of_calls_; }
  std::optional<std::uint64_t> address(std::string_view name) const;
  // An array of shared memory whose size stands in the launch: it lies behind all others.
  bool is_dynamic(std::string_view name) const;

 private:
  struct Declaration {
    std::string_view name;
    Type element;
    std::int64_t bytes = 0;
    int alignment = 1;
    bool dynamic = false;
  };

  Declaration parse_declaration();
  void parse_lengths(Declaration& declared);
  void declare_local(const Declaration& declared);
  void declare_shared(const Declaration& declared);
  void declare_variable(const Declaration& declared);
  void parse_data(Variable& variable, int bytes);
  std::uint64_t number_or_zero();
  void append(std::string& data, std::uint64_t value, int bytes);
  int place(int end, const Declaration& declared, int most, const char* wanted);

  Cursor& cursor_;
  Program& program_;
  std::unordered_map<std::string_view, std::uint64_t> addresses_;
  CallParameters of_calls_;
  std::vector<std::string_view> dynamic_;
  std::uint64_t next_variable_ = variable_window;
};

}  // namespace rooftile::ptx
