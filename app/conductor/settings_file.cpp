#include "app/conductor/settings_file.hpp"

#include <fstream>
#include <iterator>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"
#include "app/scene/state/settings.hpp"

namespace rooftile::conductor {

std::filesystem::path settings_file() {
  try {
    return platform::user_state_directory() / "window.json";
  } catch (const Error&) {
    return {};
  }
}

scene::Settings load_settings(const std::filesystem::path& file) {
  std::ifstream in(file);
  return scene::settings_of(std::string(std::istreambuf_iterator<char>(in), {}));
}

void save_settings(const scene::Settings& settings, const std::filesystem::path& file) {
  if (file.empty()) {
    return;
  }
  try {
    platform::write_file(file, scene::to_json(settings) + "\n", platform::any_kind);
  } catch (const Error&) {  // the next run starts with older settings
  }
}

}  // namespace rooftile::conductor
