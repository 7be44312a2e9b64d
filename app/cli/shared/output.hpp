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
// Version of the documents' keys, told in each document: within a version a key keeps its meaning.
inline constexpr int json_version = 1;
// Keeps the one document of a call, an object, until finish_output() writes it. Its version is added.
void say_json(nlohmann::json all);
// One object of many, on a line of its own.
void say_json_line(nlohmann::json json);
// Adds to the document that the call failed. id: "usage", "failure", "unexpected".
void say_json_error(std::string_view id, std::string_view sentence);

void write_document();
// Writes the document. Throws Error unless all that was said has reached standard output.
void finish_output();

}  // namespace rooftile::cli
