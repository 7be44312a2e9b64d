// Places of a GPU where nothing measures: each one dialled joins the trail with what is predicted there, as a
// launch does elsewhere.
#pragma once

#include "app/scene/actions/requests.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The prediction for what is dialled joins the trail, in place of an older one. Does nothing where launches are
// measured or recorded.
void visit_predicted(AppState& state);
// Likewise those of all places of the sweep.
void visit_all_predicted(AppState& state);
// Turns the dials to the place of the sweep with the least predicted time, and tells of it.
Requests go_to_predicted_best(AppState& state);

}  // namespace rooftile::scene
