#include "app/conductor/settings_file.hpp"

#include <gmock/gmock.h>

namespace rooftile::conductor {
namespace {

TEST(SettingsFile, KeepsWhatWasSaved) {
  const auto file = std::filesystem::path(testing::TempDir()) / "rooftile_settings_test.json";
  scene::Settings settings;
  settings.width = 1920;
  save_settings(settings, file);
  EXPECT_EQ(load_settings(file), settings);
}

TEST(SettingsFile, AMissingOneGivesTheDefaults) {
  EXPECT_EQ(load_settings("/nonexistent/window.json"), scene::Settings{});
}

}  // namespace
}  // namespace rooftile::conductor
