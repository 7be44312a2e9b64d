#include "kernels/worker/count/disassembly.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/write_file.hpp"
#include "kernels/worker/cuda/toolkit_folders.hpp"

namespace rooftile::worker {
namespace {

std::string_view trimmed(std::string_view words) {
  const std::size_t begin = words.find_first_not_of(" \t"), end = words.find_last_not_of(" \t;\r");
  return begin == words.npos || end == words.npos ? "" : words.substr(begin, end + 1 - begin);
}

// "/*0010*/                   S2R R5, SR_TID.X ;"
std::optional<MachineInstruction> instruction_of(std::string_view line) {
  const std::size_t end = line.find("*/");
  if (!line.starts_with("/*") || end == line.npos) {
    return std::nullopt;
  }
  MachineInstruction instruction;
  const auto [last, failure] = std::from_chars(line.data() + 2, line.data() + end, instruction.offset, 16);
  if (failure != std::errc{} || last != line.data() + end) {
    return std::nullopt;
  }
  instruction.text = trimmed(line.substr(end + 2));
  return instruction;
}

// Calls of functions and the targets of branches have labels: ".L_x_0:", "$mine$_Z5twicef:".
bool is_label(std::string_view line) {
  return line.ends_with(':') && (line.starts_with(".L") || line.starts_with('$'));
}

void drop_padding(std::vector<MachineInstruction>& all) {
  while (!all.empty() && all.back().text == "NOP") {
    all.pop_back();
  }
}

}  // namespace

std::vector<MachineInstruction> instructions_of(std::string_view listing, const std::string& symbol) {
  std::vector<MachineInstruction> all;
  const std::string beginning = ".text." + symbol + ":";
  bool inside = false;
  std::string label;
  while (!listing.empty()) {
    const std::size_t end = std::min(listing.find('\n'), listing.size());
    const std::string_view line = trimmed(listing.substr(0, end));
    listing.remove_prefix(std::min(end + 1, listing.size()));
    inside = line.starts_with(".section") ? false : inside || line == beginning;
    if (inside && is_label(line)) {
      label = line;
    } else if (auto instruction = inside ? instruction_of(line) : std::nullopt) {
      instruction->label = std::exchange(label, "");
      all.push_back(std::move(*instruction));
    }
  }
  drop_padding(all);
  return all;
}

std::vector<MachineInstruction> disassemble(const std::string& cubin, const std::string& symbol) {
  const auto nvdisasm = find_program(program_folders(), "nvdisasm");
  if (!nvdisasm) {
    return {};
  }
  const platform::TemporaryFolder folder;
  const std::filesystem::path code = folder.path() / "kernel.cubin";
  platform::write_file(code, cubin, platform::any_kind);
  platform::ChildProcess child({nvdisasm->string(), "-c", code.string()}, folder.path() / "log");
  std::string listing;
  while (const auto line = child.read_line()) {
    listing += *line + "\n";
  }
  return instructions_of(listing, symbol);
}

}  // namespace rooftile::worker
