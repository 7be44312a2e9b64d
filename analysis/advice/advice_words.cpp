#include "analysis/advice/advice_words.hpp"

#include <fmt/format.h>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

std::string set_dial(const Manifest& manifest, const std::string& dial, double value) {
  const Parameter* parameter = manifest.parameter(dial);
  return fmt::format("{} to {}", parameter->label.empty() ? dial : parameter->label, number(value));
}

std::string sentence(const Move& move, const Manifest& manifest) {
  return fmt::format("{}: {} {}, {:.2f}x as fast{}.", action(move, manifest),
                     move.launch ? "measured" : "predicted", text(move.time), move.gain,
                     move.reason ? ", because " + move.reason->words : "");
}

// The source of the move's time.
std::string evidence(const Move& move) {
  return move.launch ? fmt::format("Measured by launch {} of this session.", *move.launch)
                     : "Predicted, not measured.";
}

}  // namespace

std::string action(const Move& move, const Manifest& manifest) {
  std::string words = "Set ";
  for (std::size_t i = 0; i < move.dials.size(); ++i) {
    const bool last = i + 1 == move.dials.size();
    words += i == 0 ? "" : last ? " and " : ", ";
    words += set_dial(manifest, move.dials[i], move.place.at(move.dials[i]));
  }
  return words;
}

std::string sentence(const Advice& advice, const Manifest& manifest) {
  switch (advice.answer) {
    case Advice::Answer::move:
      return sentence(*advice.move, manifest);
    case Advice::Answer::nothing:
      return "Nothing in these dials helps by more than 5 %.";
    case Advice::Answer::unknown:
      break;
  }
  return advice.measured_here
             ? "No prediction is certain enough. Run a sweep."
             : "No dial promises a gain beyond the error of the model. The map shows every place.";
}

AdviceInWords in_words(const Advice& advice, const Manifest& manifest) {
  AdviceInWords words{advice, sentence(advice, manifest), {}};
  if (advice.move) {
    words.facts = {evidence(*advice.move)};
  }
  return words;
}

}  // namespace rooftile
