// The compiler's results for every place of the bundled kernels' dials, for several architectures: known where
// no compiler is at hand, and at once where compiling would take minutes. kernels/checks/compiled_table.py
// makes the file.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/chip/architecture.hpp"
#include "analysis/chip/launch.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/text/expression.hpp"

namespace rooftile {

// The compiler's result at a place of a kernel's dials; empty where it is not known.
using CompiledAt = std::function<std::optional<Compiled>(const Parameters&, ComputeCapability)>;

inline std::optional<Compiled> nobody_knows(const Parameters&, ComputeCapability) {
  return std::nullopt;
}

// FNV-1a of a source's text. A kernel with another key was changed since the table was made.
std::string source_key(std::string_view text);

// Numbers in a row, equal neighbours held once: "32*3 40" is 32, 32, 32, 40.
class RunLengths {
 public:
  RunLengths() = default;
  explicit RunLengths(std::string_view text);  // throws Error
  int at(std::size_t place) const;             // 0 behind the last

 private:
  std::vector<std::pair<std::size_t, int>> runs_;  // where each ends, and its number
};

class CompiledTable {
 public:
  struct Dial {
    std::string name;
    std::vector<double> values;
  };
  // In the order of the file's figures: registers, static shared, local, spill stores and loads, named
  // barriers.
  using Figures = std::array<RunLengths, 6>;
  struct Kernel {
    std::string source_key;
    std::vector<Dial> dials;
    std::map<ComputeCapability, Figures> made;
  };

  std::string compiler;  // "NVRTC 13.0"
  std::map<std::string, Kernel> kernels;

  // Empty where the table has no such kernel, architecture or place, or where the place does not compile.
  std::optional<Compiled> find(const std::string& kernel, const Parameters& parameters,
                               ComputeCapability cc) const;
  // The same of one kernel. The table must outlive it.
  CompiledAt of(const std::string& kernel) const;
};

// Leaves out the results of kernels that are not among these, or whose source was changed since.
void keep_current(CompiledTable& table, const std::vector<Manifest>& kernels, const ReadFile& read);

// Reads the text of such a file; `file` is its name in messages. Throws Error with file and line.
CompiledTable read_compiled_table(std::string_view text, const std::filesystem::path& file);

}  // namespace rooftile
