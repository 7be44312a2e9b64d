#include "analysis/record/kernel_ptx.hpp"

#include <nlohmann/json.hpp>

#include "analysis/text/error.hpp"

namespace rooftile {

using nlohmann::json;

void to_json(json& to, const MachineBlock& block) {
  to = {{"lines", block.lines}, {"kept", block.kept}, {"target", block.target}, {"waits", block.waits}};
}
void from_json(const json& from, MachineBlock& block) {
  block = {from.at("lines"), from.at("kept"), from.at("target"), from.at("waits")};
}

std::string to_line(const KernelPtx& answer) {
  json all = {{"id", answer.id}, {"symbol", answer.symbol}, {"ptx", answer.ptx}};
  if (!answer.machine_code.empty()) {
    all["machine_code"] = answer.machine_code;
  }
  if (answer.failure) {
    all["failure"] = *answer.failure;
  }
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

KernelPtx parse_kernel_ptx(std::string_view line) {
  try {
    const json all = json::parse(line);
    KernelPtx answer{all.at("id"), all.at("symbol"), all.at("ptx"), {}};
    if (all.contains("failure")) {
      answer.failure = all.at("failure").get<std::string>();
    }
    if (all.contains("machine_code")) {
      answer.machine_code = all.at("machine_code").get<std::vector<MachineBlock>>();
    }
    return answer;
  } catch (const json::exception& error) {
    throw Error(std::string("The worker's answer with PTX cannot be read: ") + error.what());
  }
}

}  // namespace rooftile
