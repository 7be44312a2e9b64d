// Why a launch kept fewer warps on its SMs than fit: the distance from the theoretical to the achieved
// occupancy.
#pragma once

#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/occupancy.hpp"
#include "analysis/record/point.hpp"

namespace rooftile {

// Sentences with what each cause costs, in points of occupancy; none where fewer than ten points are missing,
// or where nobody counted. The tail and the turnover of blocks follow from the launch if its blocks all live
// equally long; the rest must come from blocks or warps that do not.
std::vector<std::string> why_fewer_warps(const Point& point, const Occupancy& theoretical, const Gpu& gpu);

// 0..1: the mean share of places on the SMs at work that are filled until the last block ends, if all blocks
// live equally long.
double filled_places(double blocks, double places_of_sm, double sms);

}  // namespace rooftile
