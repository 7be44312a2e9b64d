// The format of kernel.toml: README.md of kernels/ and the bundled ones say what it looks like.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "analysis/error.hpp"
#include "analysis/format.hpp"
#include "analysis/manifest.hpp"
#include "analysis/problem_file.hpp"
#include "analysis/toml_table.hpp"

namespace rooftile {
namespace {

using Names = std::vector<std::string>;

template <class Value>
using Choice = std::pair<std::string_view, Value>;

constexpr Choice<ParameterRole> parameter_roles[] = {{"dial", ParameterRole::dial},
                                                     {"variant", ParameterRole::variant},
                                                     {"size", ParameterRole::size},
                                                     {"scalar", ParameterRole::scalar}};
constexpr Choice<BufferRole> buffer_roles[] = {
    {"input", BufferRole::input}, {"output", BufferRole::output}, {"in_out", BufferRole::in_out}};
constexpr Choice<int> bytes_of_element[] = {{"float", 4}, {"double", 8}, {"half", 2}, {"bfloat16", 2},
                                            {"char", 1},  {"short", 2},  {"int", 4},  {"long_long", 8}};

constexpr Choice<const char*> libraries[] = {{"cublas", "cublas"}};
constexpr Choice<int> bytes_of_swizzle[] = {{"none", 0}, {"32", 32}, {"64", 64}, {"128", 128}};

// What an index and a number of requests know besides the parameters.
const Names thread_names = {"tx", "ty", "tz", "lane", "warp"};
const Names launch_names = {"warps", "blocks", "threads"};
// What a grid, FLOPs, bytes and requests know of the GPU.
const Names gpu_names = {"sms"};

Names joined(Names names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

template <class Value, std::size_t Count>
Value choice(const TomlTable& table, std::string_view key, const std::string& text,
             const Choice<Value> (&choices)[Count]) {
  Names names;
  for (const auto& [name, value] : choices) {
    if (name == text) {
      return value;
    }
    names.emplace_back(name);
  }
  table.fail(key, fmt::format("\"{}\" must be one of {}, not \"{}\"", key, fmt::join(names, ", "), text));
}

Expression expression(const TomlTable& table, std::string_view key, std::string text, const Names& names) {
  try {
    return Expression(std::move(text), names);
  } catch (const Error& error) {
    table.fail(key, fmt::format("{}: {}", key, error.what()));
  }
}

Expression expression(const TomlTable& table, std::string_view key, const Names& names) {
  return expression(table, key, table.formula(key), names);
}

std::optional<Expression> optional_expression(const TomlTable& table, std::string_view key,
                                              const Names& names) {
  return table.has(key) ? std::optional(expression(table, key, names)) : std::nullopt;
}

std::array<Expression, 3> ones() {
  const Expression one("1", {});
  return {one, one, one};
}

// One to three extents; those left out are 1.
std::array<Expression, 3> extents(const TomlTable& table, std::string_view key, const Names& names) {
  std::array<Expression, 3> extents = ones();
  const std::vector<std::string> texts = table.formulas(key);
  if (texts.empty() || texts.size() > extents.size()) {
    table.fail(key, fmt::format("\"{}\" must be one to three numbers or expressions", key));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    extents[i] = expression(table, key, texts[i], names);
  }
  return extents;
}

// Becomes a macro, an argument or a symbol: nothing but a C identifier may reach the compiler.
std::string identifier(const TomlTable& table, std::string_view key, const std::string& text) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (!std::ranges::all_of(text, in_word) || std::isdigit(static_cast<unsigned char>(text[0]))) {
    table.fail(key, fmt::format("\"{}\" must be a C identifier, not \"{}\"", key, text));
  }
  return text;
}

// A name that one of these has.
template <class Named>
std::string known(const TomlTable& table, std::string_view key, const std::vector<Named>& all,
                  std::string Named::*name, std::string_view kind) {
  const std::string text = table.string(key);
  if (std::ranges::find(all, text, name) == all.end()) {
    table.fail(key, fmt::format("there is no {} called {}", kind, text));
  }
  return text;
}

// Beside the file that names it.
std::filesystem::path existing_file(const TomlTable& table, std::string_view key, std::string fallback,
                                    const ReadFile& read) {
  const std::filesystem::path folder = table.file_of(key).parent_path();
  const std::filesystem::path file = (folder / table.string(key, std::move(fallback))).lexically_normal();
  if (!read(file)) {
    table.fail(key, fmt::format("\"{}\": there is no file {}", key, file.string()));
  }
  return file;
}

std::array<double, 2> range(const TomlTable& table) {
  const std::vector<double> bounds = table.numbers("range");
  if (bounds.size() != 2 || bounds[0] > bounds[1]) {
    table.fail("range", "\"range\" must be two numbers, the smaller first, such as [1, 32768]");
  }
  return {bounds[0], bounds[1]};
}

// Of a default that follows nothing.
double value_of(const Expression& formula, const TomlTable& table) {
  try {
    return formula.evaluate({});
  } catch (const Error& error) {
    table.fail("default", error.what());
  }
}

// A default may follow parameters that stand before its own, so defaults never run in a circle.
Parameter parameter(const TomlTable& table, const Names& earlier) {
  table.only({"name", "label", "unit", "role", "values", "range", "default"});
  Parameter parameter;
  parameter.name = identifier(table, "name", table.string("name"));
  parameter.label = table.string("label", parameter.name);
  parameter.unit = table.string("unit", "");
  parameter.role = choice(table, "role", table.string("role", "dial"), parameter_roles);
  parameter.values = table.numbers("values");
  if (table.has("range")) {
    parameter.range = range(table);
  }
  parameter.default_value = expression(table, "default", earlier);
  parameter.follows = !parameter.default_value.names().empty();
  if (!parameter.follows && !parameter.accepts(value_of(parameter.default_value, table))) {
    table.fail({"default", "values", "range"}, fmt::format("the default {} of {} is not one of its values",
                                                           parameter.default_value.text(), parameter.name));
  }
  return parameter;
}

// The macros of a kernel stand before the sizes of its problem.
std::vector<TomlTable> parameter_tables(const TomlTable& file) {
  std::vector<TomlTable> tables = file.tables("parameter");
  if (file.has("problem")) {
    std::ranges::stable_sort(tables, {}, [](const TomlTable& table) {
      const std::string role = table.string("role", "dial");
      return role == "dial" ? 0 : role == "variant" ? 1 : 2;
    });
  }
  return tables;
}

std::vector<Parameter> parameters(const TomlTable& file) {
  std::vector<Parameter> parameters;
  Names taken = joined(joined(thread_names, launch_names), gpu_names);
  Names earlier;
  for (const TomlTable& table : parameter_tables(file)) {
    parameters.push_back(parameter(table, earlier));
    const std::string& name = parameters.back().name;
    if (std::ranges::find(taken, name) != taken.end()) {
      table.fail("name", fmt::format("the name {} is taken; choose another", name));
    }
    taken.push_back(name);
    earlier.push_back(name);
  }
  return parameters;
}

Constraint constraint(const TomlTable& table, const Names& names) {
  table.only({"require", "reason"});
  return {expression(table, "require", names), table.string("reason")};
}

Buffer buffer(const TomlTable& table, const Names& names) {
  table.only({"name", "element", "count", "role", "skew"});
  Buffer buffer;
  buffer.name = identifier(table, "name", table.string("name"));
  buffer.element = table.string("element", "float");
  buffer.element_bytes = choice(table, "element", buffer.element, bytes_of_element);
  buffer.count = expression(table, "count", names);
  buffer.role = choice(table, "role", table.string("role"), buffer_roles);
  buffer.skew = optional_expression(table, "skew", names).value_or(Expression());
  return buffer;
}

TensorMap tensor_map(const TomlTable& table, const Manifest& manifest, const Names& names) {
  table.only({"name", "buffer", "rows", "columns", "row_stride", "box_rows", "box_columns", "swizzle"});
  TensorMap map;
  map.name = identifier(table, "name", table.string("name"));
  map.buffer = known(table, "buffer", manifest.buffers, &Buffer::name, "[[buffer]]");
  map.rows = expression(table, "rows", names);
  map.columns = expression(table, "columns", names);
  map.row_stride = expression(table, "row_stride", names);
  map.box_rows = expression(table, "box_rows", names);
  map.box_columns = expression(table, "box_columns", names);
  map.swizzle_bytes = choice(table, "swizzle", table.string("swizzle", "none"), bytes_of_swizzle);
  return map;
}

// { buffer = "A" }, { tensor_map = "A_map" } or { int = "M" }.
Argument argument(const TomlTable& table, const Manifest& manifest, const Names& names) {
  table.only({"buffer", "tensor_map", "int", "long_long", "float", "double"});
  if (table.keys().size() != 1) {
    table.fail("", "an argument is one type and one value, such as { buffer = \"A\" } or { int = \"N\" }");
  }
  const std::string type(table.keys().front());
  if (type == "buffer") {
    return {known(table, type, manifest.buffers, &Buffer::name, "[[buffer]]"), type, {}};
  }
  if (type == "tensor_map") {
    return {known(table, type, manifest.tensor_maps, &TensorMap::name, "[[tensor_map]]"), type, {}};
  }
  return {{}, type, expression(table, type, names)};
}

std::vector<Argument> arguments(const TomlTable& table, const Manifest& manifest, const Names& names) {
  std::vector<Argument> arguments;
  for (const TomlTable& entry : table.tables("arguments")) {
    arguments.push_back(argument(entry, manifest, names));
  }
  return arguments;
}

std::array<Expression, 3> cluster(const TomlTable& table, const Manifest& manifest, const Names& names) {
  if (!table.has("cluster")) {
    return ones();
  }
  if (!closest_architecture(manifest.minimum_cc.value_or(ComputeCapability{})).clusters) {
    table.fail("cluster", "\"cluster\" needs minimum_cc = \"9.0\" or later: older GPUs have no clusters");
  }
  return extents(table, "cluster", names);
}

void read_launch(const TomlTable& table, const Names& names, Manifest& manifest) {
  table.only({"arguments", "grid", "block", "cluster", "dynamic_shared_bytes"});
  manifest.arguments = arguments(table, manifest, names);
  const bool launched = manifest.library.empty();
  manifest.grid = launched ? extents(table, "grid", joined(names, gpu_names)) : ones();
  manifest.block = launched ? extents(table, "block", names) : ones();
  manifest.cluster = cluster(table, manifest, names);
  manifest.dynamic_shared_bytes =
      optional_expression(table, "dynamic_shared_bytes", names).value_or(Expression());
}

void read_work(const TomlTable& table, const Names& names, Manifest& manifest) {
  table.only({"flops", "pipe", "elements", "elements_label"});
  manifest.flops = optional_expression(table, "flops", joined(names, gpu_names));
  manifest.pipe = table.string("pipe", fp32_pipe);
  if (std::ranges::find(pipes, manifest.pipe) == pipes.end()) {
    table.fail("pipe",
               fmt::format("\"pipe\" must be one of {}, not \"{}\"", fmt::join(pipes, ", "), manifest.pipe));
  }
  manifest.elements = expression(table, "elements", names);
  manifest.elements_label = table.string("elements_label");
}

void read_traffic(const TomlTable& table, const Names& names, Manifest& manifest) {
  table.only({"compulsory_dram", "dram", "l2", "l1", "distributed"});
  manifest.compulsory_dram_bytes = expression(table, "compulsory_dram", names);
  for (const MemoryLevel level :
       {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1, MemoryLevel::distributed}) {
    manifest.bytes[static_cast<std::size_t>(level)] =
        optional_expression(table, key(level), joined(names, gpu_names));
  }
}

SharedAccess shared_access(const TomlTable& table, const Names& names) {
  table.only({"name", "array", "store", "element", "vector", "index", "requests"});
  SharedAccess access;
  access.name = table.string("name");
  access.array = table.string("array");
  access.store = table.boolean("store", false);
  access.element_bytes = choice(table, "element", table.string("element", "float"), bytes_of_element);
  access.vector_elements = optional_expression(table, "vector", names).value_or(Expression("1", {}));
  access.index = expression(table, "index", joined(names, thread_names));
  access.requests = expression(table, "requests", joined(joined(names, launch_names), gpu_names));
  return access;
}

VerifyRule verify_rule(const TomlTable& table, const Names& names, const Manifest& manifest,
                       const ReadFile& read) {
  table.only({"source", "entry", "arguments", "grid", "block", "tolerance"});
  return {existing_file(table, "source", "", read),
          identifier(table, "entry", table.string("entry")),
          table.has("arguments") ? arguments(table, manifest, names) : manifest.arguments,
          extents(table, "grid", names),
          extents(table, "block", names),
          expression(table, "tolerance", names)};
}

ComputeCapability capability(const TomlTable& table, std::string_view key) {
  const auto cc = compute_capability(table.string(key));
  if (!cc) {
    table.fail(key, fmt::format("\"{}\" must be a compute capability in quotes, such as \"9.0\"", key));
  }
  return *cc;
}

void read_heading(const TomlTable& file, const ReadFile& read, Manifest& manifest) {
  manifest.name = kernel_name(manifest.file);
  manifest.title = file.string("title");
  manifest.short_title = file.string("short_title", manifest.title);
  manifest.group = file.string("group", "Own kernels");
  manifest.idea = file.string("idea");
  manifest.order = file.whole_number("order", 0);
  if (file.has("problem")) {
    manifest.family = kernel_name(problem_file_of(manifest.file));
    manifest.problem = file.string("problem");
  }
  if (file.has("library")) {
    manifest.library = choice(file, "library", file.string("library"), libraries);
  } else {
    manifest.source = existing_file(file, "source", manifest.name + ".cu", read);
    manifest.entry = identifier(file, "entry", file.string("entry", manifest.name));
  }
  if (file.has("minimum_cc")) {
    manifest.minimum_cc = capability(file, "minimum_cc");
  }
  manifest.architecture_specific = file.boolean("architecture_specific", false);
  if (manifest.architecture_specific && !manifest.minimum_cc) {
    file.fail("architecture_specific",
              "\"architecture_specific\" needs \"minimum_cc\", the architecture that is meant");
  }
}

// The call takes what it needs by these names.
void expect_matrices(const TomlTable& file, const Manifest& manifest) {
  for (const char* name : {"A", "B", "C"}) {
    if (std::ranges::find(manifest.buffers, name, &Buffer::name) == manifest.buffers.end()) {
      file.fail("library", fmt::format("a library's matrix multiply needs a [[buffer]] called {}", name));
    }
  }
  for (const char* name : {"M", "N", "K", "alpha", "beta"}) {
    if (!manifest.parameter(name)) {
      file.fail("library", fmt::format("a library's matrix multiply needs a [[parameter]] called {}", name));
    }
  }
}

void read_buffers(const TomlTable& file, const Names& names, Manifest& manifest) {
  for (const TomlTable& table : file.tables("buffer")) {
    Buffer next = buffer(table, names);
    if (std::ranges::find(manifest.buffers, next.name, &Buffer::name) != manifest.buffers.end()) {
      table.fail("name", fmt::format("there are two buffers called {}", next.name));
    }
    manifest.buffers.push_back(std::move(next));
  }
}

toml::table parse_kernel(const std::filesystem::path& path, const ReadFile& read) {
  const std::optional<std::string> text = read(path);
  if (!text) {
    throw Error(fmt::format("cannot read {}", path.string()));
  }
  toml::table parsed = parse_toml(*text, path);
  if (parsed.contains("problem")) {
    complete_by_problem(parsed, path, read);
  }
  return parsed;
}

}  // namespace

std::string kernel_name(const std::filesystem::path& file) {
  return std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
}

Manifest read_manifest(const std::filesystem::path& path, const ReadFile& read) {
  toml::table parsed = parse_kernel(path, read);
  const TomlTable file(parsed, path);
  file.only({"title",
             "short_title",
             "group",
             "problem",
             "idea",
             "order",
             "library",
             "source",
             "entry",
             "minimum_cc",
             "architecture_specific",
             "parameter",
             "constraint",
             "buffer",
             "tensor_map",
             "launch",
             "work",
             "traffic",
             "shared_access",
             "verify"});
  Manifest manifest;
  manifest.file = path;
  read_heading(file, read, manifest);
  manifest.parameters = parameters(file);
  Names names;
  for (const Parameter& parameter : manifest.parameters) {
    names.push_back(parameter.name);
  }
  for (const TomlTable& table : file.tables("constraint")) {
    manifest.constraints.push_back(constraint(table, names));
  }
  read_buffers(file, names, manifest);
  for (const TomlTable& table : file.tables("tensor_map")) {
    manifest.tensor_maps.push_back(tensor_map(table, manifest, names));
  }
  read_launch(file.table("launch"), names, manifest);
  read_work(file.table("work"), names, manifest);
  read_traffic(file.table("traffic"), names, manifest);
  for (const TomlTable& table : file.tables("shared_access")) {
    manifest.shared_accesses.push_back(shared_access(table, names));
  }
  if (file.has("verify")) {
    manifest.verify = verify_rule(file.table("verify"), names, manifest, read);
  }
  if (!manifest.library.empty()) {
    expect_matrices(file, manifest);
  }
  return manifest;
}

}  // namespace rooftile
