// Strict reading of TOML: unknown keys are refused. Mistakes are collected, so that all mistakes of a file are
// told at once, each with file, line and what was expected.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/text/range.hpp"

namespace rooftile {

// Throws Error when the text of this file is not TOML, or more than anybody writes.
toml::table parse_toml(std::string_view text, const std::filesystem::path& file);

// The mistakes in the files that were read, by file and line. Each mistake is kept once, and no more than
// anybody reads.
class TomlMistakes {
 public:
  void add(const std::filesystem::path& file, unsigned line, const std::string& sentence);
  bool is_full() const;  // further ones are counted and not kept
  std::size_t count() const { return all_.size() + left_out_; }
  std::vector<std::string> sentences() const;  // "kernel.toml:12: <sentence>"

  // A misspelt key is not told as missing as well.
  void add_misspelt(const toml::table& table, std::string_view meant) { misspelt_.emplace(&table, meant); }
  bool is_misspelt(const toml::table& table, std::string_view key) const {
    return misspelt_.contains({&table, std::string(key)});
  }

 private:
  std::set<std::tuple<std::string, unsigned, std::string>> all_;
  std::set<std::pair<const toml::table*, std::string>> misspelt_;
  std::size_t left_out_ = 0;
};

// A view of one table of a parsed file, which must outlive it, as must the mistakes. Some of its keys may come
// from another file. A value that cannot be read is told as a mistake; it comes back empty or as the fallback.
class TomlTable {
 public:
  // name: as the file writes it, "[launch]"; empty for the file itself.
  TomlTable(const toml::table& table, std::filesystem::path file, TomlMistakes& mistakes,
            std::string name = {});

  // Tells of each key that is not one of these, naming the nearest. False when there is such a key.
  bool only(std::initializer_list<std::string_view> keys) const;

  bool has(std::string_view key) const { return table_->contains(key); }
  bool is_text(std::string_view key) const { return has(key) && table_->get(key)->is_string(); }
  bool is_misspelt(std::string_view key) const {
    return mistakes_->is_misspelt(*table_, key);
  }                                                // as only() found
  std::string string(std::string_view key) const;  // never empty when it could be read
  std::string string(std::string_view key, std::string fallback) const;
  int whole_number(std::string_view key, int fallback) const;
  double number(std::string_view key, Range range) const;  // 0 where it cannot be read
  bool boolean(std::string_view key, bool fallback) const;
  std::vector<double> numbers(std::string_view key) const;
  std::vector<std::string> strings(std::string_view key) const;  // empty where it is absent
  // A number or the text of an expression.
  std::optional<std::string> formula(std::string_view key) const;
  // One formula, or an array of them.
  std::optional<std::vector<std::string>> formulas(std::string_view key) const;

  std::optional<TomlTable> table(std::string_view key) const;
  std::vector<TomlTable> tables(std::string_view key, const char* what = "an array of tables") const;
  std::vector<std::string_view> keys() const;

  // Tells it at the key's line, or at the table's when the key is absent.
  void tell(std::string_view key, const std::string& sentence) const;
  // At the first of the keys that the file itself states, else at the first.
  void tell(std::initializer_list<std::string_view> keys, const std::string& sentence) const;
  std::filesystem::path file_of(std::string_view key) const;  // that states it
  std::size_t mistakes() const { return mistakes_->count(); }

 private:
  const toml::node* need(std::string_view key, const std::string& what) const;
  void tell_expected(std::string_view key, const std::string& what) const;

  const toml::table* table_;
  std::filesystem::path file_;
  TomlMistakes* mistakes_;
  std::string name_;
};

}  // namespace rooftile
