#include "app/window/settings.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace rooftile::window {
namespace {

std::filesystem::path fresh_file() {
  return std::filesystem::path(testing::TempDir()) / "rooftile_settings_test.json";
}

TEST(SettingsFile, KeepsWhatWasSaved) {
  Settings settings;
  settings.theme = Theme::light;
  settings.scale = 1.5f;
  settings.width = 1920;
  settings.chart_share = 0.5f;
  settings.animate = false;
  save_settings(settings, fresh_file());
  EXPECT_EQ(load_settings(fresh_file()), settings);
}

TEST(SettingsFile, ABrokenOneDoesNotKeepTheWindowShut) {
  for (const char* words : {"", "{", "[1, 2]", R"({"scale": "large"})", R"({"width": -5, "scale": 1000})"}) {
    std::ofstream(fresh_file()) << words;
    const Settings settings = load_settings(fresh_file());
    EXPECT_GE(settings.width, 640) << words;
    EXPECT_LE(settings.scale, 3) << words;
  }
}

TEST(SettingsFile, AMissingOneGivesTheDefaults) {
  EXPECT_EQ(load_settings("/nonexistent/window.json"), Settings{});
}

}  // namespace
}  // namespace rooftile::window
