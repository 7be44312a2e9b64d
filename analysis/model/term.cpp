#include "analysis/model/term.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/chip/pipe.hpp"

namespace rooftile {
namespace {

struct TermNames {
  std::string_view title, key;  // empty: those of the pipe
};

TermNames names_of(Term term) {
  switch (term) {
    case Term::dram:
      return {"DRAM", "dram"};
    case Term::l2:
      return {"L2", "l2"};
    case Term::distributed:
      return {"distributed shared memory", "distributed_shared_memory"};
    case Term::l1_and_shared:
      return {"L1 and shared memory", "l1_and_shared_memory"};
    case Term::arithmetic:
      break;
    case Term::warp_issue:
      return {warp_issue, "warp_issue"};
    case Term::partial_lines:
      return {"partly written lines", "partly_written_lines"};
    case Term::atomics_in_l2:
      return {"atomics in L2", "atomics_in_l2"};
    case Term::atomics_on_other_blocks:
      return {"atomics on other blocks", "atomics_on_other_blocks"};
    case Term::latency:
      return {"latency", "latency"};
    case Term::block_starts:
      return {"block starts", "block_starts"};
  }
  return {};
}

// "BF16 tensor" -> "bf16_tensor"
std::string key_of_pipe(std::string_view pipe) {
  std::string key(short_name(pipe));
  std::ranges::transform(key, key.begin(), [](unsigned char letter) {
    return letter == ' ' ? '_' : static_cast<char>(std::tolower(letter));
  });
  return key;
}

}  // namespace

std::string title(Term term, std::string_view pipe) {
  return std::string(term == Term::arithmetic ? short_name(pipe) : names_of(term).title);
}

std::string key(Term term, std::string_view pipe) {
  return term == Term::arithmetic ? key_of_pipe(pipe) : std::string(names_of(term).key);
}

bool is_estimated(Term term) {
  return term == Term::warp_issue || term == Term::latency;
}

}  // namespace rooftile
