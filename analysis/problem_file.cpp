#include "analysis/problem_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "analysis/toml_table.hpp"

namespace rooftile {
namespace {

// Arrays of tables that kernel and problem state together. In the others, such as arguments, the order counts.
constexpr std::array<std::string_view, 5> shared_lists = {"parameter", "constraint", "buffer", "tensor_map",
                                                          "shared_access"};

void inherit(toml::table& own, toml::table&& problem, const std::filesystem::path& file);

std::string text_of(const toml::table& entry, std::string_view key) {
  return entry[key].value_or(std::string());
}

toml::array::iterator find_named(toml::array& entries, const std::string& name) {
  return std::ranges::find_if(entries, [&](const toml::node& entry) {
    return !name.empty() && entry.is_table() && text_of(*entry.as_table(), "name") == name;
  });
}

// Another role would be another problem.
void refuse_another_role(const toml::table& own, const toml::table& of_problem,
                         const std::filesystem::path& file) {
  const std::string role = text_of(own, "role"), expected = text_of(of_problem, "role");
  if (own.contains("role") && role != expected) {
    TomlTable(own, file).fail(
        "role", fmt::format("{} has the role \"{}\" in its problem.toml, not \"{}\"; leave \"role\" out here",
                            text_of(own, "name"), expected.empty() ? "dial" : expected, role));
  }
}

// The problem's entries, each completed by the kernel's of the same name, then the kernel's others.
void join(toml::array& of_problem, toml::array&& own, const std::filesystem::path& file) {
  for (auto entry = of_problem.begin(); entry != of_problem.end(); ++entry) {
    toml::table* shared = entry->as_table();
    const auto named = find_named(own, shared ? text_of(*shared, "name") : "");
    if (named != own.end()) {
      toml::table mine = std::move(*named->as_table());
      own.erase(named);
      refuse_another_role(mine, *shared, file);
      inherit(mine, std::move(*shared), file);
      entry = of_problem.replace(entry, std::move(mine));
    }
  }
  for (toml::node& entry : own) {
    of_problem.push_back(std::move(entry));
  }
}

// Moved, since a copied node forgets its file and line.
void inherit(toml::table& own, toml::table&& problem, const std::filesystem::path& file) {
  for (auto&& [key, node] : problem) {
    const auto mine = own.find(key);
    if (mine == own.end()) {
      own.insert(key, std::move(node));
    } else if (node.is_table() && mine->second.is_table()) {
      inherit(*mine->second.as_table(), std::move(*node.as_table()), file);
    } else if (std::ranges::find(shared_lists, key.str()) != shared_lists.end() && node.is_array() &&
               mine->second.is_array_of_tables()) {
      join(*node.as_array(), std::move(*mine->second.as_array()), file);
      own.insert_or_assign(key, std::move(node));
    }
  }
}

}  // namespace

std::filesystem::path problem_file_of(const std::filesystem::path& kernel) {
  return (kernel.parent_path() / ".." / "problem.toml").lexically_normal();
}

void complete_by_problem(toml::table& kernel, const std::filesystem::path& file, const ReadFile& read) {
  const TomlTable asked(kernel, file);
  const std::string name = asked.string("problem");
  const std::filesystem::path shared = problem_file_of(file);
  const std::optional<std::string> text = read(shared);
  if (!text) {
    asked.fail("problem", fmt::format("the problem \"{}\" stands in {}, which is not there: bring it along, or "
                                      "state here what it says",
                                      name, shared.string()));
  }
  toml::table family = parse_toml(*text, shared);
  const TomlTable problems = TomlTable(family, shared).table("problem");
  if (!problems.has(name)) {
    asked.fail("problem", fmt::format("{} has no problem \"{}\"; it has {}", shared.string(), name,
                                      fmt::join(problems.keys(), ", ")));
  }
  problems.table(name);
  toml::table chosen = std::move(*family["problem"][name].as_table());
  family.erase("problem");
  inherit(chosen, std::move(family), shared);
  inherit(kernel, std::move(chosen), file);
}

}  // namespace rooftile
