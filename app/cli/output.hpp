// Everything that the command line says, made safe for a terminal.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace rooftile::cli {

void put(std::FILE* out, std::string_view text);

template <class... T>
void say(fmt::format_string<T...> format, T&&... arguments) {
  put(stdout, fmt::format(format, std::forward<T>(arguments)...));
}
// On standard error.
template <class... T>
void remark(fmt::format_string<T...> format, T&&... arguments) {
  put(stderr, fmt::format(format, std::forward<T>(arguments)...));
}
enum class JsonStyle { indented, one_line };
void say_json(const nlohmann::json& json, JsonStyle style = JsonStyle::indented);

// Throws Error unless all that was said has reached standard output.
void finish_output();

}  // namespace rooftile::cli
