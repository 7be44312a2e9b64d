// The recording that rooftile shows if no GPU can be measured.
#pragma once

#include <filesystem>
#include <optional>

namespace rooftile {

// The recorded session in assets/sessions, the last by name if there are several; empty if there is none.
std::optional<std::filesystem::path> bundled_session();

}  // namespace rooftile
