#include "app/scene/map/map_choice.hpp"

#include <algorithm>

namespace rooftile::scene {

MapChoice map_choice(const AppState& state) {
  MapChoice choice = state.view.map;
  const Manifest& manifest = kernel(state);
  const auto is_dial = [&](const std::string& name) { return manifest.parameter(name) != nullptr; };
  if (is_dial(choice.across) && is_dial(choice.down) && choice.across != choice.down) {
    return choice;
  }
  std::vector<const Parameter*> dials;
  for (const Parameter& parameter : manifest.parameters) {
    if (!parameter.is_of_problem() && parameter.values.size() > 1) {
      dials.push_back(&parameter);
    }
  }
  choice.across = choice.down = "";
  if (dials.size() == 1) {
    choice.across = dials.front()->name;
  } else if (!dials.empty()) {
    const auto values = [](const Parameter* parameter) { return parameter->values.size(); };
    choice.down = dials.front()->name;
    choice.across = (*std::ranges::max_element(dials.begin() + 1, dials.end(), {}, values))->name;
  }
  return choice;
}

}  // namespace rooftile::scene
