#include "app/conductor/settings_file.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

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

TEST(SettingsFile, OneThatWasSpoiltGivesTheDefaults) {
  const auto file = std::filesystem::path(testing::TempDir()) / "rooftile_spoilt_settings_test.json";
  for (const char* words : {"", "{", "[]", "7", "\"dark\"", "{\"width\": \"wide\"}"}) {
    std::ofstream(file) << words;
    EXPECT_EQ(load_settings(file), scene::Settings{}) << words;
  }
  std::filesystem::remove(file);
}

TEST(SettingsFile, AFolderThatCannotBeWrittenHarmsNothing) {
  EXPECT_NO_THROW(save_settings(scene::Settings{}, "/nonexistent/window.json"));
}

TEST(SettingsFile, StandsInTheUsersStateFolder) {
  const char* before = std::getenv("XDG_STATE_HOME");
  const std::string kept = before ? before : "";
  setenv("XDG_STATE_HOME", testing::TempDir().c_str(), 1);
  EXPECT_EQ(settings_file(), std::filesystem::path(testing::TempDir()) / "rooftile" / "window.json");
  before ? setenv("XDG_STATE_HOME", kept.c_str(), 1) : unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace rooftile::conductor
