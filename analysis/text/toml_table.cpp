#include "analysis/text/toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/text/edit_distance.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

std::optional<std::string> formula_text(const toml::node& node) {
  if (const auto text = node.value<std::string>()) {
    return text;
  }
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  return value ? std::optional(number(*value)) : std::nullopt;
}

// A bundled kernel.toml has 6 KB, the table of GPUs 10 KB. The parser takes 100 times as much memory as the
// text has.
constexpr std::size_t most_toml = 256 << 10;  // [B]
constexpr std::size_t most_mistakes = 100;

// The place behind the string that begins here, of one line or of several.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool several = text.substr(begin).starts_with(three);
  std::size_t at = begin + (several ? 3 : 1);
  while (at < text.size() &&
         (several ? !text.substr(at).starts_with(three) : text[at] != quote && text[at] != '\n')) {
    at += quote == '"' && text[at] == '\\' ? 2 : 1;
  }
  at = several ? text.find_first_not_of(quote, at) : at + 1;  // the last quotes may be some of the string's own
  return std::min(at, text.size());
}

// The parser makes a nested table for each part of a dotted key: too many parts fill the stack.
void expect_short_keys(std::string_view text, const std::filesystem::path& file) {
  constexpr int most_parts = 8;
  int parts = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char letter = text[at];
    if (letter == '"' || letter == '\'') {
      at = end_of_string(text, at);
      continue;
    }
    if (letter == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    parts = letter == '.'                                                         ? parts + 1
            : std::string_view("=,[]{}\n").find(letter) != std::string_view::npos ? 1
                                                                                  : parts;
    if (parts > most_parts) {
      throw Error(fmt::format("{}:{}: a key has more than {} parts; no key needs so many", file.string(),
                              1 + std::ranges::count(text.substr(0, at), '\n'), most_parts));
    }
    ++at;
  }
}

// The key that an unknown key stands for, also where only its beginning was written.
std::optional<std::string_view> meant_by(std::string_view typed,
                                         const std::vector<std::string_view>& candidates) {
  const auto begins_so = [&](std::string_view candidate) { return candidate.starts_with(typed); };
  const auto longer = std::ranges::find_if(candidates, begins_so);
  return longer == candidates.end() ? nearest(typed, candidates) : std::optional(*longer);
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::filesystem::path& file) {
  if (text.size() > most_toml) {
    throw Error(fmt::format("{} has {}, and at most {} of TOML are read", file.string(),
                            rooftile::text(Bytes{static_cast<double>(text.size())}),
                            rooftile::text(Bytes{static_cast<double>(most_toml)})));
  }
  expect_short_keys(text, file);
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}: not valid TOML: {}", file.string(), error.source().begin.line,
                            error.description()));
  }
}

void TomlMistakes::add(const std::filesystem::path& file, unsigned line, const std::string& sentence) {
  if (is_full()) {
    ++left_out_;
  } else {
    all_.emplace(file.string(), line, sentence);
  }
}

bool TomlMistakes::is_full() const {
  return all_.size() >= most_mistakes;
}

std::vector<std::string> TomlMistakes::sentences() const {
  std::vector<std::string> sentences;
  for (const auto& [file, line, sentence] : all_) {
    sentences.push_back(fmt::format("{}:{}: {}", file, line, sentence));
  }
  if (left_out_ > 0) {
    sentences.push_back(fmt::format("{}: there are more than {} mistakes; the others are left out",
                                    std::get<0>(*all_.begin()), most_mistakes));
  }
  return sentences;
}

TomlTable::TomlTable(const toml::table& table, std::filesystem::path file, TomlMistakes& mistakes,
                     std::string name)
    : table_(&table), file_(std::move(file)), mistakes_(&mistakes), name_(std::move(name)) {}

bool TomlTable::only(std::initializer_list<std::string_view> keys) const {
  bool all_known = true;
  for (const std::string_view key : this->keys()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      all_known = false;
      if (mistakes_->is_full()) {
        tell(key, "");
        continue;
      }
      const auto meant = meant_by(key, keys);
      tell(key, fmt::format("unknown key \"{}\"{}{}; {}", key, name_.empty() ? "" : " in ", name_,
                            meant ? fmt::format("did you mean \"{}\"?", *meant)
                                  : fmt::format("expected one of {}", fmt::join(keys, ", "))));
      if (meant) {
        mistakes_->add_misspelt(*table_, *meant);
      }
    }
  }
  return all_known;
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

void TomlTable::tell(std::string_view key, const std::string& sentence) const {
  const toml::node* node = table_->get(key);
  const toml::source_region& region = (node ? *node : static_cast<const toml::node&>(*table_)).source();
  const bool elsewhere = !node && region.path && *region.path != file_.string();
  mistakes_->add(file_of(key), elsewhere ? 1 : region.begin.line, sentence);
}

void TomlTable::tell(std::initializer_list<std::string_view> keys, const std::string& sentence) const {
  const auto own =
      std::ranges::find_if(keys, [&](std::string_view key) { return has(key) && file_of(key) == file_; });
  tell(own == keys.end() ? *keys.begin() : *own, sentence);
}

void TomlTable::tell_expected(std::string_view key, const std::string& what) const {
  const std::string in = name_.empty() ? "" : " in " + name_;
  if (has(key)) {
    tell(key, fmt::format("\"{}\"{} must be {}", key, in, what));
  } else if (!is_misspelt(key)) {
    tell(key, fmt::format("\"{}\" is missing{}; expected {}", key, in, what));
  }
}

const toml::node* TomlTable::need(std::string_view key, const std::string& what) const {
  const toml::node* node = table_->get(key);
  if (!node) {
    tell_expected(key, what);
  }
  return node;
}

std::string TomlTable::string(std::string_view key) const {
  constexpr const char* what = "a text in quotes";
  const toml::node* node = need(key, what);
  const auto text = node ? node->value<std::string>() : std::nullopt;
  if (node && (!text || text->empty())) {
    tell_expected(key, what);
  }
  return text.value_or("");
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
    tell_expected(key, "a whole number");
    return fallback;
  }
  return static_cast<int>(*value);
}

double TomlTable::number(std::string_view key, Range range) const {
  const std::string what = "a number" + text(range);
  const toml::node* node = need(key, what);
  const auto value = node && node->is_number() ? node->value<double>() : std::nullopt;
  const bool good = value && range.holds(*value);
  if (node && !good) {
    tell_expected(key, what);
  }
  return good ? *value : 0;
}

bool TomlTable::boolean(std::string_view key, bool fallback) const {
  const auto value = has(key) ? table_->get(key)->value_exact<bool>() : fallback;
  if (!value) {
    tell_expected(key, "true or false");
  }
  return value.value_or(fallback);
}

std::vector<double> TomlTable::numbers(std::string_view key) const {
  constexpr const char* what = "an array of numbers, such as [8, 16, 32]";
  const toml::node* node = need(key, what);
  const toml::array* array = node ? node->as_array() : nullptr;
  std::vector<double> numbers;
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    const auto value = (*array)[i].is_number() ? (*array)[i].value<double>() : std::nullopt;
    if (value && std::isfinite(*value)) {
      numbers.push_back(*value);
    }
  }
  if (node && (numbers.empty() || numbers.size() != array->size())) {
    tell_expected(key, what);
    return {};
  }
  return numbers;
}

std::optional<std::string> TomlTable::formula(std::string_view key) const {
  constexpr const char* what = "a number or an expression in quotes";
  const toml::node* node = need(key, what);
  auto text = node ? formula_text(*node) : std::nullopt;
  if (node && !text) {
    tell_expected(key, what);
  }
  return text;
}

std::vector<std::string> TomlTable::strings(std::string_view key) const {
  const toml::array* array = has(key) ? table_->get(key)->as_array() : nullptr;
  std::vector<std::string> texts;
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    if (const auto text = (*array)[i].value<std::string>()) {
      texts.push_back(*text);
    }
  }
  if (has(key) && (!array || texts.size() != array->size())) {
    tell_expected(key, "an array of texts in quotes");
  }
  return texts;
}

std::optional<std::vector<std::string>> TomlTable::formulas(std::string_view key) const {
  constexpr const char* what = "an array of numbers or expressions in quotes";
  const toml::node* node = need(key, what);
  const toml::array* array = node ? node->as_array() : nullptr;
  if (!array) {
    const auto one = node ? formula(key) : std::nullopt;
    return one ? std::optional(std::vector{*one}) : std::nullopt;
  }
  std::vector<std::string> texts;
  for (const toml::node& each : *array) {
    if (auto text = formula_text(each)) {
      texts.push_back(std::move(*text));
    }
  }
  if (texts.size() != array->size()) {
    tell_expected(key, what);
    return std::nullopt;
  }
  return texts;
}

std::optional<TomlTable> TomlTable::table(std::string_view key) const {
  const std::string what = fmt::format("a table [{}]", key);
  const toml::node* node = need(key, what);
  const toml::table* table = node ? node->as_table() : nullptr;
  if (node && !table) {
    tell_expected(key, what);
  }
  return table ? std::optional(TomlTable(*table, file_, *mistakes_, fmt::format("[{}]", key))) : std::nullopt;
}

std::vector<TomlTable> TomlTable::tables(std::string_view key, const char* what) const {
  std::vector<TomlTable> tables;
  const toml::node* node = table_->get(key);
  const toml::array* array = node ? node->as_array() : nullptr;
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    if (const toml::table* table = (*array)[i].as_table()) {
      tables.emplace_back(*table, file_, *mistakes_, fmt::format("[[{}]]", key));
    }
  }
  if (node && (!array || tables.size() != array->size())) {
    tell_expected(key, what);
  }
  return tables;
}

}  // namespace rooftile
