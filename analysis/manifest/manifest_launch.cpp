#include "analysis/manifest/manifest_sections.hpp"

namespace rooftile {
namespace {

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

// { buffer = "A" }, { tensor_map = "A_map" } or { int = "M" }.
Argument argument(const TomlTable& table, const Manifest& manifest, const Scope& scope) {
  if (!table.only({"buffer", "tensor_map", "int", "long_long", "float", "double", "half", "bfloat16", "char",
                   "short"})) {
    return {};
  }
  if (table.keys().size() != 1) {
    table.tell("", "an argument is one type and one value, such as { buffer = \"A\" } or { int = \"N\" }");
    return {};
  }
  const std::string type(table.keys().front());
  if (type == "buffer") {
    return {known(table, type, manifest.buffers, &Buffer::name, "[[buffer]]"), type, {}};
  }
  if (type == "tensor_map") {
    return {known(table, type, manifest.tensor_maps, &TensorMap::name, "[[tensor_map]]"), type, {}};
  }
  const Expression value = required_expression(table, type, scope);
  refuse_values_of_launch(table, type, value, manifest);
  return {{}, type, value};
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
  std::string sum = "0";
  for (const Buffer& buffer : buffers) {
    if (weight(buffer) > 0) {
      sum += fmt::format(" + {} * ({})", weight(buffer), buffer.count.text());
    }
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
  table.only({"arguments", "grid", "block", "cluster", "dynamic_shared_bytes", "carveout"});
  manifest.arguments = arguments(table, manifest, scope);
  const bool launched = manifest.library.empty();
  manifest.grid = launched ? extents(table, "grid", joined(scope, gpu_names)) : ones();
  manifest.block = launched ? extents(table, "block", scope) : ones();
  manifest.cluster = cluster(table, manifest, scope);
  manifest.dynamic_shared_bytes =
      optional_expression(table, "dynamic_shared_bytes", scope).value_or(Expression());
  manifest.carveout = optional_expression(table, "carveout", scope);
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

void read_waits(const TomlTable& table, const Scope& scope, Manifest& manifest) {
  table.only({"rounds", "ahead"});
  manifest.waits = Waits{required_expression(table, "rounds", scope),
                         optional_expression(table, "ahead", scope).value_or(Expression())};
}

void read_reuse(const TomlTable& table, const Scope& scope, Manifest& manifest) {
  table.only({"bytes", "distance"});
  manifest.reuse =
      Reuse{required_expression(table, "bytes", scope), required_expression(table, "distance", scope)};
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
