#include "analysis/source/manifest/manifest_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/text/format.hpp"
#include "analysis/text/toml_table.hpp"

namespace rooftile {
namespace {

std::string words_of(const toml::node* node, const char* otherwise = "") {
  if (const auto words = node ? node->value<std::string>() : std::nullopt) {
    return *words;
  }
  const auto value = node && node->is_number() ? node->value<double>() : std::nullopt;
  return value ? number(*value) : otherwise;
}

// A single value is a list of one.
std::vector<std::string> list_of_words(const toml::node* node) {
  std::vector<std::string> words;
  if (const toml::array* list = node ? node->as_array() : nullptr) {
    for (const toml::node& each : *list) {
      words.push_back(words_of(&each));
    }
  } else if (node) {
    words.push_back(words_of(node));
  }
  return words;
}

// An item that is no table becomes an empty table, so that the others keep their places.
std::vector<const toml::table*> entries(const toml::node* node) {
  static const toml::table none;
  const toml::array* list = node ? node->as_array() : nullptr;
  std::vector<const toml::table*> tables;
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    const toml::table* table = (*list)[i].as_table();
    tables.push_back(table ? table : &none);
  }
  return tables;
}

std::array<std::string, 3> side_words(const toml::node* node) {
  std::array<std::string, 3> all{"1", "1", "1"};
  const std::vector<std::string> words = list_of_words(node);
  for (std::size_t axis = 0; axis < all.size() && axis < words.size(); ++axis) {
    all.at(axis) = words[axis];
  }
  return all;
}

void read_launch_words(const toml::table& launch, ManifestWords& words) {
  for (const toml::table* argument : entries(launch.get("arguments"))) {
    ManifestWords::Argument& given = words.arguments.emplace_back();
    for (const auto& [type, value] : *argument) {
      if (type == "offset") {
        given.offset = words_of(&value);
      } else if (type != "bytes") {
        given.type = type.str();
        given.value = words_of(&value);
      }
    }
  }
  words.grid = side_words(launch.get("grid"));
  words.block = side_words(launch.get("block"));
  words.dynamic_shared_bytes = words_of(launch.get("dynamic_shared_bytes"), "0");
}

}  // namespace

ManifestWords words_of_manifest(std::string_view text) {
  const toml::table file = parse_toml(text, "kernel.toml");
  ManifestWords words;
  words.source = words_of(file.get("source"));
  words.entry = words_of(file.get("entry"));
  for (const toml::table* each : entries(file.get("parameter"))) {
    const std::string role = words_of(each->get("role"), "dial");
    const char* usual_place = role == "dial" || role == "variant" ? "macro" : "argument";
    words.parameters.push_back({words_of(each->get("name")), role == "variant" ? "size" : role,
                                words_of(each->get("where"), usual_place),
                                fmt::format("{}", fmt::join(list_of_words(each->get("values")), ", ")),
                                words_of(each->get("default"))});
  }
  for (const toml::table* each : entries(file.get("buffer"))) {
    words.buffers.push_back({words_of(each->get("name")), words_of(each->get("element"), "float"),
                             words_of(each->get("count")), words_of(each->get("role")),
                             words_of(each->get("below")), words_of(each->get("order"), "random")});
  }
  for (const toml::table* each : entries(file.get("global"))) {
    words.globals.push_back({words_of(each->get("name")), words_of(each->get("element"), "float"),
                             words_of(each->get("fill"), "none"), words_of(each->get("value"))});
  }
  for (const toml::table* each : entries(file.get("tensor_map"))) {
    words.tensor_maps.push_back(words_of(each->get("name")));
  }
  if (const toml::table* launch = file.get_as<toml::table>("launch")) {
    read_launch_words(*launch, words);
  }
  return words;
}

}  // namespace rooftile
