#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/source/kernels/source_kernels.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using nlohmann::json;

json json_of_layout(const StructLayout& layout) {
  json members = json::array();
  for (const StructMember& member : layout.members) {
    members.push_back({member.name, member.type, member.at, member.times});
  }
  return {{"bytes", layout.bytes}, {"members", members}};
}

StructLayout layout_of(const json& all) {
  StructLayout layout{all.at("bytes")};
  for (const json& member : all.at("members")) {
    layout.members.push_back({member.at(0), member.at(1), member.at(2), member.at(3)});
  }
  return layout;
}

json json_of_kernel(const SourceKernel& kernel) {
  json all = {{"name", kernel.name},
              {"types", kernel.types},
              {"dimensions", kernel.dimensions},
              {"dynamic_shared", kernel.dynamic_shared}};
  if (kernel.threads) {
    all["threads"] = *kernel.threads;
  }
  for (const SourceMacro& macro : kernel.open_macros) {
    all["macros"][macro.name] = macro.value;
  }
  if (!kernel.names.empty()) {
    all["parameter_names"] = kernel.names;
  }
  for (const StructLayout& layout : kernel.layouts) {
    all["layouts"].push_back(json_of_layout(layout));
  }
  for (const IncludeFolder& each : kernel.include_folders) {
    all["include"].push_back({each.folder, each.header});
  }
  if (!kernel.options.empty()) {
    all["options"] = kernel.options;
  }
  for (const SourceVariable& each : kernel.variables) {
    all["variables"].push_back({each.name, each.bytes, each.is_constant});
  }
  if (!kernel.header_constants.empty()) {
    all["header_constants"] = kernel.header_constants;
  }
  if (!kernel.symbol.empty()) {
    all["symbol"] = kernel.symbol;
  }
  return all;
}

SourceKernel kernel_of(const json& all) {
  SourceKernel kernel{all.at("name"), all.at("types"), all.at("dimensions"), {}, all.at("dynamic_shared")};
  if (all.contains("threads")) {
    kernel.threads = all.at("threads").get<int>();
  }
  const json macros = all.value("macros", json::object());
  for (const auto& [name, value] : macros.items()) {
    kernel.open_macros.push_back({name, value.get<double>()});
  }
  kernel.names = all.value("parameter_names", kernel.names);
  for (const json& layout : all.value("layouts", json::array())) {
    kernel.layouts.push_back(layout_of(layout));
  }
  for (const json& each : all.value("include", json::array())) {
    kernel.include_folders.push_back({each.at(0), each.at(1)});
  }
  kernel.options = all.value("options", kernel.options);
  for (const json& each : all.value("variables", json::array())) {
    kernel.variables.push_back({each.at(0), each.at(1), each.at(2)});
  }
  kernel.header_constants = all.value("header_constants", kernel.header_constants);
  kernel.symbol = all.value("symbol", kernel.symbol);
  return kernel;
}

}  // namespace

std::string to_line(const SourceDescription& source) {
  json all = json::array();
  std::ranges::transform(source.kernels, std::back_inserter(all), json_of_kernel);
  return json{{"kernels", all},
              {"instances_in_headers", source.instances_in_headers},
              {"launched_by", {source.launched_by.name, source.launched_by.code}},
              {"ptx", source.ptx}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

SourceDescription parse_source_description(std::string_view line) {
  try {
    const json all = json::parse(line);
    SourceDescription source;
    if (const auto launching = all.find("launched_by"); launching != all.end()) {
      source.launched_by = {launching->at(0), launching->at(1)};
    }
    for (const json& each : all.at("kernels")) {
      source.kernels.push_back(kernel_of(each));
      source.kernels.back().launched_by = source.launched_by;
    }
    source.ptx = all.value("ptx", source.ptx);
    source.instances_in_headers = all.value("instances_in_headers", source.instances_in_headers);
    return source;
  } catch (const json::exception& error) {
    throw Error(std::string("The worker's description of the source cannot be read: ") + error.what());
  }
}

}  // namespace rooftile
