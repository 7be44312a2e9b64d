#include "analysis/manifest/problem_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace rooftile {
namespace {

// Arrays of tables that kernel and problem state together. In the others, such as arguments, the order counts.
constexpr std::array<std::string_view, 4> shared_lists = {"parameter", "constraint", "buffer", "tensor_map"};

std::string text_of(const toml::table& entry, std::string_view key) {
  return entry[key].value_or(std::string());
}

toml::array::iterator find_named(toml::array& entries, const std::string& name) {
  return std::ranges::find_if(entries, [&](const toml::node& entry) {
    return !name.empty() && entry.is_table() && text_of(*entry.as_table(), "name") == name;
  });
}

// A kernel.toml that takes over what is shared.
class Heir {
 public:
  Heir(const std::filesystem::path& file, TomlMistakes& mistakes) : file_(file), mistakes_(mistakes) {}

  // Moved, since a copied node forgets its file and line.
  void inherit(toml::table& own, toml::table&& shared) const {
    for (auto&& [key, node] : shared) {
      const auto mine = own.find(key);
      if (mine == own.end()) {
        own.insert(key, std::move(node));
      } else if (node.is_table() && mine->second.is_table()) {
        inherit(*mine->second.as_table(), std::move(*node.as_table()));
      } else if (std::ranges::find(shared_lists, key.str()) != shared_lists.end() && node.is_array() &&
                 mine->second.is_array_of_tables()) {
        join(*node.as_array(), std::move(*mine->second.as_array()));
        own.insert_or_assign(key, std::move(node));
      }
    }
  }

 private:
  // The shared entries, each completed by the kernel's of the same name, then the kernel's others.
  void join(toml::array& shared, toml::array&& own) const {
    for (auto entry = shared.begin(); entry != shared.end(); ++entry) {
      toml::table* table = entry->as_table();
      const auto named = find_named(own, table ? text_of(*table, "name") : "");
      if (named != own.end()) {
        toml::table mine = std::move(*named->as_table());
        own.erase(named);
        refuse_another_role(mine, *table);
        inherit(mine, std::move(*table));
        entry = shared.replace(entry, std::move(mine));
      }
    }
    for (toml::node& entry : own) {
      shared.push_back(std::move(entry));
    }
  }

  // Another role would be another problem.
  void refuse_another_role(const toml::table& own, const toml::table& shared) const {
    const std::string role = text_of(own, "role"), expected = text_of(shared, "role");
    if (own.contains("role") && role != expected) {
      TomlTable(own, file_, mistakes_)
          .tell("role",
                fmt::format("{} has the role \"{}\" in its problem.toml, not \"{}\"; leave \"role\" out here",
                            text_of(own, "name"), expected.empty() ? "dial" : expected, role));
    }
  }

  const std::filesystem::path& file_;
  TomlMistakes& mistakes_;
};

// The part of problem.toml about this problem, the family's part included. Empty where it has no problem of
// that name.
std::optional<toml::table> chosen_problem(const TomlTable& kernel, const std::string& name,
                                          std::string_view text, const std::filesystem::path& shared,
                                          TomlMistakes& mistakes) {
  toml::table family = parse_toml(text, shared);
  const auto problems = TomlTable(family, shared, mistakes).table("problem");
  if (!problems) {
    return std::nullopt;
  }
  if (!problems->has(name)) {
    kernel.tell("problem", fmt::format("{} has no problem \"{}\"; it has {}", shared.string(), name,
                                       fmt::join(problems->keys(), ", ")));
    return std::nullopt;
  }
  if (!problems->table(name)) {
    return std::nullopt;
  }
  toml::table chosen = std::move(*family["problem"][name].as_table());
  family.erase("problem");
  Heir(shared, mistakes).inherit(chosen, std::move(family));
  return chosen;
}

}  // namespace

std::filesystem::path problem_file_of(const std::filesystem::path& kernel, const ReadFile& read) {
  const std::filesystem::path beside = kernel.parent_path() / "problem.toml";
  if (read(beside)) {
    return beside;
  }
  return (kernel.parent_path() / ".." / "problem.toml").lexically_normal();
}

bool complete_by_problem(toml::table& kernel, const std::filesystem::path& file, const ReadFile& read,
                         TomlMistakes& mistakes) {
  const TomlTable asked(kernel, file, mistakes);
  const std::string name = asked.string("problem");
  if (name.empty()) {
    return false;
  }
  const std::filesystem::path shared = problem_file_of(file, read);
  const std::optional<std::string> text = read(shared);
  if (!text) {
    asked.tell("problem", fmt::format("the problem \"{}\" stands in {}, which is not there: bring it along, or "
                                      "state here what it says",
                                      name, shared.string()));
    return false;
  }
  auto chosen = chosen_problem(asked, name, *text, shared, mistakes);
  if (chosen) {
    Heir(file, mistakes).inherit(kernel, std::move(*chosen));
  }
  return chosen.has_value();
}

}  // namespace rooftile
