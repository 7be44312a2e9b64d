// The arrow from the newest launch to where the advice leads.
#pragma once

#include "app/scene/picture/picture_rows.hpp"

namespace rooftile::scene {

// With the gain beside its head. Nothing where there is no advice or no dot of this level.
void lay_out_advice(ChartPicture& picture, LabelRoom& room, const Chart& chart, const StandingRow* newest,
                    MemoryLevel level, const ChartFrame& frame, const Placing& placing);

}  // namespace rooftile::scene
