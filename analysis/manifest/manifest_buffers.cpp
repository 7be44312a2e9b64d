#include "analysis/manifest/manifest_sections.hpp"

namespace rooftile {
namespace {

constexpr Choice<BufferRole> buffer_roles[] = {
    {"input", BufferRole::input}, {"output", BufferRole::output}, {"in_out", BufferRole::in_out}};
constexpr Choice<FillKind> fills[] = {
    {"random", FillKind::random}, {"range", FillKind::range}, {"constant", FillKind::constant}};
constexpr Choice<FillKind> fills_of_globals[] = {{"none", FillKind::none},
                                                 {"random", FillKind::random},
                                                 {"range", FillKind::range},
                                                 {"constant", FillKind::constant}};
constexpr Choice<bool> orders[] = {{"random", false}, {"ascending", true}};
constexpr Choice<int> bytes_of_swizzle[] = {{"none", 0}, {"32", 32}, {"64", 64}, {"128", 128}};

// A range and a constant say every element.
void expect_random(const TomlTable& table, FillKind fill) {
  if (fill == FillKind::range || fill == FillKind::constant) {
    for (const char* key : {"below", "order", "skew", "file"}) {
      if (table.has(key)) {
        table.tell(key, fmt::format("\"{}\" is for random numbers: leave it out, or \"fill\"", key));
      }
    }
  }
  if (table.has("value") && fill != FillKind::constant) {
    table.tell("value", "\"value\" needs fill = \"constant\"");
  }
}

void read_filling(const TomlTable& table, const Scope& scope, Buffer& buffer) {
  buffer.element = table.string("element", "float");
  buffer.element_bytes = choice(table, "element", buffer.element, bytes_of_element);
  expect_random(table, buffer.fill);
  if (buffer.fill == FillKind::constant) {
    buffer.value = required_expression(table, "value", scope);
  }
  buffer.skew = optional_expression(table, "skew", scope).value_or(Expression());
  buffer.below = optional_expression(table, "below", scope);
  buffer.ascending = choice(table, "order", table.string("order", "random"), orders);
  if (buffer.ascending && !buffer.below) {
    table.tell("order", "numbers that ascend need \"below\", their upper bound (exclusive)");
  }
  if (table.has("file")) {
    buffer.file = array_file(table, "file", table.string("file"));
  }
}

Buffer buffer(const TomlTable& table, const Scope& scope) {
  table.only({"name", "element", "count", "role", "fill", "value", "skew", "below", "order", "file"});
  Buffer buffer;
  buffer.name = identifier(table, "name", table.string("name"));
  buffer.count = required_expression(table, "count", scope);
  buffer.role = choice(table, "role", table.string("role"), buffer_roles);
  buffer.fill = choice(table, "fill", table.string("fill", "random"), fills);
  read_filling(table, scope, buffer);
  for (const char* key : {"file", "fill"}) {
    if (table.has(key) && buffer.role == BufferRole::output) {
      table.tell(key, fmt::format("an output is not read: \"{}\" is for an input; expected values belong in "
                                  "verify",
                                  key));
    }
  }
  return buffer;
}

// "table", "ours::table" or "(anonymous namespace)::table"; a compiled kernel may have any other as well.
Buffer global(const TomlTable& table, const Scope& scope, bool is_compiled) {
  table.only({"name", "element", "fill", "value", "skew", "below", "order", "file"});
  Buffer global;
  global.name = table.string("name");
  if (!is_compiled) {
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    std::string name = global.name;
    for (auto at = name.find(unnamed); at != name.npos; at = name.find(unnamed)) {
      name.replace(at, unnamed.size(), "unnamed::");
    }
    kernel_entry(table, "name", name);
  }
  const bool says_numbers = table.has("below") || table.has("order") || table.has("skew") || table.has("file");
  global.fill = choice(table, "fill", table.string("fill", says_numbers ? "random" : "none"), fills_of_globals);
  read_filling(table, scope, global);
  return global;
}

TensorMap tensor_map(const TomlTable& table, const Manifest& manifest, const Scope& scope) {
  table.only({"name", "buffer", "rows", "columns", "row_stride", "box_rows", "box_columns", "swizzle"});
  TensorMap map;
  map.name = identifier(table, "name", table.string("name"));
  map.buffer = known(table, "buffer", manifest.buffers, &Buffer::name, "[[buffer]]");
  map.rows = required_expression(table, "rows", scope);
  map.columns = required_expression(table, "columns", scope);
  map.row_stride = required_expression(table, "row_stride", scope);
  map.box_rows = required_expression(table, "box_rows", scope);
  map.box_columns = required_expression(table, "box_columns", scope);
  map.swizzle_bytes = choice(table, "swizzle", table.string("swizzle", "none"), bytes_of_swizzle);
  return map;
}

}  // namespace

void read_buffers(const TomlTable& file, const Scope& scope, Manifest& manifest) {
  for (const TomlTable& table : file.tables("buffer")) {
    Buffer next = buffer(table, scope);
    if (!next.name.empty() &&
        std::ranges::find(manifest.buffers, next.name, &Buffer::name) != manifest.buffers.end()) {
      table.tell("name", fmt::format("there are two buffers called {}", next.name));
    }
    manifest.buffers.push_back(std::move(next));
  }
}

void read_globals(const TomlTable& file, const Scope& scope, Manifest& manifest) {
  for (const TomlTable& table : file.tables("global")) {
    manifest.globals.push_back(global(table, scope, manifest.is_cubin()));
  }
}

void read_tensor_maps(const TomlTable& file, const Scope& scope, Manifest& manifest) {
  for (const TomlTable& table : file.tables("tensor_map")) {
    manifest.tensor_maps.push_back(tensor_map(table, manifest, scope));
  }
}

}  // namespace rooftile
