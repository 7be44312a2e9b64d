#include "kernels/worker/compile/ptxas_log.hpp"

#include <cstdlib>
#include <string_view>

namespace rooftile::worker {
namespace {

constexpr std::string_view entry_function = "entry function '";

// The number in front of these words; 0 when they are not there.
int number_before(const std::string& words, const std::string& text) {
  const std::size_t end = text.find(" " + words);
  if (end == std::string::npos) {
    return 0;
  }
  return std::atoi(text.c_str() + text.find_last_not_of("0123456789", end - 1) + 1);
}

}  // namespace

std::vector<std::string> kernels_in(const std::string& log) {
  std::vector<std::string> symbols;
  for (std::size_t at = log.find(entry_function); at != std::string::npos; at = log.find(entry_function, at)) {
    at += entry_function.size();
    symbols.push_back(log.substr(at, log.find('\'', at) - at));
  }
  return symbols;
}

std::optional<Compiled> parse_ptxas_log(const std::string& log, const std::string& entry) {
  const std::string head = std::string(entry_function) + entry + "'";
  const std::size_t begin = log.find(head);
  if (begin == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t end = log.find(entry_function, begin + head.size());
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
