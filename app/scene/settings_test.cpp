#include "app/scene/settings.hpp"

#include <gmock/gmock.h>

namespace rooftile::scene {
namespace {

TEST(Settings, AreReadAsTheyWereWritten) {
  Settings settings;
  settings.theme = Theme::light;
  settings.scale = 1.5f;
  settings.width = 1920;
  settings.chart_share = 0.5f;
  settings.animate = false;
  EXPECT_EQ(settings_of(to_json(settings)), settings);
}

TEST(Settings, BrokenOnesDoNotKeepTheWindowShut) {
  for (const char* json : {"", "{", "[1, 2]", R"({"scale": "large"})", R"({"width": -5, "scale": 1000})"}) {
    const Settings settings = settings_of(json);
    EXPECT_GE(settings.width, 640) << json;
    EXPECT_LE(settings.scale, 3) << json;
  }
}

}  // namespace
}  // namespace rooftile::scene
