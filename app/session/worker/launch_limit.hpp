// The deadline of one launch, or of one compilation: a worker that is silent for longer has hung.
#pragma once

#include <chrono>

#include "analysis/text/units.hpp"

namespace rooftile {

inline constexpr std::chrono::milliseconds usual_launch_limit{60'000};  // unless the user says otherwise

inline Seconds seconds(std::chrono::duration<double> time) {
  return {time.count()};
}

}  // namespace rooftile
