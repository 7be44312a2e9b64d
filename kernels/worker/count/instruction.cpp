#include "kernels/worker/count/instruction.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

namespace rooftile::worker {
namespace {

bool is_idle(const LineProfile& line) {
  const auto counts = {line.executed,          line.thread_executed,
                       line.global_sectors,    line.ideal_global_sectors,
                       line.shared_wavefronts, line.ideal_shared_wavefronts};
  return line.samples() == 0 &&
         std::ranges::none_of(counts, [](const std::optional<double>& count) { return count.value_or(0) > 0; });
}

using Text = std::unique_ptr<char, decltype(&std::free)>;  // CUPTI's, ours to free

}  // namespace

std::vector<LineProfile> by_line(const std::vector<Instruction>& instructions, const LineOf& line_of) {
  std::map<int, LineProfile> lines;
  for (const Instruction& instruction : instructions) {
    if (!is_idle(instruction.counts)) {
      add(lines[line_of(instruction)], instruction.counts);
    }
  }
  std::vector<LineProfile> all;
  for (auto& [number, line] : lines) {
    line.line = number;
    all.push_back(std::move(line));
  }
  return all;
}

void count_instructions(std::vector<MachineInstruction>& all, const std::string& function,
                        const std::vector<Instruction>& counted, const LineOf& line_of) {
  std::map<std::uint64_t, LineProfile> by_offset;
  for (const Instruction& each : counted) {
    if (each.function == function) {
      add(by_offset[each.offset], each.counts);
    }
  }
  for (MachineInstruction& each : all) {
    each.counts = by_offset[each.offset];
    each.counts.line = line_of({function, each.offset, {}});
  }
}

LineOf line_of(const Cupti& cupti, const std::string& cubin, const std::filesystem::path& source) {
  return [&cupti, &cubin, name = source.filename()](const Instruction& instruction) {
    CUpti_GetSassToSourceCorrelationParams params{};
    params.size = CUpti_GetSassToSourceCorrelationParamsSize;
    params.cubin = cubin.data();
    params.cubinSize = cubin.size();
    params.functionName = instruction.function.c_str();
    params.pcOffset = instruction.offset;
    const bool known = cupti.cuptiGetSassToSourceCorrelation(&params) == CUPTI_SUCCESS;
    const Text file(params.fileName, &std::free), directory(params.dirName, &std::free);
    const bool ours = known && file && std::filesystem::path(file.get()).filename() == name;
    return ours ? static_cast<int>(params.lineNumber) : 0;
  };
}

std::uint64_t crc_of(const Cupti& cupti, const std::string& cubin) {
  CUpti_GetCubinCrcParams params{};
  params.size = CUpti_GetCubinCrcParamsSize;
  params.cubin = cubin.data();
  params.cubinSize = cubin.size();
  cupti.check(cupti.cuptiGetCubinCrc(&params), "cuptiGetCubinCrc");
  return params.cubinCrc;
}

}  // namespace rooftile::worker
