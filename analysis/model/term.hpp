// The terms of a launch's predicted time: each can hold it up.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace rooftile {

enum class Term {
  dram,
  l2,
  distributed,
  l1_and_shared,
  arithmetic,
  warp_issue,
  partial_lines,
  atomics_in_l2,
  atomics_on_other_blocks,
  latency,
  block_starts
};

inline constexpr std::array all_terms = {Term::dram,
                                         Term::l2,
                                         Term::distributed,
                                         Term::l1_and_shared,
                                         Term::arithmetic,
                                         Term::warp_issue,
                                         Term::partial_lines,
                                         Term::atomics_in_l2,
                                         Term::atomics_on_other_blocks,
                                         Term::latency,
                                         Term::block_starts};

// For people: "L1 and shared memory". Arithmetic is named after its pipe: "BF16 tensor".
std::string title(Term term, std::string_view pipe);
// For programs: "l1_and_shared_memory", "bf16_tensor".
std::string key(Term term, std::string_view pipe);
// It rests on instructions and latencies that no formula of the manifest gives.
bool is_estimated(Term term);

}  // namespace rooftile
