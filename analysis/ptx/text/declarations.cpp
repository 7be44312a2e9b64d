#include "analysis/ptx/text/declarations.hpp"

#include <algorithm>

#include "analysis/ptx/program/instruction_name.hpp"
#include "analysis/ptx/text/ptx_names.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::int64_t most_declared_bytes = std::int64_t{1} << 40;
constexpr std::int64_t most_data = 1 << 20;  // that a variable begins with

int rounded_up(int end, int alignment) {
  return (end + alignment - 1) / alignment * alignment;
}

}  // namespace

void Declarations::parse_parameters() {
  while (!cursor_.take(')')) {
    if (cursor_.word() != ".param") {
      cursor_.fail("a parameter");
    }
    const Declaration declared = parse_declaration();
    const int end = place(program_.parameter_bytes, declared, 1 << 16, "at most 64 KiB of parameters");
    const int offset = end - static_cast<int>(declared.bytes);
    program_.parameters.push_back({std::string(declared.name), offset, static_cast<int>(declared.bytes)});
    program_.parameter_bytes = end;
    cursor_.take(',');
  }
}

void Declarations::parse_variables(std::string_view space) {
  do {
    const Declaration declared = parse_declaration();
    if (space == ".shared") {
      declare_shared(declared);
    } else if (space == ".local") {
      program_.local_bytes = place(program_.local_bytes, declared, 1 << 19, "less local memory");
    } else {
      declare_variable(declared);
    }
  } while (cursor_.take(','));
  cursor_.expect(';');
}

void Declarations::parse_call_parameter() {
  const Declaration declared = parse_declaration();
  const int before = program_.local_bytes;
  program_.local_bytes = place(before, declared, 1 << 19, "fewer parameters of calls");
  program_.call_bytes += program_.local_bytes - before;
  of_calls_[declared.name] =
      static_cast<std::uint64_t>(program_.local_bytes - static_cast<int>(declared.bytes));
  cursor_.expect(';');
}

std::optional<std::uint64_t> Declarations::address(std::string_view name) const {
  const auto known = addresses_.find(name);
  return known == addresses_.end() ? std::nullopt : std::optional(known->second);
}

bool Declarations::is_dynamic(std::string_view name) const {
  return std::ranges::find(dynamic_, name) != dynamic_.end();
}

// ".align 16 .b8 name[4][8]", behind the word for its space.
Declarations::Declaration Declarations::parse_declaration() {
  Declaration declared;
  bool of_what_it_points_to = false;
  std::string_view word;
  while ((word = cursor_.word()).starts_with('.')) {
    if (word == ".align") {
      const auto alignment = static_cast<int>(std::clamp<std::int64_t>(cursor_.whole(), 1, 1 << 16));
      declared.alignment = of_what_it_points_to ? declared.alignment : alignment;
    }
    of_what_it_points_to = of_what_it_points_to || word == ".ptr";
    declared.element = type_named(word.substr(1)).value_or(declared.element);
  }
  if (word.empty()) {
    cursor_.fail("a name");
  }
  declared.name = word;
  declared.alignment = std::max<int>(declared.alignment, declared.element.bytes);
  parse_lengths(declared);
  return declared;
}

void Declarations::parse_lengths(Declaration& declared) {
  declared.bytes = declared.element.bytes;
  while (cursor_.take('[')) {
    declared.dynamic = declared.dynamic || cursor_.peek() == ']';
    const std::int64_t count = declared.dynamic ? 0 : cursor_.whole();
    if (count < 0 || (count > 0 && declared.bytes > most_declared_bytes / count)) {
      cursor_.fail("a smaller array");
    }
    declared.bytes *= count;
    cursor_.expect(']');
  }
}

// The end of what is declared, which begins at the next place that it is aligned to.
int Declarations::place(int end, const Declaration& declared, int most, const char* wanted) {
  const int begin = rounded_up(end, declared.alignment);
  if (begin + declared.bytes > most) {
    cursor_.fail(wanted);
  }
  addresses_[declared.name] = static_cast<std::uint64_t>(begin);
  return begin + static_cast<int>(declared.bytes);
}

void Declarations::declare_shared(const Declaration& declared) {
  if (declared.dynamic) {
    dynamic_.push_back(declared.name);
    addresses_[declared.name] = 0;
  } else {
    program_.static_shared_bytes = place(program_.static_shared_bytes, declared, 1 << 20, "less shared memory");
  }
}

void Declarations::declare_variable(const Declaration& declared) {
  Variable variable{std::string(declared.name), static_cast<std::uint64_t>(declared.bytes), next_variable_, {}};
  addresses_[declared.name] = next_variable_;
  next_variable_ += (variable.bytes + 511) / 256 * 256;
  if (cursor_.take('=')) {
    parse_data(variable, declared.element.bytes);
  }
  program_.variables.push_back(std::move(variable));
}

void Declarations::parse_data(Variable& variable, int bytes) {
  const bool list = cursor_.take('{');
  do {
    if (!list || cursor_.peek() != '}') {
      append(variable.data, number_or_zero(), bytes);
    }
  } while (list && cursor_.take(','));
  if (list && !cursor_.take('}')) {
    cursor_.fail("\"}\" of a list of numbers");
  }
}

// Addresses of others among them are taken as zeros.
std::uint64_t Declarations::number_or_zero() {
  const bool negative = cursor_.take('-');
  const std::string_view word = cursor_.word();
  if (cursor_.take('(')) {
    cursor_.skip_to(')');
  }
  const auto value = number_named(word);
  return value ? (negative ? 0 - *value : *value) : 0;
}

void Declarations::append(std::string& data, std::uint64_t value, int bytes) {
  if (static_cast<std::int64_t>(data.size()) >= most_data) {
    cursor_.fail("fewer numbers");
  }
  for (int i = 0; i < bytes; ++i) {
    data.push_back(static_cast<char>(i < 8 ? value >> (8 * i) : 0));
  }
}

}  // namespace rooftile::ptx
