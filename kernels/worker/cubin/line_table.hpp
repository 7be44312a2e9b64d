// Which line each instruction of a cubin was made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::worker {

// From this byte of the section on, up to the next row, instructions come from this line.
struct LineRow {
  std::uint64_t address = 0;
  int line = 0;
};

// The rows of a line table (DWARF 2 to 4) that speak of this section of code, in order of their addresses.
// table: ".nv_debug_line_sass" for lines of the PTX. Empty where the cubin has none.
std::vector<LineRow> line_rows(std::string_view cubin, const std::string& table, std::size_t code_section);

// The files that the lines of a program's source stand in, the source first: "/home/me/gemm.cu". Empty where it
// was compiled without -lineinfo.
std::vector<std::string> source_files(std::string_view cubin);

}  // namespace rooftile::worker
