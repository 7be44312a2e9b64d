#include "app/scene/state/settings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace rooftile::scene {
namespace {

// Windows of no use: smaller than the panels need, or larger than any wall.
constexpr int smallest = 640, largest = 16384;

}  // namespace

Settings settings_of(std::string_view json) {
  Settings settings;
  const auto fields = nlohmann::json::parse(json, nullptr, false);
  if (!fields.is_object()) {
    return settings;
  }
  try {
    settings.theme = fields.value("theme", "dark") == "light" ? Theme::light : Theme::dark;
    settings.scale = std::clamp(fields.value("scale", settings.scale), 0.6f, 3.0f);
    settings.width = std::clamp(fields.value("width", settings.width), smallest, largest);
    settings.height = std::clamp(fields.value("height", settings.height), smallest / 2, largest);
    settings.chart_share = std::clamp(fields.value("chart_share", settings.chart_share), 0.0f, 1.0f);
    settings.share_above_tall =
        std::clamp(fields.value("share_above_tall", settings.share_above_tall), 0.0f, 1.0f);
    settings.animate = fields.value("animate", settings.animate);
    settings.lessons = fields.value("lessons", settings.lessons);
  } catch (const nlohmann::json::type_error&) {
    return Settings{};
  }
  return settings;
}

std::string to_json(const Settings& settings) {
  return nlohmann::json{{"theme", settings.theme == Theme::light ? "light" : "dark"},
                        {"scale", settings.scale},
                        {"width", settings.width},
                        {"height", settings.height},
                        {"chart_share", settings.chart_share},
                        {"share_above_tall", settings.share_above_tall},
                        {"animate", settings.animate},
                        {"lessons", settings.lessons}}
      .dump(2);
}

}  // namespace rooftile::scene
