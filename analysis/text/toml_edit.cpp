#include "analysis/text/toml_edit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/error.hpp"
#include "analysis/text/toml_region.hpp"
#include "analysis/text/toml_table.hpp"

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

std::string replaced(std::string text, const toml::node& node, const TomlPlace& place, std::string_view value) {
  const std::size_t from = begin_of(text, node), to = end_of(text, node);
  if (node.is_array() && std::string_view(text).substr(from, to - from).find('#') != std::string::npos) {
    throw Error(fmt::format("\"{}\" of {} has a comment among its values: change it in the file.", place.key,
                            header_of(place)));
  }
  return text.replace(from, to - from, value);
}

std::size_t header_at(std::string_view text, const toml::table& table, const TomlPlace& place) {
  const std::size_t header = begin_of(text, table);
  if (text[header] != '[') {
    throw Error(fmt::format("{} has no line of its own: change it in the file.", header_of(place)));
  }
  return header;
}

std::string added(std::string text, const toml::table& table, const TomlPlace& place, std::string_view value) {
  const std::size_t header = header_at(text, table, place);
  const std::size_t end = text.find('\n', header);
  const std::string line = fmt::format("{} = {}\n", place.key, value);
  return end == std::string::npos ? text + "\n" + line : text.insert(end + 1, line);
}

// Throws Error where there is none.
const toml::table& existing_table(const toml::table& file, const TomlPlace& place) {
  const toml::table* table = table_of(file, place);
  if (!table) {
    throw Error(fmt::format("There is no {} in the file.", header_of(place)));
  }
  return *table;
}

// Behind the last value of the entry and the comment on its line.
std::size_t end_of_entry(std::string_view text, const toml::table& entry) {
  std::size_t last = begin_of(text, entry);
  for (const auto& [key, value] : entry) {
    last = std::max(last, end_of(text, value));
  }
  return std::min(text.find('\n', last), text.size() - 1) + 1;
}

// A blank line on either side.
std::string inserted(std::string text, std::size_t at, std::string entry) {
  if (at > 0 && text[at - 1] != '\n') {
    entry = "\n" + entry;
  }
  const bool blank_before = at < 2 || text.compare(at - 2, 2, "\n\n") == 0;
  const bool blank_behind = at >= text.size() || text[at] == '\n';
  return text.insert(at, (blank_before ? "" : "\n") + entry + (blank_behind ? "" : "\n"));
}

// Null where there is nothing at the place.
const toml::array* array_at(const toml::table& table, const TomlPlace& place) {
  const toml::node* node = table.get(place.key);
  if (node && !node->is_array()) {
    throw Error(fmt::format("\"{}\" of {} is no list: change it in the file.", place.key, header_of(place)));
  }
  return node ? node->as_array() : nullptr;
}

// The end of an item of a list, with its comma and its comment.
std::size_t end_with_comment(std::string_view text, std::size_t end_of_item) {
  const auto behind_blanks = [&](std::size_t at) {
    return std::min(text.find_first_not_of(" \t", at), text.size());
  };
  std::size_t at = behind_blanks(end_of_item);
  at = at < text.size() && text[at] == ',' ? behind_blanks(at + 1) : at;
  if (at < text.size() && text[at] == '#') {
    at = std::min(text.find('\n', at), text.size());
  }
  return at < text.size() && text[at] == '\n' ? behind_blanks(at + 1) : at;
}

// Edits a text as if its lines ended in \n alone and no byte-order mark stood before it.
std::string edited(std::string text, const auto& edit) {
  constexpr std::string_view mark = "\xef\xbb\xbf", of_windows = "\r\n";
  const std::string before(text.starts_with(mark) ? mark : "");
  text.erase(0, before.size());
  const auto lines = std::ranges::count(text, '\n');
  const auto replace_all = [](std::string all, std::string_view old, std::string_view now) {
    for (std::size_t at = 0; (at = all.find(old, at)) != std::string::npos; at += now.size()) {
      all.replace(at, old.size(), now);
    }
    return all;
  };
  const std::string plain = replace_all(text, of_windows, "\n");
  const bool is_of_windows = lines > 0 && text.size() - plain.size() == static_cast<std::size_t>(lines);
  const std::string after = edit(is_of_windows ? plain : text);
  return before + (is_of_windows ? replace_all(after, "\n", of_windows) : after);
}

std::string set_value(const std::string& text, const TomlPlace& place, std::string_view value) {
  const toml::table file = parse_toml(text, "kernel.toml");
  const toml::table& table = existing_table(file, place);
  const toml::node* node = table.get(place.key);
  return node ? replaced(text, *node, place, value) : added(text, table, place, value);
}

std::string set_item(const std::string& text, const TomlPlace& place, std::size_t item,
                     std::string_view value) {
  const toml::table file = parse_toml(text, "kernel.toml");
  const toml::table& table = existing_table(file, place);
  const toml::array* array = array_at(table, place);
  if (!array) {
    return added(text, table, place, fmt::format("[{}]", value));
  }
  std::string changed = text;
  if (item < array->size()) {
    const toml::node& node = (*array)[item];
    const std::size_t from = begin_of(text, node);
    return changed.replace(from, end_of(text, node) - from, value);
  }
  return array->empty() ? replaced(text, *array, place, fmt::format("[{}]", value))
                        : changed.insert(end_of(text, array->back()), fmt::format(", {}", value));
}

std::string take_item(const std::string& text, const TomlPlace& place, std::size_t item) {
  const toml::table file = parse_toml(text, "kernel.toml");
  const toml::array* array = array_at(existing_table(file, place), place);
  if (!array || item >= array->size()) {
    throw Error(fmt::format("\"{}\" of {} has no value {}.", place.key, header_of(place), item + 1));
  }
  const bool first = item == 0, last = item + 1 == array->size();
  const std::size_t begin = begin_of(text, (*array)[item]), end = end_of(text, (*array)[item]);
  const std::size_t before = first ? begin : end_of(text, (*array)[item - 1]);
  const bool behind_comment = text.substr(before, begin - before).find('#') != std::string::npos;
  if (!first && !behind_comment) {
    return std::string(text).erase(before, end - before);
  }
  return std::string(text).erase(begin, (last && !first ? end : end_with_comment(text, end)) - begin);
}

std::string add_entry(const std::string& text, const std::string& section, std::string_view lines,
                      const std::string& above) {
  const toml::table file = parse_toml(text, "kernel.toml");
  const std::string entry = fmt::format("[[{}]]\n{}", section, lines);
  const toml::array* entries = file.get_as<toml::array>(section);
  const toml::table* last = entries && !entries->empty() ? entries->back().as_table() : nullptr;
  if (last) {
    header_at(text, *last, {section, "", ""});
    return inserted(text, end_of_entry(text, *last), entry);
  }
  const toml::table* next = file.get_as<toml::table>(above);
  return inserted(text, next ? header_at(text, *next, {above, "", ""}) : text.size(), entry);
}

std::string take_entry(const std::string& text, const std::string& section, const std::string& name) {
  const toml::table file = parse_toml(text, "kernel.toml");
  const TomlPlace place{section, name, ""};
  const toml::table& entry = existing_table(file, place);
  const std::size_t from = header_at(text, entry, place);
  std::size_t to = end_of_entry(text, entry);
  const bool blank_before = from < 2 || text.compare(from - 2, 2, "\n\n") == 0;
  to += blank_before && to < text.size() && text[to] == '\n' ? 1 : 0;
  return std::string(text).erase(from, to - from);
}

}  // namespace

std::string with_value(const std::string& text, const TomlPlace& place, std::string_view value) {
  return edited(text, [&](const std::string& plain) { return set_value(plain, place, value); });
}

std::string with_item(const std::string& text, const TomlPlace& place, std::size_t item,
                      std::string_view value) {
  return edited(text, [&](const std::string& plain) { return set_item(plain, place, item, value); });
}

std::string without_item(const std::string& text, const TomlPlace& place, std::size_t item) {
  return edited(text, [&](const std::string& plain) { return take_item(plain, place, item); });
}

std::string with_entry(const std::string& text, const std::string& section, std::string_view lines,
                       const std::string& above) {
  return edited(text, [&](const std::string& plain) { return add_entry(plain, section, lines, above); });
}

std::string without_entry(const std::string& text, const std::string& section, const std::string& name) {
  return edited(text, [&](const std::string& plain) { return take_entry(plain, section, name); });
}

bool stands_at(const std::string& text, const TomlPlace& place, unsigned line,
               std::optional<std::size_t> item) {
  try {
    const toml::table file = parse_toml(text, "kernel.toml");
    const toml::table* table = table_of(file, place);
    const toml::node* node = table ? table->get(place.key) : nullptr;
    if (item) {
      const toml::array* list = node ? node->as_array() : nullptr;
      node = list ? list->get(*item) : nullptr;
    }
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
