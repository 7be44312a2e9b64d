#include "analysis/exchange/winner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "analysis/text/safe_text.hpp"
#include "analysis/text/shell_word.hpp"

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

// The number in C++: without a separator of thousands.
std::string exact(double value) {
  return fmt::format("{}", value);
}

// One line, so that no text can leave the comment.
std::string comment(std::string_view text) {
  std::string line = visible_text(text);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\\', '/');
  return line;
}

// "#define TILE 32  // Tile"; of a dial that no macro carries a comment.
std::string constant(const Parameter& parameter, double value, const std::string& source) {
  const std::string label = parameter.label.empty() ? "" : "  // " + comment(parameter.label);
  const std::string name = identifier(parameter.name);
  const std::string place =
      parameter.where == ParameterPlace::constant ? ", a constant of " + comment(source) : "";
  return parameter.where == ParameterPlace::macro ? fmt::format("#define {} {}{}\n", name, exact(value), label)
                                                  : fmt::format("// {} = {}{}\n", name, exact(value), place);
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

std::string define_options(const Manifest& kernel, const Point& point) {
  const Parameters values = complete(kernel, point.parameters);
  std::string options;
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.where == ParameterPlace::macro) {
      options += fmt::format("{}-D{}={}", options.empty() ? "" : " ", identifier(parameter.name),
                             exact(values.at(parameter.name)));
    }
  }
  return options;
}

std::string constants_header(const Manifest& kernel, const Point& point) {
  std::string header = fmt::format("{}: {}\n", first_words, comment(kernel.title));
  if (point.timing) {
    header += fmt::format("// {} on {}, {} caches\n", text(point.timing->median), comment(point.gpu),
                          point.caches == Caches::cold ? "cold" : "warm");
  }
  const Parameters values = complete(kernel, point.parameters);
  header += fmt::format("// {}\n", comment(measure_line(kernel, point)));
  if (kernel.entry.find('<') != std::string::npos) {
    header += fmt::format("// {}\n", comment(entry_at(kernel, values)));
  }
  header += "#pragma once\n\n";
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.is_of_variant()) {
      header += constant(parameter, values.at(parameter.name), kernel.source.filename().string());
    }
  }
  return header;
}

bool is_constants_header(std::string_view text) {
  return text.starts_with(first_words);
}

}  // namespace rooftile
