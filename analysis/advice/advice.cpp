#include "analysis/advice/advice.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "analysis/manifest/neighbours.hpp"
#include "analysis/model/conflict_wavefronts.hpp"

namespace rooftile {
namespace {

// Estimated terms, which the manifest does not state, may be wrong by more than a move gains, and terms beside
// the longest may overlap with it wholly. Recorded moves below this gain that only such terms recommend were
// often slower.
constexpr double worth_of_estimates = 1.15;
// The model leaves out what helps a little. If a launch takes no more than this times the longest term of the
// best place, what the model leaves out does not help either.
constexpr double near_the_least = 1.13;
// Among moves about as fast, the move that turns fewest dials is advised; among moves that tie, the recorded
// one, then the smallest change.
constexpr double about_as_fast = 1.05;
constexpr double tied = 1.02;

// The terms there; the estimated ones are at least as long as here.
TermTimes without_estimated_gains(const TermTimes& here, TermTimes there) {
  for (const Term term : all_terms) {
    if (is_estimated(term)) {
      there[term] = std::max(there[term], here[term]);
    }
  }
  return there;
}

Seconds longest_alone(const Prediction& prediction) {
  return alone(prediction.terms[prediction.terms.longest()]);
}

bool is_measured(const Point& point) {
  return point.timing && !point.failure && point.timing->median >= shortest_launch;
}

// Empty where the kernel has lost a parameter.
std::optional<Parameters> completed(const Manifest& manifest, const Parameters& given) {
  const bool known =
      std::ranges::all_of(given, [&](const auto& value) { return manifest.parameter(value.first) != nullptr; });
  return known ? std::optional(complete(manifest, given)) : std::nullopt;
}

class Adviser {
 public:
  Adviser(Places& places, const Point& here, Parameters place, const KnownLaunches& known,
          const CompiledAt& table)
      : places_(places),
        manifest_(places.manifest()),
        known_(known),
        measured_(known.timed(place, here.caches)),
        table_(table),
        here_(here),
        place_(std::move(place)) {}

  std::optional<Advice> advise() {
    const auto prediction = places_.predict_at(place_, here_.compiled, here_.caches);
    const std::vector<Parameters> moves = dial_moves(manifest_, place_);
    if (here_.failure || !prediction || moves.empty()) {
      return {};
    }
    stand_at(*prediction);
    for (const Parameters& place : moves) {
      try_predicted(place);
    }
    for (const auto& [place, point] : measured_) {
      try_measured(place, *point);
    }
    choose();
    return advice_;
  }

 private:
  void stand_at(const Prediction& prediction) {
    prediction_ = prediction;
    least_ = longest_alone(prediction);
    advice_.measured_here = is_measured(here_);
    factor_ = advice_.measured_here ? here_.timing->median / prediction.time : factor_of_nearest();
    advice_.here = factor_ * prediction.time;
  }

  // Measured / predicted of the measured place nearest to here; 1 where there is none.
  double factor_of_nearest() {
    const auto distance = [&](const auto& each) { return moved_dials(manifest_, each.first, place_).size(); };
    const auto nearest = std::ranges::min_element(measured_, {}, distance);
    const auto prediction = nearest != measured_.end()
                                ? places_.predict_at(nearest->first, nearest->second->compiled, here_.caches)
                                : std::nullopt;
    return prediction ? nearest->second->timing->median / prediction->time : 1;
  }

  // The compiler's result for these dials; where nobody knows it, the result here.
  std::optional<Compiled> compiled_at(const Parameters& place) {
    if (const Compiled* compiled = known_.compiled(place)) {
      return *compiled;
    }
    const auto known = table_(place, places_.gpu().cc);
    return known ? known : here_.compiled;
  }

  void try_predicted(const Parameters& place) {
    const auto prediction =
        measured_.contains(place) ? std::nullopt : places_.predict_at(place, compiled_at(place), here_.caches);
    if (!prediction) {
      return;
    }
    ++unmeasured_;
    least_ = std::min(least_, longest_alone(*prediction));
    Move move = move_to(place, time_of(*prediction));
    best_predicted_ = std::max(best_predicted_, move.gain);
    if (is_trusted(move, *prediction)) {
      move.reason = reason_of(place, *prediction);
      moves_.push_back(std::move(move));
    }
  }

  // Corrected, but not beyond what its roofs allow.
  Seconds time_of(const Prediction& prediction) const {
    return std::max(factor_ * prediction.time, prediction.least);
  }

  bool is_trusted(const Move& move, const Prediction& there) const {
    const double stated = prediction_.time / together(without_estimated_gains(prediction_.terms, there.terms));
    const double of_longest = longest_alone(prediction_) / longest_alone(there);
    return move.gain > worth_of_estimates || std::min({move.gain, stated, of_longest}) > worth_a_move;
  }

  void try_measured(const Parameters& place, const Point& point) {
    Move move = move_to(place, point.timing->median);
    if (move.gain > worth_a_move && !move.dials.empty()) {
      const auto prediction = places_.predict_at(place, point.compiled, here_.caches);
      move.launch = point.id;
      move.reason =
          prediction && prediction->time < prediction_.time ? reason_of(place, *prediction) : std::nullopt;
      moves_.push_back(std::move(move));
    }
  }

  std::optional<Reason> reason_of(const Parameters& place, const Prediction& there) {
    return rooftile::reason({*places_.model_at(place_), prediction_}, {*places_.model_at(place), there});
  }

  Move move_to(const Parameters& place, Seconds time) const {
    Move move;
    move.place = place;
    move.dials = moved_dials(manifest_, place_, place);
    move.time = time;
    move.gain = advice_.here / time;
    return move;
  }

  void choose() {
    if (moves_.empty()) {
      const bool nothing = unmeasured_ == 0 || (best_predicted_ <= worth_a_move && is_near_the_least());
      advice_.answer = nothing ? Advice::Answer::nothing : Advice::Answer::unknown;
      return;
    }
    const Seconds fastest = std::ranges::min_element(moves_, {}, &Move::time)->time;
    const auto fewest = std::ranges::min_element(moves_, {}, [&](const Move& move) {
      return std::tuple(move.time / fastest > about_as_fast, move.dials.size(), move.time);
    });
    const auto is_tied = [&, limit = tied * fewest->time, dials = fewest->dials.size()](const Move& move) {
      return move.dials.size() == dials && move.time <= limit;
    };
    std::erase_if(moves_, std::not_fn(is_tied));
    advice_.answer = Advice::Answer::move;
    advice_.move = std::move(*std::ranges::min_element(moves_, {}, [&](const Move& move) {
      return std::tuple(!move.launch, steps_between(manifest_, place_, move.place), conflicts_at(move.place),
                        move.time);
    }));
  }

  // Counts none where the code of a measured place was not read.
  double conflicts_at(const Parameters& place) {
    const Model* model = places_.model_at(place);
    return model ? conflict_wavefronts(*model) : 0;
  }

  // A predicted time is near it by itself.
  bool is_near_the_least() const { return advice_.measured_here && advice_.here / least_ <= near_the_least; }

  Places& places_;
  const Manifest& manifest_;
  const KnownLaunches& known_;
  const KnownLaunches::Timed& measured_;
  const CompiledAt& table_;
  const Point& here_;
  const Parameters place_;
  Prediction prediction_;  // of here
  double factor_ = 1;      // measured / predicted
  Seconds least_;          // of all places, what the longest term alone takes
  double best_predicted_ = 1;
  std::size_t unmeasured_ = 0;
  std::vector<Move> moves_;
  Advice advice_;
};

}  // namespace

std::optional<Advice> advise(Places& places, const Point& here, const KnownLaunches& known,
                             const CompiledAt& compiled_at) {
  auto place = completed(places.manifest(), here.parameters);
  return place ? Adviser(places, here, std::move(*place), known, compiled_at).advise() : std::nullopt;
}

}  // namespace rooftile
