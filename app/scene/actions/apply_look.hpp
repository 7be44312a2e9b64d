// Carries out what changes the look alone: no dial, no launch and nothing to order.
#pragma once

#include <algorithm>
#include <optional>

#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/launch/kernel_list.hpp"

namespace rooftile::scene {

class LookCarrier {
 public:
  explicit LookCarrier(AppState& state) : state_(state) {}

  void operator()(const CompareWith& action) {
    state_.view.beside = action.gpu != state_.choice.gpu ? action.gpu : "";
    fit();
  }

  void operator()(const SelectLevel& action) { state_.view.level = action.level; }

  void operator()(const ToggleInstructions&) {
    state_.view.instructions = !state_.view.instructions;
    fit();
  }

  void operator()(const ToggleOccupancyOnDots&) {
    state_.view.occupancy_on_dots = !state_.view.occupancy_on_dots;
  }

  void operator()(const SelectOrigin& action) { state_.view.origin = action.origin; }

  void operator()(const ToggleGroup& action) {
    state_.view.groups[action.title] = !is_open(state_, action.title);
  }

  void operator()(const Fit&) { fit(); }
  void operator()(const SetAxes& action) { state_.view.axes = action.axes; }

  void operator()(const SetChartShare& action) {
    state_.settings.chart_share = std::clamp(action.share, 0.0f, 1.0f);
  }

  void operator()(const ToggleTheme&) {
    state_.settings.theme = state_.settings.theme == Theme::dark ? Theme::light : Theme::dark;
  }

  void operator()(const SetScale& action) {
    state_.settings.scale = std::clamp(action.scale, smallest_scale, largest_scale);
  }

  void operator()(const ResetScale&) { (*this)(SetScale{state_.display_scale}); }
  void operator()(const ToggleAnimation&) { state_.settings.animate = !state_.settings.animate; }
  void operator()(const ToggleMore&) { state_.view.more_open = !state_.view.more_open; }
  void operator()(const ToggleKeys&) { state_.view.keys_open = !state_.view.keys_open; }
  void operator()(const SelectSide& action) { state_.view.side = action.panel; }
  void operator()(const SelectLower& action) { state_.view.lower = action.panel; }

  void operator()(const ToggleDrawer& action) {
    const bool was_open = state_.view.drawer == action.drawer;
    state_.view.drawer = was_open ? std::nullopt : std::optional(action.drawer);
  }

  void operator()(const CloseWhatIsOpen&) {
    state_.view.keys_open = false;
    state_.view.sweep_open = false;
    state_.view.question.reset();
    state_.view.selection.clear();
    state_.view.drawer.reset();
    (*this)(Dismiss{});
  }

  void operator()(const SelectRoof& action) {
    state_.view.lower = LowerPanel::roofs;
    state_.view.drawer = Drawer::roofs;
    state_.view.roof = action.name;
  }

  void operator()(const PointAt& action) { state_.view.pointed = action.launch; }
  void operator()(const SetTable& action) { state_.view.table = action.choice; }
  void operator()(const SelectLaunches& action) { state_.view.selection = action.launches; }
  void operator()(const SetMap& action) { state_.view.map = action.choice; }

  void operator()(const ToggleCompared& action) {
    auto& compared = state_.view.compared;
    if (std::erase(compared, action.gpu) > 0) {
      return;
    }
    compared.push_back(action.gpu);
    if (compared.size() > most_compared) {
      compared.erase(compared.begin());
    }
  }

  void operator()(const ToggleSweep&) { state_.view.sweep_open = !state_.view.sweep_open; }
  void operator()(const SetSweep& action) { state_.view.sweep = action.choice; }
  void operator()(const AskForPicture&) { state_.view.picture_asked = true; }
  void operator()(const Dismiss&) { state_.view.message.reset(); }

 protected:
  void fit() { state_.view.axes = fitted_axes(state_, roofs_of(state_)); }

  AppState& state_;

 private:
  static constexpr float smallest_scale = 0.6f, largest_scale = 3;
};

}  // namespace rooftile::scene
