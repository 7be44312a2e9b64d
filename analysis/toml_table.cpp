#include "analysis/toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/edit_distance.hpp"
#include "analysis/error.hpp"
#include "analysis/format.hpp"

namespace rooftile {
namespace {

std::optional<std::string> formula_text(const toml::node& node) {
  if (const auto text = node.value<std::string>()) {
    return text;
  }
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  return value ? std::optional(number(*value)) : std::nullopt;
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view typed,
                                        const std::vector<std::string_view>& candidates) {
  std::optional<std::string_view> best;
  int fewest = std::max(2, static_cast<int>(typed.size() / 3)) + 1;
  for (const std::string_view candidate : candidates) {
    if (const int distance = edit_distance(typed, candidate); distance < fewest) {
      fewest = distance;
      best = candidate;
    }
  }
  return best;
}

toml::table parse_toml(std::string_view text, const std::filesystem::path& file) {
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}: not valid TOML: {}", file.string(), error.source().begin.line,
                            error.description()));
  }
}

TomlTable::TomlTable(const toml::table& table, std::filesystem::path file, std::string name)
    : table_(&table), file_(std::move(file)), name_(std::move(name)) {}

const TomlTable& TomlTable::only(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : this->keys()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      const auto meant = nearest(key, keys);
      fail(key, fmt::format("unknown key \"{}\"{}{}; {}", key, name_.empty() ? "" : " in ", name_,
                            meant ? fmt::format("did you mean \"{}\"?", *meant)
                                  : fmt::format("expected one of {}", fmt::join(keys, ", "))));
    }
  }
  return *this;
}

std::vector<std::string_view> TomlTable::keys() const {
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : *table_) {
    keys.push_back(key.str());
  }
  return keys;
}

std::filesystem::path TomlTable::file_of(std::string_view key) const {
  const toml::node* node = table_->get(key);
  return node && node->source().path ? std::filesystem::path(*node->source().path) : file_;
}

void TomlTable::fail(std::string_view key, const std::string& sentence) const {
  const toml::node* node = table_->get(key);
  const toml::source_region& region = (node ? *node : static_cast<const toml::node&>(*table_)).source();
  const bool elsewhere = !node && region.path && *region.path != file_.string();
  throw Error(fmt::format("{}:{}: {}", file_of(key).string(), elsewhere ? 1 : region.begin.line, sentence));
}

void TomlTable::fail(std::initializer_list<std::string_view> keys, const std::string& sentence) const {
  const auto own =
      std::ranges::find_if(keys, [&](std::string_view key) { return has(key) && file_of(key) == file_; });
  fail(own == keys.end() ? *keys.begin() : *own, sentence);
}

void TomlTable::expected(std::string_view key, const std::string& what) const {
  const std::string in = name_.empty() ? "" : " in " + name_;
  fail(key, has(key) ? fmt::format("\"{}\"{} must be {}", key, in, what)
                     : fmt::format("\"{}\" is missing{}; expected {}", key, in, what));
}

const toml::node& TomlTable::need(std::string_view key, const std::string& what) const {
  const toml::node* node = table_->get(key);
  if (!node) {
    expected(key, what);
  }
  return *node;
}

std::string TomlTable::string(std::string_view key) const {
  const auto text = need(key, "a text in quotes").value<std::string>();
  if (!text || text->empty()) {
    expected(key, "a text in quotes");
  }
  return *text;
}

std::string TomlTable::string(std::string_view key, std::string fallback) const {
  return has(key) ? string(key) : fallback;
}

int TomlTable::whole_number(std::string_view key, int fallback) const {
  if (!has(key)) {
    return fallback;
  }
  const auto value = table_->get(key)->value_exact<std::int64_t>();
  if (!value || !std::in_range<int>(*value)) {
    expected(key, "a whole number");
  }
  return static_cast<int>(*value);
}

double TomlTable::positive(std::string_view key) const {
  constexpr const char* what = "a positive number";
  const toml::node& node = need(key, what);
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !(*value > 0) || !std::isfinite(*value)) {
    expected(key, what);
  }
  return *value;
}

bool TomlTable::boolean(std::string_view key, bool fallback) const {
  if (!has(key)) {
    return fallback;
  }
  const auto value = table_->get(key)->value_exact<bool>();
  if (!value) {
    expected(key, "true or false");
  }
  return *value;
}

std::vector<double> TomlTable::numbers(std::string_view key) const {
  constexpr const char* what = "an array of numbers, such as [8, 16, 32]";
  std::vector<double> numbers;
  const toml::array* array = need(key, what).as_array();
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    const toml::node& node = (*array)[i];
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) {
      expected(key, what);
    }
    numbers.push_back(*value);
  }
  if (numbers.empty()) {
    expected(key, what);
  }
  return numbers;
}

std::string TomlTable::formula(std::string_view key) const {
  constexpr const char* what = "a number or an expression in quotes";
  const auto text = formula_text(need(key, what));
  if (!text) {
    expected(key, what);
  }
  return *text;
}

std::vector<std::string> TomlTable::formulas(std::string_view key) const {
  constexpr const char* what = "an array of numbers or expressions in quotes";
  const toml::array* array = need(key, what).as_array();
  std::vector<std::string> texts;
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    const auto text = formula_text((*array)[i]);
    if (!text) {
      expected(key, what);
    }
    texts.push_back(*text);
  }
  return array ? texts : std::vector{formula(key)};
}

TomlTable TomlTable::table(std::string_view key) const {
  const toml::table* table = need(key, fmt::format("a table [{}]", key)).as_table();
  if (!table) {
    expected(key, fmt::format("a table [{}]", key));
  }
  return {*table, file_, fmt::format("[{}]", key)};
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  std::vector<TomlTable> tables;
  const toml::node* node = table_->get(key);
  const toml::array* array = node ? node->as_array() : nullptr;
  if (node && !array) {
    expected(key, "an array of tables");
  }
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    const toml::table* table = (*array)[i].as_table();
    if (!table) {
      expected(key, "an array of tables");
    }
    tables.emplace_back(*table, file_, fmt::format("[[{}]]", key));
  }
  return tables;
}

}  // namespace rooftile
