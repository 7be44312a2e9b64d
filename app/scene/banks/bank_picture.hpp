// The 32 banks of shared memory as columns, laid out for a pen.
#pragma once

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

struct BankCell {
  Rect place;
  std::vector<std::string> facts;
};

struct BankPicture {
  Drawing drawing;
  std::vector<BankCell> cells;  // one for each word, for the pointer
};

// A row for each 128 bytes that the warp touches, the lowest on top; a cell for each word, coloured by the
// wavefront that serves it, with the lane that touches it ("+": and more). Rows for which there is no room are
// counted below.
BankPicture bank_picture(const BankView& view, const ChartFrame& frame);

}  // namespace rooftile::scene
