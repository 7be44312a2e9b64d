#include "kernels/worker/compile/ptxas_log.hpp"

#include <regex>

namespace rooftile::worker {
namespace {

int number(const std::string& text, const char* pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? std::stoi(match[1]) : 0;
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
  compiled.registers = number(text, "Used ([0-9]+) registers");
  compiled.static_shared_bytes = number(text, "([0-9]+) bytes smem");
  compiled.local_bytes = number(text, "([0-9]+) bytes stack frame");
  compiled.spill_store_bytes = number(text, "([0-9]+) bytes spill stores");
  compiled.spill_load_bytes = number(text, "([0-9]+) bytes spill loads");
  return compiled;
}

}  // namespace rooftile::worker
