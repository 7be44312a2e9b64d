// Why a move makes a launch faster: the longest term of its prediction where that shrinks, else the one that
// shrinks most.
#pragma once

#include <optional>
#include <string>

#include "analysis/predict/prediction.hpp"

namespace rooftile {

struct Reason {
  Term term;
  std::string pipe;   // of the arithmetic
  Seconds from, to;   // that the launch would take if nothing else held it up
  std::string words;  // "L2 moves 2.1 GB instead of 4.3 GB"
  bool operator==(const Reason&) const = default;
};

struct Outlook {
  const Model& model;
  const Prediction& prediction;
};

// Empty where no term shrinks.
std::optional<Reason> reason(const Outlook& here, const Outlook& there);

}  // namespace rooftile
