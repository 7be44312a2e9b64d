#include "analysis/predict/term_times.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/predict/chip_pace.hpp"

namespace rooftile {
namespace {

// Terms overlap, but not wholly: while one holds up a warp, others are idle. The norm's exponent says how well:
// 1 adds them up, infinity is the roofline. Chosen on recorded launches of the H200.
constexpr double overlap = 2.5;

}  // namespace

bool TermTimes::share_slots(Term a, Term b) const {
  const auto takes_slots = [](Term term) { return term == Term::arithmetic || term == Term::warp_issue; };
  return takes_slots(a) && takes_slots(b) && !is_tensor(pipe);
}

// The first of two equal terms counts.
bool TermTimes::counts(Term term) const {
  const Seconds time = (*this)[term];
  return time > Seconds{} && std::ranges::none_of(all_terms, [&](Term other) {
           return share_slots(term, other) && (other < term ? (*this)[other] >= time : (*this)[other] > time);
         });
}

std::vector<Term> TermTimes::counting() const {
  std::vector<Term> terms;
  std::ranges::copy_if(all_terms, std::back_inserter(terms), [&](Term term) { return counts(term); });
  return terms;
}

Term TermTimes::longest() const {
  return *std::ranges::max_element(all_terms, {}, [&](Term term) { return (*this)[term]; });
}

double weight(Seconds time) {
  return std::pow(time.value, overlap);
}

Seconds together(const TermTimes& times) {
  double sum = 0;
  for (const Term term : all_terms) {
    sum += term != Term::block_starts && times.counts(term) ? weight(times[term]) : 0;
  }
  return alone(std::max(times[Term::block_starts], Seconds{std::pow(sum, 1 / overlap)}));
}

Seconds alone(Seconds time) {
  return time + launch_overhead;
}

}  // namespace rooftile
