#include "app/session/bundled_session.hpp"

#include "analysis/platform/platform.hpp"

namespace rooftile {

std::optional<std::filesystem::path> bundled_session() {
  std::optional<std::filesystem::path> last;
  std::error_code none;
  for (const auto& entry :
       std::filesystem::directory_iterator(platform::data_directory() / "assets" / "sessions", none)) {
    if (entry.path().extension() == ".jsonl" && (!last || entry.path() > *last)) {
      last = entry.path();
    }
  }
  return last;
}

}  // namespace rooftile
