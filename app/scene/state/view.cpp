#include "app/scene/state/view.hpp"

#include <utility>

namespace rooftile::scene {

bool is_open(const View& view, Panel panel) {
  if (view.folded) {
    return view.drawer == panel;
  }
  return is_one_of(lower_tabs, panel) ? view.lower == panel : true;
}

void show_panel(View& view, Panel panel) {
  if (view.folded) {
    view.drawer = panel;
  } else if (is_one_of(lower_tabs, panel)) {
    view.lower = panel;
  } else if (is_one_of(side_tabs, panel)) {
    view.side = panel;
  }
}

void fold(View& view, bool folded) {
  view.folded = folded;
  if (const auto drawer = std::exchange(view.drawer, std::nullopt)) {
    show_panel(view, *drawer);
  }
}

}  // namespace rooftile::scene
