#include "app/scene/state/settings.hpp"

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

TEST(Settings, EveryOneIsWrittenAndReadBack) {
  const std::pair<const char*, void (*)(Settings&)> changes[] = {
      {"theme", [](Settings& all) { all.theme = Theme::light; }},
      {"scale", [](Settings& all) { all.scale = 2.25f; }},
      {"width", [](Settings& all) { all.width = 3440; }},
      {"height", [](Settings& all) { all.height = 1440; }},
      {"chart_share", [](Settings& all) { all.chart_share = 0; }},
      {"share_above_tall", [](Settings& all) { all.share_above_tall = 1; }},
      {"animate", [](Settings& all) { all.animate = false; }}};
  for (const auto& [name, change] : changes) {
    Settings settings;
    change(settings);
    EXPECT_NE(settings, Settings{}) << name;
    EXPECT_EQ(settings_of(to_json(settings)), settings) << name;
    EXPECT_THAT(to_json(settings), testing::HasSubstr(name));
  }
}

TEST(Settings, WhatIsMissingOrUnknownLeavesTheDefault) {
  EXPECT_EQ(settings_of("{}"), Settings{});
  EXPECT_EQ(settings_of(R"({"theme": "sepia", "colour": "red"})"), Settings{});
  Settings wide;
  wide.width = 2000;
  EXPECT_EQ(settings_of(R"({"width": 2000})"), wide);
}

TEST(Settings, NumbersOutOfRangeAreBroughtBack) {
  const Settings small = settings_of(R"({"scale": 0, "width": 1, "height": 1, "chart_share": -3})");
  EXPECT_EQ(small.scale, 0.6f);
  EXPECT_EQ(small.width, 640);
  EXPECT_EQ(small.height, 320);
  EXPECT_EQ(small.chart_share, 0);
  const Settings large = settings_of(R"({"scale": 99, "width": 99999, "height": 99999, "chart_share": 3})");
  EXPECT_EQ(large.scale, 3);
  EXPECT_EQ(large.width, 16384);
  EXPECT_EQ(large.height, 16384);
  EXPECT_EQ(large.chart_share, 1);
}

}  // namespace
}  // namespace rooftile::scene
