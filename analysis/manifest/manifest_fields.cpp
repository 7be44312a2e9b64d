#include "analysis/manifest/manifest_fields.hpp"

#include <fmt/ranges.h>

#include <cctype>

#include "analysis/text/edit_distance.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

std::optional<Expression> parsed(const TomlTable& table, std::string_view key, std::string text,
                                 const Scope& scope) {
  try {
    return Expression(std::move(text), scope.names, scope.lets);
  } catch (const Error& error) {
    table.tell(key, fmt::format("{}: {}", key, error.what()));
    return std::nullopt;
  }
}

}  // namespace

std::string meant_instead(std::string_view typed, const std::vector<std::string_view>& names) {
  if (const auto meant = nearest(typed, names)) {
    return fmt::format("; did you mean {}?", *meant);
  }
  return names.empty() ? "" : fmt::format("; there are {}", fmt::join(names, ", "));
}

Scope joined(Scope scope, const Names& more) {
  return {joined(std::move(scope.names), more), std::move(scope.lets)};
}

Names joined(Names names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

std::optional<Expression> expression(const TomlTable& table, std::string_view key, const Scope& scope) {
  auto text = table.formula(key);
  return text ? parsed(table, key, std::move(*text), scope) : std::nullopt;
}

Expression required_expression(const TomlTable& table, std::string_view key, const Scope& scope) {
  return expression(table, key, scope).value_or(Expression());
}

std::optional<Expression> optional_expression(const TomlTable& table, std::string_view key,
                                              const Scope& scope) {
  return table.has(key) ? expression(table, key, scope) : std::nullopt;
}

std::array<Expression, 3> ones() {
  const Expression one("1", {});
  return {one, one, one};
}

std::array<Expression, 3> extents(const TomlTable& table, std::string_view key, const Scope& scope) {
  std::array<Expression, 3> extents = ones();
  const auto texts = table.formulas(key);
  if (texts && (texts->empty() || texts->size() > extents.size())) {
    table.tell(key, fmt::format("\"{}\" must be one to three numbers or expressions", key));
    return extents;
  }
  for (std::size_t i = 0; texts && i < texts->size(); ++i) {
    extents[i] = parsed(table, key, (*texts)[i], scope).value_or(extents[i]);
  }
  return extents;
}

std::string identifier(const TomlTable& table, std::string_view key, const std::string& text) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (!text.empty() &&
      (!std::ranges::all_of(text, in_word) || std::isdigit(static_cast<unsigned char>(text[0])))) {
    table.tell(key, fmt::format("\"{}\" must be a C identifier, not \"{}\"", key, text));
  }
  return text;
}

std::string kernel_entry(const TomlTable& table, std::string_view key, const std::string& text) {
  const std::size_t arguments = std::min(text.find('<'), text.size());
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
  };
  const bool is_named = std::ranges::all_of(text.substr(0, arguments), in_name) && arguments > 0 &&
                        !std::isdigit(static_cast<unsigned char>(text[0]));
  if (!text.empty() && (!is_named || (arguments < text.size() && text.back() != '>'))) {
    table.tell(key, fmt::format("\"{}\" must be a kernel's name, such as \"sum\" or \"reduce<float, TILE>\", "
                                "not \"{}\"",
                                key, text));
  }
  return text;
}

std::string with_template_arguments(const std::string& entry, const Substitutes& arguments) {
  const std::size_t begin = std::min(entry.find('<'), entry.size());
  return entry.substr(0, begin) + substituted(std::string_view(entry).substr(begin), arguments);
}

std::filesystem::path file_beside(const TomlTable& table, std::string_view key, const std::string& name) {
  return (table.file_of(key).parent_path() / name).lexically_normal();
}

std::filesystem::path existing_file(const TomlTable& table, std::string_view key, const std::string& name,
                                    const ReadFile& read) {
  const std::filesystem::path file = file_beside(table, key, name);
  if (!name.empty() && !read(file)) {
    table.tell(key, fmt::format("\"{}\": there is no file {}", key, file.string()));
  }
  return file;
}

bool is_array_file(const std::string& name) {
  return name.ends_with(".npy") || name.ends_with(".npy.gz");
}

std::filesystem::path array_file(const TomlTable& table, std::string_view key, const std::string& name) {
  if (!name.empty() && !is_array_file(name)) {
    table.tell(key,
               fmt::format("\"{}\" must be an array of NumPy, such as \"{}.npy\", not \"{}\"", key, key, name));
  }
  return file_beside(table, key, name);
}

}  // namespace rooftile
