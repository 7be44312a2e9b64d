// The next change to make, as data: a dial, a value, the time to expect there, and why. Every legal place that
// one dial leads to, or two dials by a step each, is predicted (predict/), scaled by measured / predicted here,
// and compared with what the session measured: that is taken as it is, so advice contradicts no launch of it.
// The bounds below were chosen on the H200's launches of the bundled recording; `rooftile-cli bench advice`
// says how often advice comes true there and on the H100.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/advice/advice_reason.hpp"
#include "analysis/advice/known_launches.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/model/compiled_table.hpp"
#include "analysis/predict/places.hpp"
#include "analysis/record/point.hpp"

namespace rooftile {

// A smaller gain is not worth a move.
inline constexpr double worth_a_move = 1.05;

struct Move {
  Parameters place;                     // complete
  std::vector<std::string> dials;       // that differ from here
  Seconds time;                         // measured there, else predicted
  std::optional<std::uint64_t> launch;  // that measured it
  double gain = 1;                      // the time here over that time
  std::optional<Reason> reason;         // empty where the model knows none
};

struct Advice {
  // nothing: no move of the dials helps by more than 5 %. unknown: the model's error is larger than what it
  // promises; a sweep would tell.
  enum class Answer { move, nothing, unknown };
  Answer answer = Answer::unknown;
  Seconds here;  // measured, else predicted
  bool measured_here = false;
  std::optional<Move> move;
};

// Empty where there is nothing to say: a launch that failed, a kernel without dials or without prediction.
// compiled_at: the compiler's result at a place that no known launch tells.
std::optional<Advice> advise(Places& places, const Point& here, const KnownLaunches& known,
                             const CompiledAt& compiled_at);

}  // namespace rooftile
