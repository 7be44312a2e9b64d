// Strict reading of TOML: unknown keys are refused, and every complaint says file, line and what was expected.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// Throws Error when the text of this file is not TOML.
toml::table parse_toml(std::string_view text, const std::filesystem::path& file);

// A view of one table of a parsed file, which must outlive it. Some of its keys may come from another file.
class TomlTable {
 public:
  // name: as the file writes it, "[launch]"; empty for the file itself.
  TomlTable(const toml::table& table, std::filesystem::path file, std::string name = {});

  // Throws for a key not among these, naming the nearest.
  const TomlTable& only(std::initializer_list<std::string_view> keys) const;

  bool has(std::string_view key) const { return table_->contains(key); }
  std::string string(std::string_view key) const;
  std::string string(std::string_view key, std::string fallback) const;
  int whole_number(std::string_view key, int fallback) const;
  double positive(std::string_view key) const;
  bool boolean(std::string_view key, bool fallback) const;
  std::vector<double> numbers(std::string_view key) const;
  // A number or the text of an expression.
  std::string formula(std::string_view key) const;
  // One formula, or an array of them.
  std::vector<std::string> formulas(std::string_view key) const;

  TomlTable table(std::string_view key) const;
  std::vector<TomlTable> tables(std::string_view key) const;  // empty when absent
  std::vector<std::string_view> keys() const;

  // "kernel.toml:12: <sentence>", at the key's line, or the table's when it is absent.
  [[noreturn]] void fail(std::string_view key, const std::string& sentence) const;
  // At the first of the keys that the file itself states, else at the first.
  [[noreturn]] void fail(std::initializer_list<std::string_view> keys, const std::string& sentence) const;
  std::filesystem::path file_of(std::string_view key) const;  // that states it

 private:
  const toml::node& need(std::string_view key, const std::string& expected) const;
  [[noreturn]] void expected(std::string_view key, const std::string& what) const;

  const toml::table* table_;
  std::filesystem::path file_;
  std::string name_;
};

// The candidate closest to what was typed, when it is close enough to be meant.
std::optional<std::string_view> nearest(std::string_view typed,
                                        const std::vector<std::string_view>& candidates);

}  // namespace rooftile
