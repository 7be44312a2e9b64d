// The compiled code that a page brings: PTX of places of the bundled kernels, each for the oldest architecture
// that its kernel runs on. kernels/checks/page_code.py writes it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/manifest/manifest.hpp"
#include "analysis/record/kernel_ptx.hpp"

namespace rooftile {

class PageCode {
 public:
  PageCode() = default;
  // lines: two for each place, what it is and a KernelPtx. sources: their texts by kernel; code of another
  // source is left out. Throws Error for a line that is neither.
  PageCode(std::string lines, const std::map<std::string, std::string>& sources);

  bool empty() const { return places_.empty(); }
  // place: complete. Empty where the page does not bring it, and for GPUs that are older than the code.
  std::optional<KernelPtx> find(const Manifest& kernel, const Parameters& place, ComputeCapability cc) const;

 private:
  struct Code {
    ComputeCapability cc;
    std::size_t begin = 0, size = 0;  // of its line
  };

  std::string lines_;
  std::map<std::string, Code> places_;  // by kernel and the values that are compiled
};

}  // namespace rooftile
