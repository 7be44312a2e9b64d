// The fastest place of a space too large to launch everywhere.
//
// Method: greedy iterated local search (ILS), one of the 16 methods that Schoonhoven, van Werkhoven and
// Batenburg compare on spaces of GPU kernels ("Benchmarking optimization algorithms for auto-tuning GPU
// kernels", IEEE Transactions on Evolutionary Computation, 2022, doi:10.1109/TEVC.2022.3210654; in Kernel
// Tuner: greedy_ils). Chance is replaced by the model: the search starts where the model predicts the least
// time, and goes on where the kernel's author left the dials; it descends to the untried place with the least
// hoped-for time among those that differ from the best in one dial; and it hops, every other launch and
// whenever no such place is left, to the one with the least of all. The time hoped for is the predicted one
// times what measured / predicted may be there, learned from the places tried (kriging.hpp): the estimate, less
// half of its deviation, so that places are tried of which little is known (a lower confidence bound: Srinivas,
// Krause, Kakade and Seeger, "Gaussian process optimization in the bandit setting", 2010).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/advice/kriging.hpp"
#include "analysis/record/point.hpp"
#include "analysis/text/expression.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

struct SearchPlace {
  Parameters values;                 // the same names in every place
  std::optional<Seconds> predicted;  // empty: the model says nothing
  bool at_defaults = false;          // of every dial: it is launched second
};

struct SearchLimits {
  std::size_t launches = 0;   // at most
  std::size_t patience = 16;  // launches in a row, none of them faster than the best by more than the noise
};
// A tenth of the places, but not less than 10.
SearchLimits usual_limits(std::size_t places);

struct Try {
  std::size_t place = 0;
  std::optional<Timing> timing;  // empty: the launch failed
  bool better = false;           // than all before, by more than the noise
};

class Search {
 public:
  enum class End { tried_all, launches_used, within_noise };

  Search(std::vector<SearchPlace> places, SearchLimits limits);

  // The place to launch next, the same until take() is told its result; empty: the search is over.
  std::optional<std::size_t> next() const { return next_; }
  void take(const std::optional<Timing>& timing);  // of the launch at next()

  const SearchLimits& limits() const { return limits_; }
  const std::vector<SearchPlace>& places() const { return places_; }
  const std::vector<Try>& tries() const { return tries_; }  // in order
  const Try* best() const;                                  // the fastest; null where none succeeded
  std::optional<End> end() const { return end_; }           // empty: it goes on

 private:
  std::optional<End> why_over() const;
  std::size_t choose() const;
  double hoped_for(std::size_t place) const;  // logarithm of [s]
  int dials_apart(std::size_t a, std::size_t b) const;

  std::vector<SearchPlace> places_;
  SearchLimits limits_;
  std::vector<double> predicted_;  // [s]
  std::vector<std::vector<double>>
      positions_;   // of each place, by parameter: 0 at its least value, 1 at its largest
  Kriging errors_;  // of the predictions: logarithms of measured / predicted
  std::vector<bool> tried_;
  std::vector<Try> tries_;
  std::size_t fastest_ = 0;  // of the tries
  std::optional<std::size_t> next_;
  std::optional<End> end_;
};

// Why it is over, in a sentence: "The last 16 launches were not faster by more than the noise."
std::string sentence(Search::End end, const SearchLimits& limits);

// Launches until the search is over; `launch` gives the time at a place, or nothing where it fails.
template <class Launch>
Search find_best(std::vector<SearchPlace> places, SearchLimits limits, const Launch& launch) {
  Search search(std::move(places), limits);
  while (const auto place = search.next()) {
    search.take(launch(search.places()[*place].values));
  }
  return search;
}

}  // namespace rooftile
