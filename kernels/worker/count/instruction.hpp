// The figures of one machine instruction, and the sum over all instructions of one line of the source.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/record/source_profile.hpp"
#include "kernels/worker/count/cupti.hpp"

namespace rooftile::worker {

// A part of an instruction's figures: CUPTI gives each metric of an instruction apart.
struct Instruction {
  std::string function;
  std::uint64_t offset = 0;
  LineProfile counts;  // its line is not known yet
};

// 0 where the instruction comes from no line of the source.
using LineOf = std::function<int(const Instruction&)>;

// In the order of the lines. Instructions that did nothing are left out.
std::vector<LineProfile> by_line(const std::vector<Instruction>& instructions, const LineOf& line_of);

// Gives each of these instructions of the function its counts and its line of the source.
void count_instructions(std::vector<MachineInstruction>& all, const std::string& function,
                        const std::vector<Instruction>& counted, const LineOf& line_of);

// Asks CUPTI, which reads what -lineinfo left in the cubin. Sources are compared by file name: a kept cubin may
// have been compiled in another folder.
LineOf line_of(const Cupti& cupti, const std::string& cubin, const std::filesystem::path& source);

// The number that CUPTI gives with each instruction of this cubin.
std::uint64_t crc_of(const Cupti& cupti, const std::string& cubin);

}  // namespace rooftile::worker
