#include "analysis/toml_edit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/error.hpp"
#include "analysis/toml_table.hpp"

namespace rooftile {
namespace {

std::string header_of(const TomlPlace& place) {
  return place.entry.empty() ? fmt::format("[{}]", place.section)
                             : fmt::format("[[{}]] called {}", place.section, place.entry);
}

const toml::table* entry_called(const toml::array* entries, const std::string& name) {
  for (std::size_t i = 0; entries && i < entries->size(); ++i) {
    const toml::table* entry = (*entries)[i].as_table();
    if (entry && (*entry)["name"].value<std::string>() == name) {
      return entry;
    }
  }
  return nullptr;
}

// Null where there is none.
const toml::table* table_of(const toml::table& file, const TomlPlace& place) {
  const toml::node* section = file.get(place.section);
  if (!section) {
    return nullptr;
  }
  return place.entry.empty() ? section->as_table() : entry_called(section->as_array(), place.entry);
}

// Of a line and a column of the parser, which count from 1; a column is a letter, whatever its bytes.
std::size_t offset_of(std::string_view text, toml::source_position position) {
  std::size_t at = 0;
  for (auto line = position.line; line > 1; --line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  const auto begins_letter = [](char each) { return (each & 0xC0) != 0x80; };
  for (auto column = position.column; column > 1 && at < text.size(); --column) {
    at = static_cast<std::size_t>(
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), begins_letter) -
        text.begin());
  }
  return at;
}

std::string replaced(std::string text, const toml::node& node, const TomlPlace& place, std::string_view value) {
  const std::size_t from = offset_of(text, node.source().begin), to = offset_of(text, node.source().end);
  if (node.is_array() && std::string_view(text).substr(from, to - from).find('#') != std::string::npos) {
    throw Error(fmt::format("\"{}\" of {} has a comment among its values: change it in the file.", place.key,
                            header_of(place)));
  }
  return text.replace(from, to - from, value);
}

std::string added(std::string text, const toml::table& table, const TomlPlace& place, std::string_view value) {
  const std::size_t header = offset_of(text, table.source().begin);
  if (text[header] != '[') {
    throw Error(fmt::format("{} has no line of its own: add \"{}\" in the file.", header_of(place), place.key));
  }
  const std::size_t end = text.find('\n', header);
  const std::string line = fmt::format("{} = {}\n", place.key, value);
  return end == std::string::npos ? text + "\n" + line : text.insert(end + 1, line);
}

}  // namespace

std::string with_value(const std::string& text, const TomlPlace& place, std::string_view value) {
  const toml::table file = parse_toml(text, "kernel.toml");
  const toml::table* table = table_of(file, place);
  if (!table) {
    throw Error(fmt::format("There is no {} in the file.", header_of(place)));
  }
  const toml::node* node = table->get(place.key);
  return node ? replaced(text, *node, place, value) : added(text, *table, place, value);
}

bool stands_at(const std::string& text, const TomlPlace& place, unsigned line) {
  try {
    const toml::table file = parse_toml(text, "kernel.toml");
    const toml::table* table = table_of(file, place);
    const toml::node* node = table ? table->get(place.key) : nullptr;
    return node && node->source().begin.line <= line && line <= node->source().end.line;
  } catch (const Error&) {
    return false;
  }
}

std::string toml_text(std::string_view words) {
  std::string quoted = "\"";
  for (const char each : words) {
    const bool control = (each >= 0 && each < ' ') || each == 0x7f;
    if (control) {
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(each));
    } else {
      quoted += each == '"' || each == '\\' ? std::string("\\") + each : std::string(1, each);
    }
  }
  return quoted + "\"";
}

}  // namespace rooftile
