#include "kernels/worker/compile/compile_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rooftile::worker {
namespace {

// The header that cannot be opened; empty where all can.
std::string_view missing_header(std::string_view log) {
  constexpr std::string_view words = "cannot open source file \"";
  const std::size_t found = log.find(words);
  if (found == log.npos) {
    return {};
  }
  const std::string_view name = log.substr(found + words.size());
  return name.substr(0, name.find('"'));
}

// True for the names of C++'s own headers: <vector>, <iostream>, <cstdio>.
bool is_of_cpp(std::string_view header) {
  return !header.empty() && header.find_first_of("./") == header.npos;
}

std::string hint_on_header(std::string_view header, std::string_view log) {
  if (log.find(fmt::format("\"{}\": not a regular file", header)) != log.npos) {
    return fmt::format("{} is a folder or a device, which cannot be included.", header);
  }
  if (is_of_cpp(header)) {
    return fmt::format(
        "<{}> is for code of the host, and only device code is compiled here: put it and what needs "
        "it behind #ifndef __CUDACC_RTC__.",
        header);
  }
  return fmt::format(
      "{} is neither beside the source nor in CUDA's toolkit: name its folder in kernel.toml, "
      "include = [\"FOLDER\"].",
      header);
}

}  // namespace

std::string compile_hint(std::string_view log, std::string_view entry) {
  if (log.find("cub/device/") != log.npos) {
    return "<cub/cub.cuh> holds code of the host too, and only device code is compiled here: include the parts "
           "that "
           "the kernel uses, such as <cub/block/block_reduce.cuh>.";
  }
  if (const std::string_view header = missing_header(log); !header.empty()) {
    return hint_on_header(header, log);
  }
  if (log.find("uses too much shared data") != log.npos) {
    return "It has more static shared memory than a block may have: declare the array as extern __shared__ and "
           "ask for its bytes with dynamic_shared_bytes in [launch].";
  }
  // NVRTC looks the entry up in a file of its own.
  if (!entry.empty() && log.find("__nv_name_map") != log.npos) {
    return fmt::format("The source has no kernel {}: set entry in kernel.toml to the name of its kernel.",
                       entry);
  }
  return {};
}

}  // namespace rooftile::worker
