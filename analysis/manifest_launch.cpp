#include "analysis/manifest_sections.hpp"

namespace rooftile {
namespace {

// { buffer = "A" }, { tensor_map = "A_map" } or { int = "M" }.
Argument argument(const TomlTable& table, const Manifest& manifest, const Names& names) {
  if (!table.only({"buffer", "tensor_map", "int", "long_long", "float", "double"})) {
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
  return {{}, type, required_expression(table, type, names)};
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
    const auto first = std::ranges::find(architectures(), true, &Architecture::clusters);
    table.tell("cluster",
               fmt::format("\"cluster\" needs minimum_cc = \"{}\" or later: older GPUs have no clusters",
                           text(first->cc)));
  }
  return extents(table, "cluster", names);
}

}  // namespace

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
  if (!manifest.pipe.empty() && std::ranges::find(pipes, manifest.pipe) == pipes.end()) {
    table.tell("pipe",
               fmt::format("\"pipe\" must be one of {}, not \"{}\"", fmt::join(pipes, ", "), manifest.pipe));
  }
  manifest.elements = required_expression(table, "elements", names);
  manifest.elements_label = table.string("elements_label");
}

void read_traffic(const TomlTable& table, const Names& names, Manifest& manifest) {
  table.only({"compulsory_dram", "dram", "l2", "l1", "distributed"});
  manifest.compulsory_dram_bytes = required_expression(table, "compulsory_dram", names);
  for (const MemoryLevel level :
       {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1, MemoryLevel::distributed}) {
    manifest.bytes[static_cast<std::size_t>(level)] =
        optional_expression(table, key(level), joined(names, gpu_names));
  }
}

void read_waits(const TomlTable& table, const Names& names, Manifest& manifest) {
  table.only({"rounds", "ahead"});
  manifest.waits = Waits{required_expression(table, "rounds", names),
                         optional_expression(table, "ahead", names).value_or(Expression())};
}

void read_verify_rule(const TomlTable& table, const Names& names, const ReadFile& read, Manifest& manifest) {
  table.only({"source", "entry", "arguments", "grid", "block", "tolerance"});
  manifest.verify = VerifyRule{existing_file(table, "source", table.string("source"), read),
                               identifier(table, "entry", table.string("entry")),
                               table.has("arguments") ? arguments(table, manifest, names) : manifest.arguments,
                               extents(table, "grid", names),
                               extents(table, "block", names),
                               required_expression(table, "tolerance", names)};
}

}  // namespace rooftile
