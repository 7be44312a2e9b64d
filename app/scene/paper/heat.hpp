// A scale of colour for a value between 0 and 1.
#pragma once

#include "app/scene/paper/theme.hpp"

namespace rooftile::scene {

// Viridis: even steps of the value look like even steps, also to colour-blind people and in grey.
// Source: matplotlib 3, _cm_listed.py (CC0), every tenth of the scale. Dark at 0, bright at 1.
Rgb viridis(double value);

// Black or white, whichever reads better on this colour.
Rgb readable_on(Rgb paper);

}  // namespace rooftile::scene
