// Why a move makes a launch faster: the term of its prediction that shrinks most.
#pragma once

#include <optional>
#include <string>

#include "analysis/predict/prediction.hpp"

namespace rooftile {

struct Reason {
  std::string term;   // "DRAM", "latency"
  Seconds from, to;   // that the launch would take if nothing else held it up
  std::string words;  // "L2 moves 2.1 GB instead of 4.3 GB"
  bool operator==(const Reason&) const = default;
};

struct Forecast {
  const Model& model;
  const Prediction& prediction;
};

// Empty where no term shrinks.
std::optional<Reason> reason(const Forecast& here, const Forecast& there);

}  // namespace rooftile
