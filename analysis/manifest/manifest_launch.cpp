#include "analysis/manifest/manifest_sections.hpp"

namespace rooftile {
namespace {

constexpr int most_bytes_of_arguments = 32764;  // from compute capability 7.0 on

// A parameter of the launch alone reaches no kernel.
void refuse_values_of_launch(const TomlTable& table, const std::string& type, const Expression& value,
                             const Manifest& manifest) {
  for (const std::string& name : value.names()) {
    const Parameter* parameter = manifest.parameter(name);
    if (parameter && parameter->where == ParameterPlace::launch) {
      table.tell(
          type,
          fmt::format("{} is a parameter of the launch alone; for an argument say where = \"argument\"", name));
    }
  }
}

// The key that is no detail.
std::string type_in(const TomlTable& table) {
  std::vector<std::string_view> keys = table.keys();
  std::erase_if(keys, [](std::string_view key) {
    return key == "bytes" || key == "at" || key == "times" || key == "offset";
  });
  if (keys.size() != 1) {
    table.tell("", "an argument is one type and one value, such as { buffer = \"A\" } or { int = \"N\" }");
    return "";
  }
  return std::string(keys.front());
}

// "0000803f": two digits for each byte, in the order of memory.
std::string bytes_in(const TomlTable& table) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::string text = table.string("hex");
  if (text.size() % 2 != 0 || text.size() > 2 * most_bytes_of_arguments ||
      text.find_first_not_of(digits) != std::string::npos) {
    table.tell("hex", "\"hex\" must be bytes in the order of memory, each of two digits from 0 to f");
    return {};
  }
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(16 * digits.find(text[i]) + digits.find(text[i + 1]));
  }
  return bytes;
}

Argument scalar_or_buffer(const TomlTable& table, const std::string& type, const Manifest& manifest,
                          const Scope& scope) {
  if (type != "buffer" && table.has("offset")) {
    table.tell("offset", "only a buffer says its offset");
  }
  if (type == "buffer") {
    return {known(table, type, manifest.buffers, &Buffer::name, "[[buffer]]"), type,
            optional_expression(table, "offset", scope).value_or(Expression())};
  }
  if (type == "hex") {
    Argument bytes{{}, type, {}};
    bytes.content = bytes_in(table);
    return bytes;
  }
  const Expression value = required_expression(table, type, scope);
  refuse_values_of_launch(table, type, value, manifest);
  return {{}, type, value};
}

int rounded_up(int bytes, int alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// { struct = [{ int = "width" }, { buffer = "A", at = 8 }], bytes = 16 }. A member that does not say where it
// is stands where C puts it.
Argument struct_argument(const TomlTable& table, const Manifest& manifest, const Scope& scope) {
  Argument all{{}, "struct", {}};
  int end = 0, alignment = 1;
  for (const TomlTable& entry : table.tables("struct", "an array of members, such as [{ int = \"width\" }]")) {
    const bool is_known = entry.only({"buffer", "int", "long_long", "float", "double", "half", "bfloat16",
                                      "char", "short", "hex", "offset", "at", "times"});
    const std::string type = is_known ? type_in(entry) : "";
    if (type.empty()) {
      return {};
    }
    Argument member = scalar_or_buffer(entry, type, manifest, scope);
    member.at = entry.whole_number("at", rounded_up(end, bytes_of(member)));
    member.times = entry.whole_number("times", 1);
    if (member.at < 0 || member.at > most_bytes_of_arguments || member.times < 1 ||
        member.times > most_bytes_of_arguments) {
      entry.tell("", fmt::format("a kernel has room for {} bytes of arguments", most_bytes_of_arguments));
      return {};
    }
    end = std::max(end, member.at + member.times * bytes_of(member));
    alignment = std::max(alignment, bytes_of(member));
    all.members.push_back(std::move(member));
  }
  all.bytes = table.whole_number("bytes", rounded_up(end, alignment));
  if (all.bytes < end || all.bytes > most_bytes_of_arguments) {
    table.tell("bytes",
               fmt::format("the members take {} bytes, and a kernel has room for {} bytes of arguments", end,
                           most_bytes_of_arguments));
  }
  return all;
}

// { buffer = "A" }, { tensor_map = "A_map" }, { int = "M" } or a struct.
Argument argument(const TomlTable& table, const Manifest& manifest, const Scope& scope) {
  if (!table.only({"buffer", "tensor_map", "int", "long_long", "float", "double", "half", "bfloat16", "char",
                   "short", "hex", "struct", "bytes", "offset"})) {
    return {};
  }
  const std::string type = type_in(table);
  if (type.empty() || type == "struct") {
    return type.empty() ? Argument{} : struct_argument(table, manifest, scope);
  }
  if (table.has("bytes")) {
    table.tell("bytes", "only a struct says its bytes");
  }
  if (type == "tensor_map") {
    return {known(table, type, manifest.tensor_maps, &TensorMap::name, "[[tensor_map]]"), type, {}};
  }
  return scalar_or_buffer(table, type, manifest, scope);
}

std::vector<Argument> arguments(const TomlTable& table, const Manifest& manifest, const Scope& scope) {
  std::vector<Argument> arguments;
  for (const TomlTable& entry :
       table.tables("arguments", R"(an array of tables, such as [{ buffer = "out" }, { int = "N" }])")) {
    arguments.push_back(argument(entry, manifest, scope));
  }
  return arguments;
}

std::array<Expression, 3> cluster(const TomlTable& table, const Manifest& manifest, const Scope& scope) {
  if (!table.has("cluster")) {
    return ones();
  }
  if (!closest_architecture(manifest.minimum_cc.value_or(ComputeCapability{})).clusters) {
    const auto first = std::ranges::find(architectures(), true, &Architecture::clusters);
    table.tell("cluster",
               fmt::format("\"cluster\" needs minimum_cc = \"{}\" or later: older GPUs have no clusters",
                           text(first->cc)));
  }
  return extents(table, "cluster", scope);
}

// The number of times that a buffer counts in a sum over elements.
int elements_written(const Buffer& buffer) {
  return buffer.is_written() ? 1 : 0;
}

int bytes_moved(const Buffer& buffer) {
  return buffer.element_bytes * (buffer.role == BufferRole::in_out ? 2 : 1);
}

std::string sum_over(const std::vector<Buffer>& buffers, int (*weight)(const Buffer&)) {
  std::vector<std::pair<std::string, int>> weights;  // by count, which many buffers may share
  for (const Buffer& buffer : buffers) {
    const std::string count = buffer.count.text();
    auto found = std::ranges::find(weights, count, &std::pair<std::string, int>::first);
    found = found != weights.end() ? found : weights.insert(found, {count, 0});
    found->second += weight(buffer);
  }
  std::string sum = "0";
  for (const auto& [count, all] : weights) {
    sum += all > 0 ? fmt::format(" + {} * ({})", all, count) : "";
  }
  return sum;
}

// verify = "kernel_v1.cu": launched as the kernel itself is.
VerifyRule against_earlier_version(const TomlTable& file, const ReadFile& read, const Manifest& manifest) {
  return {existing_file(file, "verify", file.string("verify"), read),
          manifest.entry,
          true,
          manifest.arguments,
          manifest.grid,
          manifest.block};
}

// verify = "expected.npy", or the files of [verify].
VerifyRule against_arrays(const TomlTable& table, std::string_view key, const std::vector<std::string>& names,
                          const Manifest& manifest) {
  VerifyRule rule;
  for (const std::string& name : names) {
    rule.files.push_back(array_file(table, key, name));
  }
  Names written;
  for (const Buffer& buffer : manifest.buffers) {
    if (buffer.is_written()) {
      written.push_back(buffer.name);
    }
  }
  if (written.size() != names.size()) {
    table.tell(
        key, fmt::format("each buffer that is written needs a file of its expected values, in their order: "
                         "there are {} files for {} buffers{}{}",
                         names.size(), written.size(), written.empty() ? "" : ", ", fmt::join(written, ", ")));
  }
  return rule;
}

}  // namespace

void read_launch(const TomlTable& table, const Scope& scope, Manifest& manifest) {
  table.only({"arguments", "grid", "block", "cluster", "dynamic_shared_bytes", "carveout", "cooperative"});
  manifest.arguments = arguments(table, manifest, scope);
  const bool launched = manifest.library.empty();
  manifest.grid = launched ? extents(table, "grid", joined(scope, gpu_names)) : ones();
  manifest.block = launched ? extents(table, "block", scope) : ones();
  manifest.cluster = cluster(table, manifest, scope);
  manifest.dynamic_shared_bytes =
      optional_expression(table, "dynamic_shared_bytes", scope).value_or(Expression());
  manifest.carveout = optional_expression(table, "carveout", scope);
  manifest.cooperative = table.boolean("cooperative", false);
}

void read_work(const TomlTable& file, const Scope& scope, Manifest& manifest) {
  manifest.states_work = file.has("work");
  manifest.elements = Expression(sum_over(manifest.buffers, elements_written), scope.names, scope.lets);
  manifest.elements_label = "outputs";
  const auto table = manifest.states_work ? file.table("work") : std::nullopt;
  if (!table) {
    return;
  }
  table->only({"flops", "pipe", "elements", "elements_label"});
  manifest.flops = optional_expression(*table, "flops", joined(scope, gpu_names));
  manifest.states_work = manifest.flops || !table->has("pipe");
  manifest.pipe = table->string("pipe", fp32_pipe);
  if (!manifest.pipe.empty() && std::ranges::find(pipes, manifest.pipe) == pipes.end()) {
    table->tell("pipe",
                fmt::format("\"pipe\" must be one of {}, not \"{}\"", fmt::join(pipes, ", "), manifest.pipe));
  }
  manifest.elements = optional_expression(*table, "elements", scope).value_or(manifest.elements);
  manifest.elements_label = table->string("elements_label", manifest.elements_label);
}

void read_traffic(const TomlTable& file, const Scope& scope, Manifest& manifest) {
  manifest.compulsory_dram_bytes = Expression(sum_over(manifest.buffers, bytes_moved), scope.names, scope.lets);
  const auto table = file.has("traffic") ? file.table("traffic") : std::nullopt;
  if (!table) {
    return;
  }
  table->only({"compulsory_dram", "dram", "l2", "l1", "distributed"});
  manifest.compulsory_dram_bytes =
      optional_expression(*table, "compulsory_dram", scope).value_or(manifest.compulsory_dram_bytes);
  for (const MemoryLevel level :
       {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1, MemoryLevel::distributed}) {
    manifest.bytes[static_cast<std::size_t>(level)] =
        optional_expression(*table, key(level), joined(scope, gpu_names));
  }
}

void read_verify_rule(const TomlTable& file, const Scope& scope, const ReadFile& read, Manifest& manifest) {
  if (file.is_text("verify")) {
    const std::string name = file.string("verify");
    manifest.verify = is_array_file(name) ? against_arrays(file, "verify", {name}, manifest)
                                          : against_earlier_version(file, read, manifest);
    return;
  }
  const auto table = file.table("verify");
  if (!table) {
    return;
  }
  table->only({"source", "entry", "arguments", "grid", "block", "files", "tolerance", "relative_tolerance"});
  manifest.verify =
      table->has("files")
          ? against_arrays(*table, "files", table->strings("files"), manifest)
          : VerifyRule{existing_file(*table, "source", table->string("source"), read),
                       identifier(*table, "entry", table->string("entry")),
                       false,
                       table->has("arguments") ? arguments(*table, manifest, scope) : manifest.arguments,
                       extents(*table, "grid", scope),
                       extents(*table, "block", scope)};
  manifest.verify->tolerance = optional_expression(*table, "tolerance", scope);
  manifest.verify->relative_tolerance = optional_expression(*table, "relative_tolerance", scope);
}

}  // namespace rooftile
