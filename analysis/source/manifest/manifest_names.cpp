#include "analysis/source/manifest/manifest_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/manifest/manifest_fields.hpp"
#include "analysis/text/substituted.hpp"
#include "analysis/text/toml_region.hpp"
#include "analysis/text/toml_table.hpp"

namespace rooftile {
namespace {

using Keys = std::set<std::string, std::less<>>;

// The keys of a kernel.toml whose values are expressions. Empty: all keys of the section. In `arguments` the
// values of scalars are expressions.
const std::map<std::string, Keys, std::less<>> expression_keys = {
    {"parameter", {"default"}},
    {"let", {}},
    {"constraint", {"require"}},
    {"buffer", {"count", "value", "skew", "below"}},
    {"global", {"value", "skew", "below"}},
    {"tensor_map", {"rows", "columns", "row_stride", "box_rows", "box_columns"}},
    {"launch", {"arguments", "grid", "block", "cluster", "dynamic_shared_bytes", "carveout"}},
    {"work", {"flops", "elements"}},
    {"traffic", {"compulsory_dram", "dram", "l2", "l1", "distributed"}},
    {"verify", {"arguments", "grid", "block", "tolerance", "relative_tolerance"}}};
// The keys whose values name a buffer. In `arguments` these are the keys "buffer".
const std::map<std::string, Keys, std::less<>> buffer_keys = {
    {"tensor_map", {"buffer"}}, {"launch", {"arguments"}}, {"verify", {"arguments"}}};

Keys keys_of(const toml::table& table) {
  Keys keys;
  for (const auto& [key, value] : table) {
    keys.emplace(key.str());
  }
  return keys;
}

// A value that uses the name, and the same value with the new name.
struct FoundUse {
  NameUse use;
  const toml::node* node = nullptr;
  std::string value;
};

class UseFinder {
 public:
  UseFinder(const std::string& section, const std::string& from, const std::string& to)
      : of_buffer_(section == "buffer"), from_(from), to_(to) {}

  std::vector<FoundUse> in(const toml::table& file) {
    for (const auto& [section, keys] : of_buffer_ ? buffer_keys : expression_keys) {
      if (const toml::table* table = file.get_as<toml::table>(section)) {
        look_at(section, "", *table, keys.empty() ? keys_of(*table) : keys);
      }
      const toml::array* entries = file.get_as<toml::array>(section);
      for (std::size_t i = 0; entries && i < entries->size(); ++i) {
        if (const toml::table* entry = (*entries)[i].as_table()) {
          look_at(section, (*entry)["name"].value_or(std::string()), *entry, keys);
        }
      }
    }
    return std::move(found_);
  }

 private:
  void look_at(const std::string& section, const std::string& entry, const toml::table& table,
               const Keys& keys) {
    for (const std::string& key : keys) {
      const toml::node* node = table.get(key);
      const toml::array* list = node ? node->as_array() : nullptr;
      for (std::size_t i = 0; list && i < list->size(); ++i) {
        look_at({{section, entry, key}, i}, (*list)[i]);
      }
      if (node && !list) {
        look_at({{section, entry, key}, 0}, *node);
      }
    }
  }

  // A value, or an argument, which is a table of one.
  void look_at(const NameUse& use, const toml::node& node) {
    if (const toml::table* argument = node.as_table()) {
      for (const auto& [type, value] : *argument) {
        const bool is_scalar = type.str() != "buffer" && type.str() != "tensor_map";
        if (of_buffer_ ? type.str() == "buffer" : is_scalar) {
          look_at(use, value);
        }
      }
      return;
    }
    const auto words = node.value<std::string>();
    if (!node.is_string() || !words) {
      return;
    }
    const std::string other =
        of_buffer_ ? (*words == from_ ? to_ : *words) : substituted(*words, {{from_, to_}});
    if (other != *words) {
      found_.push_back({use, &node, other});
    }
  }

  bool of_buffer_;
  const std::string &from_, &to_;
  std::vector<FoundUse> found_;
};

bool in_name(char each) {
  return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_';
}

bool is_identifier(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, in_name);
}

// Names that every expression knows, and those of [let].
bool is_reserved(const toml::table& file, const std::string& name) {
  const toml::table* lets = file.get_as<toml::table>("let");
  return std::ranges::find(gpu_names, name) != gpu_names.end() || (lets && lets->contains(name));
}

bool has_entry(const toml::table& file, const std::string& section, const std::string& name) {
  const toml::array* entries = file.get_as<toml::array>(section);
  return entries && std::ranges::any_of(*entries, [&](const toml::node& each) {
           return each.is_table() && (*each.as_table())["name"].value<std::string>() == name;
         });
}

}  // namespace

std::optional<std::string> why_no_name(const std::string& text, const std::string& section,
                                       const std::string& name) {
  const toml::table file = parse_toml(text, "kernel.toml");
  return !is_identifier(name)
             ? std::optional(fmt::format("\"{}\" is no name: letters, digits and _ make one.", name))
         : is_reserved(file, name)
             ? std::optional(fmt::format("Expressions know {} already: choose another name.", name))
         : has_entry(file, section, name)
             ? std::optional(
                   fmt::format("There is a {} called {} already: choose another name.", section, name))
             : std::nullopt;
}

std::vector<NameUse> uses_of(const std::string& text, const std::string& section, const std::string& name) {
  const toml::table file = parse_toml(text, "kernel.toml");
  const std::string other = name + "_";
  std::vector<NameUse> uses;
  for (const FoundUse& found : UseFinder(section, name, other).in(file)) {
    uses.push_back(found.use);
  }
  return uses;
}

// From the last one on, so that those before it stay where the parser saw them.
std::string with_name(const std::string& text, const std::string& section, const std::string& from,
                      const std::string& to) {
  const toml::table file = parse_toml(text, "kernel.toml");
  std::map<std::size_t, std::pair<std::size_t, std::string>> parts;  // by their begin: end and new words
  for (const FoundUse& each : UseFinder(section, from, to).in(file)) {
    parts[begin_of(text, *each.node)] = {end_of(text, *each.node), toml_text(each.value)};
  }
  std::string changed = text;
  for (const auto& [begin, part] : parts | std::views::reverse) {
    changed.replace(begin, part.first - begin, part.second);
  }
  return with_value(changed, {section, from, "name"}, toml_text(to));
}

}  // namespace rooftile
