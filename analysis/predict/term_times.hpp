// How long a launch would take if one thing alone held it up, for each of them, and all of them together.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analysis/chip/pipe.hpp"
#include "analysis/model/term.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

struct TermTimes {
  std::string pipe = fp32_pipe;  // of the arithmetic
  std::array<Seconds, all_terms.size()> seconds{};

  Seconds& operator[](Term term) { return seconds[static_cast<std::size_t>(term)]; }
  Seconds operator[](Term term) const { return seconds[static_cast<std::size_t>(term)]; }

  std::string name(Term term) const { return title(term, pipe); }
  std::string id(Term term) const { return key(term, pipe); }
  // Arithmetic and other instructions share the issue slots, except arithmetic of tensor cores.
  bool share_slots(Term a, Term b) const;
  // False where it takes no time or shares the slots with a longer term.
  bool counts(Term term) const;
  std::vector<Term> counting() const;
  Term longest() const;
};

// The work of a term among others: they add up in it.
double weight(Seconds time);
// The time of a launch with these terms. Block starts go on beside the others: they bound the time.
Seconds together(const TermTimes& times);
// The time of a launch that one term alone holds up.
Seconds alone(Seconds time);

}  // namespace rooftile
