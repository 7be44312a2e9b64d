#include "app/scene/launch/launch_edit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>
#include <string_view>

#include "analysis/source/manifest/manifest_names.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile::scene {
namespace {

bool is_whole_number(std::string_view words) {
  return !words.empty() && words.size() < 16 && (words[0] != '0' || words.size() == 1) &&
         std::ranges::all_of(words, [](char each) { return '0' <= each && each <= '9'; });
}

std::optional<double> number_of(std::string_view words) {
  double value = 0;
  const auto [end, failed] = std::from_chars(words.data(), words.data() + words.size(), value);
  const bool whole = failed == std::errc() && end == words.data() + words.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

std::string formula(const std::string& words) {
  return is_whole_number(words) ? words : toml_text(words);
}

// "16, 32 64"
std::vector<std::string> split(std::string words) {
  std::ranges::replace(words, ',', ' ');
  std::vector<std::string> parts;
  for (const auto part : words | std::views::split(' ')) {
    if (!part.empty()) {
      parts.emplace_back(part.begin(), part.end());
    }
  }
  return parts;
}

// A word that is no number becomes a text, which the reader refuses.
std::string list(const std::string& words) {
  std::vector<std::string> values;
  for (const std::string& each : split(words)) {
    const auto value = number_of(each);
    values.push_back(value ? number(*value) : toml_text(each));
  }
  return fmt::format("[{}]", fmt::join(values, ", "));
}

// ["TILE", 4]: the last sides are left out where they are 1, as are empty ones.
std::string sides(std::array<std::string, 3> words, const SetWords& edit) {
  words.at(edit.field.item) = edit.words;
  std::vector<std::string> all;
  for (const std::string& each : words) {
    all.push_back(each.empty() ? "1" : formula(each));
  }
  while (all.size() > 1 && all.back() == "1") {
    all.pop_back();
  }
  return fmt::format("[{}]", fmt::join(all, ", "));
}

// offset: of the buffer that stood there; another one begins there too.
std::string argument(const SetWords& edit, const std::string& offset) {
  const bool is_buffer = edit.argument_type == "buffer";
  const bool is_name = is_buffer || edit.argument_type == "tensor_map";
  return fmt::format("{{ {} = {}{} }}", edit.argument_type,
                     is_name ? toml_text(edit.words) : formula(edit.words),
                     is_buffer && !offset.empty() ? ", offset = " + formula(offset) : "");
}

// If the values are changed but not the default, the default goes to the nearest of them.
std::string with_default_nearby(std::string text, const SetWords& edit) {
  const FormField field = of_parameter(edit.field.place.entry, "default");
  const auto before = number_of(words_at(words_of_manifest(text), field).value_or(""));
  std::optional<double> nearest;
  for (const std::string& each : split(edit.words)) {
    const auto value = number_of(each);
    if (before && value && (!nearest || std::abs(*value - *before) < std::abs(*nearest - *before))) {
      nearest = value;
    }
  }
  return nearest && *nearest != *before ? with_value(text, field.place, number(*nearest)) : std::move(text);
}

std::string with_words(const std::string& text, const SetWords& edit, bool default_typed) {
  const TomlPlace& place = edit.field.place;
  const std::string& key = place.key;
  if (key == "arguments") {
    const auto given = words_of_manifest(text).arguments;
    const std::size_t item = edit.field.item;
    return with_item(text, place, item, argument(edit, item < given.size() ? given[item].offset : ""));
  }
  if (key == "block" || key == "grid") {
    const ManifestWords words = words_of_manifest(text);
    return with_value(text, place, sides(key == "block" ? words.block : words.grid, edit));
  }
  if (key == "values") {
    const std::string with_values = with_value(text, place, list(edit.words));
    return default_typed ? with_values : with_default_nearby(with_values, edit);
  }
  const bool is_word = key == "element" || key == "role" || key == "order" || key == "fill";
  return with_value(text, place, is_word ? toml_text(edit.words) : formula(edit.words));
}

const SetWords* words_for(const LaunchEdit& edit, const FormField& field) {
  const auto* words = std::get_if<SetWords>(&edit);
  return words && words->field == field ? words : nullptr;
}

bool is_typed(const LaunchEdits& edits, const FormField& field) {
  return std::ranges::any_of(edits, [&](const LaunchEdit& each) { return words_for(each, field); });
}

class Editor {
 public:
  Editor(const std::string& text, const LaunchEdits& all) : text_(text), all_(all) {}

  std::string operator()(const SetWords& edit) const {
    return with_words(text_, edit, is_typed(all_, of_parameter(edit.field.place.entry, "default")));
  }
  std::string operator()(const AddEntry& edit) const {
    return with_entry(text_, edit.section, edit.lines, "launch");
  }
  std::string operator()(const RemoveEntry& edit) const {
    return without_entry(text_, edit.section, edit.name);
  }
  std::string operator()(const RenameEntry& edit) const {
    return with_name(text_, edit.section, edit.name, edit.to);
  }
  std::string operator()(const RemoveArgument& edit) const {
    return without_item(text_, of_argument(0).place, edit.position);
  }

 private:
  const std::string& text_;
  const LaunchEdits& all_;
};

std::optional<std::string> words_of_parameter(const ManifestWords& words, const TomlPlace& place) {
  const auto found = std::ranges::find(words.parameters, place.entry, &ManifestWords::Parameter::name);
  return found == words.parameters.end()
             ? std::nullopt
             : std::optional(place.key == "values" ? found->values : found->default_value);
}

std::optional<std::string> words_of_buffer(const ManifestWords& words, const TomlPlace& place) {
  const auto found = std::ranges::find(words.buffers, place.entry, &ManifestWords::Buffer::name);
  return found == words.buffers.end() ? std::nullopt
                                      : std::optional(place.key == "count"     ? found->count
                                                      : place.key == "element" ? found->element
                                                      : place.key == "role"    ? found->role
                                                      : place.key == "below"   ? found->below
                                                                               : found->order);
}

std::optional<std::string> words_of_global(const ManifestWords& words, const TomlPlace& place) {
  const auto found = std::ranges::find(words.globals, place.entry, &ManifestWords::Global::name);
  return found == words.globals.end() ? std::nullopt
                                      : std::optional(place.key == "element" ? found->element
                                                      : place.key == "fill"  ? found->fill
                                                                             : found->value);
}

bool is_said(const std::string& text, const SetWords& edit) {
  const ManifestWords words = words_of_manifest(text);
  const std::size_t item = edit.field.item;
  const bool is_same_type = edit.field.place.key != "arguments" ||
                            (item < words.arguments.size() && words.arguments[item].type == edit.argument_type);
  return is_same_type && words_at(words, edit.field) == edit.words;
}

void add(LaunchEdits& edits, LaunchEdit edit) {
  const auto* typed = std::get_if<SetWords>(&edit);
  for (auto at = edits.rbegin(); typed && at != edits.rend() && std::holds_alternative<SetWords>(*at); ++at) {
    if (words_for(*at, typed->field)) {
      *at = std::move(edit);
      return;
    }
  }
  edits.push_back(std::move(edit));
}

}  // namespace

FormField of_parameter(const std::string& name, const char* key) {
  return {{"parameter", name, key}};
}
FormField of_buffer(const std::string& name, const char* key) {
  return {{"buffer", name, key}};
}
FormField of_global(const std::string& name, const char* key) {
  return {{"global", name, key}};
}
FormField of_launch(const char* key, std::size_t axis) {
  return {{"launch", "", key}, axis};
}
FormField of_argument(std::size_t position) {
  return {{"launch", "", "arguments"}, position};
}

LaunchEdits with_edit(const std::string& text, LaunchEdits edits, LaunchEdit edit) {
  add(edits, std::move(edit));
  LaunchEdits kept;
  for (LaunchEdit& each : edits) {
    const auto* typed = std::get_if<SetWords>(&each);
    if (!typed || !is_said(edited(text, kept).text, *typed)) {
      kept.push_back(std::move(each));
    }
  }
  return kept;
}

EditedText edited(std::string text, const LaunchEdits& edits) {
  EditedText result{std::move(text), {}};
  for (const LaunchEdit& edit : edits) {
    try {
      result.text = std::visit(Editor(result.text, edits), edit);
    } catch (const Error& error) {
      result.refused.emplace_back(edit, error.what());
    }
  }
  return result;
}

std::optional<std::string> name_before(const LaunchEdits& edits, const std::string& section, std::string name) {
  for (const LaunchEdit& edit : edits | std::views::reverse) {
    if (const auto* renaming = std::get_if<RenameEntry>(&edit)) {
      name = renaming->section == section && renaming->to == name ? renaming->name : name;
    } else if (const auto* adding = std::get_if<AddEntry>(&edit);
               adding && adding->section == section && adding->name == name) {
      return std::nullopt;
    }
  }
  return name;
}

Parameters renamed(const LaunchEdits& edits, Parameters values) {
  for (const LaunchEdit& edit : edits) {
    const auto* renaming = std::get_if<RenameEntry>(&edit);
    if (auto value = renaming && renaming->section == "parameter" ? values.extract(renaming->name)
                                                                  : Parameters::node_type{}) {
      value.key() = renaming->to;
      values.insert(std::move(value));
    }
  }
  return values;
}

std::optional<std::string> words_at(const ManifestWords& words, const FormField& field) {
  const TomlPlace& place = field.place;
  if (place.section != "launch") {
    return place.section == "parameter" ? words_of_parameter(words, place)
           : place.section == "global"  ? words_of_global(words, place)
                                        : words_of_buffer(words, place);
  }
  if (place.key == "arguments") {
    return field.item < words.arguments.size() ? std::optional(words.arguments[field.item].value)
                                               : std::nullopt;
  }
  return place.key == "block"  ? words.block.at(field.item)
         : place.key == "grid" ? words.grid.at(field.item)
                               : words.dynamic_shared_bytes;
}

}  // namespace rooftile::scene
