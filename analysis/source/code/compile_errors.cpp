#include "analysis/source/code/compile_errors.hpp"

#include <charconv>
#include <optional>

namespace rooftile {
namespace {

// The log without its first line, which is returned.
std::string_view take_line(std::string_view& log) {
  const std::size_t end = std::min(log.find('\n'), log.size());
  const std::string_view line = log.substr(0, end);
  log.remove_prefix(std::min(end + 1, log.size()));
  return line;
}

// Empty where the line begins no error of this file.
std::optional<CompileError> error_in(std::string_view line, std::string_view file) {
  constexpr std::string_view word = "error: ";
  const std::string place = std::string(file) + "(";
  const std::size_t name = line.find(place), error = line.find(word);
  if (name == line.npos || error == line.npos || error < name || (name > 0 && line[name - 1] != '/')) {
    return {};
  }
  CompileError found;
  const char* number = line.data() + name + place.size();
  const auto [end, mistake] = std::from_chars(number, line.data() + error, found.line);
  if (mistake != std::errc() || *end != ')' || found.line < 1) {
    return {};
  }
  found.words = line.substr(error + word.size());
  return found;
}

// The source itself and the mark below the column stand in the log too.
bool repeats_source(std::string_view line, std::string_view next) {
  const std::size_t mark = next.find_first_not_of(' ');
  return line.find_first_not_of(" ^") == line.npos || (mark != next.npos && next.substr(mark) == "^");
}

}  // namespace

std::vector<CompileError> compile_errors(std::string_view log, std::string_view file) {
  std::vector<CompileError> errors;
  bool belongs = false;  // to the last error
  while (!log.empty()) {
    const std::string_view line = take_line(log);
    if (auto error = error_in(line, file)) {
      errors.push_back(std::move(*error));
      belongs = true;
    } else if (line.empty()) {
      belongs = false;
    } else if (belongs && !repeats_source(line, log.substr(0, log.find('\n')))) {
      errors.back().below.emplace_back(line.substr(line.find_first_not_of(' ')));
    }
  }
  return errors;
}

}  // namespace rooftile
