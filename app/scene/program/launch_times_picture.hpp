// The launches of a program's kernel over the time of the program, laid out for a pen.
#pragma once

#include <string>
#include <vector>

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

// The shown point's launches; null where it is no program's, or none was traced.
const ProgramLaunches* launches_over_time(const AppState& state);

// "64 of 2,000 launches, evenly spread over those that one process traced".
std::string launch_times_title(const ProgramLaunches& program);

struct TimesPicture {
  Rect plot;
  Drawing drawing;
  std::vector<Spot> dots;  // a launch each, in their order
};
TimesPicture launch_times_picture(const std::vector<LaunchTime>& launches, Seconds median,
                                  const ChartFrame& frame);

// "0.82 s after the first kernel", "37.1 us, 1.02x of the median"; empty where no dot is near.
std::vector<std::string> launch_time_facts(const std::vector<LaunchTime>& launches, Seconds median,
                                           const TimesPicture& picture, Spot pointer, float reach);

}  // namespace rooftile::scene
