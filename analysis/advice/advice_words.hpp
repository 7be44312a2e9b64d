// Advice as people read it.
#pragma once

#include <string>
#include <vector>

#include "analysis/advice/advice.hpp"

namespace rooftile {

// "Set Tile to 32 and Padding to 1"
std::string action(const Move& move, const Manifest& manifest);
// "Set Tile to 32: predicted 1.42 ms, 1.48x as fast, because L2 moves 2.1 GB instead of 4.3 GB."
std::string sentence(const Advice& advice, const Manifest& manifest);

struct AdviceInWords {
  Advice advice;
  std::string sentence;
  std::vector<std::string> facts;  // what it rests on
};
AdviceInWords in_words(const Advice& advice, const Manifest& manifest);

}  // namespace rooftile
