// One SM with the blocks that fit, and curves of occupancy, laid out for a pen.
#pragma once

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

struct SmPicture {
  Drawing drawing;
  std::vector<Rect> rows;  // one for each resource, for the pointer
};
inline constexpr float sm_row_height = 19;  // at scale 1

// A bar for each resource stands for all that the SM has of it: per resident block the part that it uses and
// the part that rounding up takes, then what stays empty.
SmPicture sm_picture(const std::vector<SmResource>& resources, const ChartFrame& frame);

struct CurvePicture {
  Rect plot;
  Drawing drawing;
};
CurvePicture curve_picture(const OccupancyPlot& plot, const ChartFrame& frame);

// The colour of each line of a plot, the chosen GPU's first.
std::vector<Rgb> line_colours(const Palette& colours);

// The facts at a place of the plot: the value, then a line for each GPU.
std::vector<std::string> facts_at(const OccupancyPlot& plot, const CurvePicture& picture, float x);

}  // namespace rooftile::scene
