#include "analysis/exchange/winner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "analysis/text/safe_text.hpp"

namespace rooftile {
namespace {

constexpr std::string_view first_words = "// Constants found by rooftile";

// The macro's name, or the nearest name that C++ allows.
std::string identifier(const std::string& name) {
  std::string allowed = name;
  std::ranges::replace_if(
      allowed, [](unsigned char letter) { return !(std::isalnum(letter) && letter < 0x80) && letter != '_'; },
      '_');
  const bool begins_well = !allowed.empty() && !std::isdigit(static_cast<unsigned char>(allowed.front()));
  return begins_well ? allowed : "_" + allowed;
}

// One line, so that no text can leave the comment.
std::string comment(std::string_view text) {
  std::string line = visible_text(text);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\\', '/');
  return line;
}

std::string constant(const Parameter& parameter, double value) {
  constexpr double largest_int = 2147483647;
  const bool is_int = std::floor(value) == value && std::abs(value) <= largest_int;
  const std::string label = parameter.label.empty() ? "" : "  // " + comment(parameter.label);
  return fmt::format("inline constexpr {} {} = {};{}\n", is_int ? "int" : "double", identifier(parameter.name),
                     number(value), label);
}

// In single quotes where a shell would take it apart.
std::string shell_word(const std::string& word) {
  const auto is_plain = [](unsigned char letter) {
    return std::isalnum(letter) ||
           std::string_view("_-.=/+,:@%").find(static_cast<char>(letter)) != std::string_view::npos;
  };
  if (std::ranges::all_of(word, is_plain)) {
    return word;
  }
  std::string quoted = "'";
  for (const char letter : word) {
    quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  }
  return quoted + "'";
}

}  // namespace

std::string measure_line(const Manifest& kernel, const Point& point) {
  std::string line = "rooftile-cli measure " + shell_word(kernel.name);
  for (const auto& [name, value] : given_of(kernel, complete(kernel, point.parameters))) {
    line += " " + shell_word(name + "=" + fmt::format("{}", value));
  }
  return line + (point.caches == Caches::warm ? " --caches warm" : "");
}

std::string winner_json(const Manifest& kernel, const Point& point) {
  nlohmann::ordered_json winner = {{"found_by", "rooftile"},
                                   {"kernel", kernel.name},
                                   {"parameters", complete(kernel, point.parameters)},
                                   {"caches", point.caches == Caches::cold ? "cold" : "warm"},
                                   {"gpu", point.gpu}};
  if (point.timing) {
    winner["time_s"] = point.timing->median.value;
  }
  winner["measure"] = measure_line(kernel, point);
  return winner.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

bool is_winner_json(std::string_view text) {
  return text.starts_with("{\n  \"found_by\": \"rooftile\"");
}

std::string constants_header(const Manifest& kernel, const Point& point) {
  std::string header = fmt::format("{}: {}\n", first_words, comment(kernel.title));
  if (point.timing) {
    header += fmt::format("// {} on {}, {} caches\n", text(point.timing->median), comment(point.gpu),
                          point.caches == Caches::cold ? "cold" : "warm");
  }
  header += fmt::format("// {}\n#pragma once\n\nnamespace {} {{\n", comment(measure_line(kernel, point)),
                        identifier(kernel.name));
  const Parameters values = complete(kernel, point.parameters);
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.is_of_variant()) {
      header += constant(parameter, values.at(parameter.name));
    }
  }
  return header + "}\n";
}

bool is_constants_header(std::string_view text) {
  return text.starts_with(first_words);
}

}  // namespace rooftile
