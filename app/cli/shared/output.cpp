#include "app/cli/shared/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "analysis/text/error.hpp"
#include "analysis/text/safe_text.hpp"

namespace rooftile::cli {

void put(std::FILE* out, std::string_view text) {
  const std::string safe = visible_text(text);
  std::fwrite(safe.data(), 1, safe.size(), out);
}

namespace {

std::optional<nlohmann::json> document;  // of this call; said at its end
bool are_lines_said = false;             // instead

// Dials and counts are doubles here; a reader expects 64, not 64.0.
void make_whole(nlohmann::json& json) {
  constexpr double exact = 9007199254740992;  // 2^53
  if (json.is_structured()) {
    std::ranges::for_each(json, make_whole);
  } else if (json.is_number_float()) {
    const double value = json.get<double>();
    if (std::abs(value) < exact && value == std::trunc(value)) {
      json = static_cast<std::int64_t>(value);
    }
  }
}

// Letters outside ASCII are written as \u00b5: text made safe for a terminal stays JSON.
void say_indented(nlohmann::json json, int indentation) {
  make_whole(json);
  say("{}\n", json.dump(indentation, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void say_json(nlohmann::json all) {
  all["version"] = json_version;
  document = std::move(all);
}

void say_json_line(nlohmann::json json) {
  are_lines_said = true;
  say_indented(std::move(json), -1);
}

void say_json_error(std::string_view id, std::string_view sentence) {
  if (!are_lines_said) {
    nlohmann::json all = document.value_or(nlohmann::json::object());
    all["error"] = {{"id", id}, {"sentence", sentence}};
    say_json(std::move(all));
  }
}

void write_document() {
  if (auto last = std::exchange(document, std::nullopt)) {
    say_indented(std::move(*last), 2);
  }
}

void finish_output() {
  errno = 0;
  write_document();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error(fmt::format("Standard output cannot be written{}{}", errno != 0 ? ": " : "",
                            errno != 0 ? std::strerror(errno) : "."));
  }
}

}  // namespace rooftile::cli
