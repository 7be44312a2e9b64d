// What rooftile shows where no GPU can be measured.
#pragma once

#include <filesystem>
#include <optional>

namespace rooftile {

// The recorded session in assets/sessions, of several the last by name; empty where there is none.
std::optional<std::filesystem::path> bundled_session();

}  // namespace rooftile
