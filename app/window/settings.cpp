#include "app/window/settings.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis/platform/platform.hpp"

namespace rooftile::window {
namespace {

// Windows of no use: smaller than the panels need, or larger than any wall.
constexpr int smallest = 640, largest = 16384;

}  // namespace

std::filesystem::path settings_file() {
  return platform::user_state_directory() / "window.json";
}

Settings load_settings(const std::filesystem::path& file) {
  Settings settings;
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_object()) {
    return settings;
  }
  try {
    settings.theme = json.value("theme", "dark") == "light" ? Theme::light : Theme::dark;
    settings.scale = std::clamp(json.value("scale", settings.scale), 0.6f, 3.0f);
    settings.width = std::clamp(json.value("width", settings.width), smallest, largest);
    settings.height = std::clamp(json.value("height", settings.height), smallest / 2, largest);
    settings.chart_share = std::clamp(json.value("chart_share", settings.chart_share), 0.0f, 1.0f);
    settings.animate = json.value("animate", settings.animate);
  } catch (const nlohmann::json::type_error&) {
    return Settings{};
  }
  return settings;
}

void save_settings(const Settings& settings, const std::filesystem::path& file) {
  std::ofstream(file) << nlohmann::json{{"theme", settings.theme == Theme::light ? "light" : "dark"},
                                        {"scale", settings.scale},
                                        {"width", settings.width},
                                        {"height", settings.height},
                                        {"chart_share", settings.chart_share},
                                        {"animate", settings.animate}}
                             .dump(2)
                      << '\n';
}

}  // namespace rooftile::window
