#include "analysis/ptx/text/register_scopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analysis/text/error.hpp"

namespace rooftile::ptx {

void RegisterScopes::close(Program& program) {
  const Scope closed = std::move(scopes_.back());
  scopes_.pop_back();
  for (const auto& [instruction, label] : closed.branches) {
    if (const auto found = closed.labels.find(label); found != closed.labels.end()) {
      program.instructions[instruction].target = found->second;
    } else if (!scopes_.empty()) {
      add_branch(instruction, label);
    } else {
      throw Error(fmt::format("Line {} of the PTX: there is no label {}.",
                              program.instructions[instruction].text_line, label));
    }
  }
}

bool RegisterScopes::declare(std::string_view name, std::int64_t count, bool predicates) {
  const std::int64_t first = next_;
  if (count < 0 || count > most_registers || next_ + std::max<std::int64_t>(count, 1) > most_registers) {
    return false;
  }
  next_ += std::max<std::int64_t>(count, 1);
  is_predicate_.resize(static_cast<std::size_t>(next_), predicates);
  scopes_.back().registers.push_back({name, first, count});
  return true;
}

std::optional<std::int32_t> RegisterScopes::find(std::string_view name) const {
  const std::size_t stem = name.find_last_not_of("0123456789") + 1;
  std::int64_t number = 0;
  std::from_chars(name.data() + stem, name.data() + name.size(), number);
  const bool numbered = stem < name.size();
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    for (const Registers& declared : scope->registers) {
      if (declared.count == 0 ? declared.name == name
                              : numbered && number < declared.count && declared.name == name.substr(0, stem)) {
        return static_cast<std::int32_t>(declared.first + (declared.count > 0 ? number : 0));
      }
    }
  }
  return std::nullopt;
}

}  // namespace rooftile::ptx
