// Settings that the window remembers from run to run, as JSON.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "app/scene/paper/theme.hpp"
#include "app/scene/state/panel.hpp"

namespace rooftile::scene {

struct Settings {
  Theme theme = Theme::dark;
  float scale = 1;
  int width = 1600, height = 960;
  float chart_share = 0.74f;       // of the middle column; the points have the rest
  float share_above_tall = 0.45f;  // the same above one of tall_tabs
  bool animate = true;
  std::map<std::string, std::size_t> lessons;  // the step where each was left

  float& chart_share_above(Panel tab) { return is_one_of(tall_tabs, tab) ? share_above_tall : chart_share; }
  float chart_share_above(Panel tab) const { return Settings(*this).chart_share_above(tab); }
  bool operator==(const Settings&) const = default;
};

// Defaults for what the text does not say or says wrongly: broken settings must not keep the window shut.
Settings settings_of(std::string_view json);
std::string to_json(const Settings& settings);

}  // namespace rooftile::scene
