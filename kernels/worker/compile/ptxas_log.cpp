#include "kernels/worker/compile/ptxas_log.hpp"

#include <cstdlib>

namespace rooftile::worker {
namespace {

// The number in front of these words; 0 when they are not there.
int number_before(const std::string& words, const std::string& text) {
  const std::size_t end = text.find(" " + words);
  if (end == std::string::npos) {
    return 0;
  }
  return std::atoi(text.c_str() + text.find_last_not_of("0123456789", end - 1) + 1);
}

}  // namespace

std::optional<Compiled> parse_ptxas_log(const std::string& log, const std::string& entry) {
  const std::string head = "entry function '" + entry + "'";
  const std::size_t begin = log.find(head);
  if (begin == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t end = log.find("entry function '", begin + head.size());
  const std::string text = log.substr(begin, end == std::string::npos ? end : end - begin);

  Compiled compiled;
  compiled.registers = number_before("registers", text);
  compiled.static_shared_bytes = number_before("bytes smem", text);
  compiled.local_bytes = number_before("bytes stack frame", text);
  compiled.spill_store_bytes = number_before("bytes spill stores", text);
  compiled.spill_load_bytes = number_before("bytes spill loads", text);
  if (text.find(" barriers") != std::string::npos) {
    compiled.named_barriers = number_before("barriers", text);
  }
  return compiled;
}

}  // namespace rooftile::worker
