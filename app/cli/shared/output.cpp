#include "app/cli/shared/output.hpp"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "analysis/text/error.hpp"
#include "analysis/text/safe_text.hpp"

namespace rooftile::cli {

void put(std::FILE* out, std::string_view text) {
  const std::string safe = visible_text(text);
  std::fwrite(safe.data(), 1, safe.size(), out);
}

namespace {

// Letters outside ASCII are written as \u00b5: text made safe for a terminal stays JSON.
void say_indented(const nlohmann::json& json, int indentation) {
  say("{}\n", json.dump(indentation, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void say_json(nlohmann::json document) {
  document["version"] = json_version;
  say_indented(document, 2);
}

void say_json_line(const nlohmann::json& json) {
  say_indented(json, -1);
}

void finish_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error(fmt::format("Standard output cannot be written{}{}", errno != 0 ? ": " : "",
                            errno != 0 ? std::strerror(errno) : "."));
  }
}

}  // namespace rooftile::cli
