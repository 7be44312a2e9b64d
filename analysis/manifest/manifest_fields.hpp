// Reads what the sections of a kernel.toml have in common: names, choices, expressions, files. Each function
// tells its own mistake, and then comes back empty.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/text/toml_table.hpp"

namespace rooftile {

using Names = std::vector<std::string>;

// Names that an index and a number of requests know besides the parameters.
// Names that a grid, FLOPs, bytes and requests know of the GPU.
inline const Names gpu_names = {"sms"};

// The names that an expression of a file knows.
struct Scope {
  Names names;
  Substitutes lets;
};

Names joined(Names names, const Names& more);
Scope joined(Scope scope, const Names& more);

template <class Value>
using Choice = std::pair<std::string_view, Value>;

inline constexpr Choice<int> bytes_of_element[] = {{"float", 4},    {"double", 8},   {"half", 2},
                                                   {"bfloat16", 2}, {"fp8_e4m3", 1}, {"char", 1},
                                                   {"short", 2},    {"int", 4},      {"long_long", 8}};

// The first choice where the text is none of them; an empty text was told of already.
template <class Value, std::size_t Count>
Value choice(const TomlTable& table, std::string_view key, const std::string& text,
             const Choice<Value> (&choices)[Count]) {
  Names names;
  for (const auto& [name, value] : choices) {
    if (name == text) {
      return value;
    }
    names.emplace_back(name);
  }
  if (!text.empty()) {
    table.tell(key, fmt::format("\"{}\" must be one of {}, not \"{}\"", key, fmt::join(names, ", "), text));
  }
  return choices[0].second;
}

std::optional<Expression> expression(const TomlTable& table, std::string_view key, const Scope& scope);
// 0 where it could not be read.
Expression required_expression(const TomlTable& table, std::string_view key, const Scope& scope);
// Empty where it is absent.
std::optional<Expression> optional_expression(const TomlTable& table, std::string_view key, const Scope& scope);

std::array<Expression, 3> ones();
// One to three extents; those left out are 1.
std::array<Expression, 3> extents(const TomlTable& table, std::string_view key, const Scope& scope);

// The text becomes a macro, an argument or a symbol: nothing but a C identifier may reach the compiler.
std::string identifier(const TomlTable& table, std::string_view key, const std::string& text);

// A kernel as C++ names it: "sum", "reduce<float, TILE>".
std::string kernel_entry(const TomlTable& table, std::string_view key, const std::string& text);

// The entry with these in the places of its template arguments: "reduce<float, 32>".
std::string with_template_arguments(const std::string& entry, const Substitutes& arguments);

// "; did you mean in?", "; there are in and out", or nothing where there are none.
std::string meant_instead(std::string_view typed, const std::vector<std::string_view>& names);

// A name that one of these has.
template <class Named>
std::string known(const TomlTable& table, std::string_view key, const std::vector<Named>& all,
                  std::string Named::*name, std::string_view kind) {
  const std::string text = table.string(key);
  if (!text.empty() && std::ranges::find(all, text, name) == all.end()) {
    std::vector<std::string_view> names;
    std::ranges::transform(all, std::back_inserter(names), name);
    table.tell(key, fmt::format("there is no {} called {}{}", kind, text, meant_instead(text, names)));
  }
  return text;
}

// Beside the file that names it.
std::filesystem::path file_beside(const TomlTable& table, std::string_view key, const std::string& name);
// The same, and it must be there.
std::filesystem::path existing_file(const TomlTable& table, std::string_view key, const std::string& name,
                                    const ReadFile& read);

bool is_array_file(const std::string& name);  // "input.npy"
// Beside the file that names it. The file is large, and whoever launches reads it, so its existence is not
// checked here.
std::filesystem::path array_file(const TomlTable& table, std::string_view key, const std::string& name);

}  // namespace rooftile
