// One access of a warp as words of 4 bytes, 32 to a row, laid out for a pen.
#pragma once

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

struct AccessCell {
  Rect place;
  std::int64_t word = 0;
  std::vector<std::string> facts;
};

struct AccessPicture {
  Drawing drawing;
  std::vector<AccessCell> cells;  // of the rows that are drawn, for the pointer; facts: of touched words
};

// [px] That all its rows take.
float whole_height(const AccessView& view, const ChartFrame& frame);

// A row for each 128 bytes that the warp touches, the lowest on top; a cell for each word, with the lane that
// touches it ("+": and more). In banks it is coloured by the wavefront that serves it; in sectors, which stand
// apart, pale where no lane asks for it. A view that hides its cost is drawn in one colour, and words that no
// lane asks for are not drawn. Rows for which there is no room are counted below.
AccessPicture access_picture(const AccessView& view, const ChartFrame& frame);

}  // namespace rooftile::scene
