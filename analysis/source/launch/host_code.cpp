#include "analysis/source/launch/host_code.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/launch/parse_c_expression.hpp"

namespace rooftile {
namespace {

constexpr int most_steps = 12;  // from a name to what it stands for

std::vector<HostWords> words_at(const std::vector<std::string>& all, std::size_t place) {
  std::vector<HostWords> words;
  std::ranges::transform(all, std::back_inserter(words), [&](const std::string& each) {
    return HostWords{each, place};
  });
  return words;
}

// "grid", "config.gridDim"
bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, [](char c) { return is_part_of_name(c) || c == '.'; });
}

bool mentions(std::string_view text, std::string_view word) {
  const auto words = identifiers(text);
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

HostCode::HostCode(std::string_view code, std::string kernel)
    : text_(text_with_launches(code)), kernel_(std::move(kernel)), functions_(host_functions(text_)) {
  for (const Directive& directive : masked(code).directives) {
    const auto words = identifiers(directive.text);
    if (words.size() > 2 && words[0] == "define") {
      const std::size_t name = directive.text.find(words[1]);
      const std::string_view rest = std::string_view(directive.text).substr(name + words[1].size());
      if (!rest.starts_with('(')) {
        macros_.emplace(words[1], trimmed(rest));
      }
    }
  }
}

std::vector<HostLaunch> HostCode::launches() const {
  std::vector<HostLaunch> all;
  for (const HostLaunch& launch : launches_in(text_)) {
    const auto kernels = pointed_to({launch.kernel, launch.place}, most_steps);
    for (const std::string& kernel : kernels) {
      all.push_back(launch);
      all.back().kernel = kernel;
    }
    if (kernels.empty()) {
      all.push_back(launch);
    }
  }
  return all;
}

std::vector<std::string> HostCode::pointed_to(const HostWords& pointer, int steps) const {
  std::vector<HostWords> values;
  for (const auto& [sides, place] : definitions(pointer.words, pointer.place)) {
    if (sides.size() == 1) {
      values.push_back({sides[0], place});
    }
  }
  std::ranges::copy(arguments_of_callers(pointer), std::back_inserter(values));
  std::vector<std::string> kernels;
  for (HostWords& value : values) {
    value.words = trimmed(std::string_view(value.words).substr(value.words.starts_with('&') ? 1 : 0));
    const auto further = steps > 0 ? pointed_to(value, steps - 1) : std::vector<std::string>{};
    std::ranges::copy(further.empty() ? std::vector{value.words} : further, std::back_inserter(kernels));
  }
  return kernels;
}

int HostCode::line_of(std::size_t place) const {
  return 1 +
         static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

std::string HostCode::value_of(std::string_view name, std::size_t place) const {
  const auto all = definitions(std::string(name), place);
  return all.empty() || all.front().sides.size() != 1 ? "" : all.front().sides[0];
}

bool HostCode::is_template_parameter(std::string_view name, std::size_t place) const {
  const HostFunction* const function = function_at(place);
  return function != nullptr &&
         std::ranges::find(function->template_parameters, name) != function->template_parameters.end();
}

const HostFunction* HostCode::function_at(std::size_t place) const {
  const auto found = std::ranges::find_if(
      functions_, [&](const HostFunction& each) { return each.head.begin <= place && place < each.body.end; });
  return found == functions_.end() ? nullptr : &*found;
}

std::vector<HostWords> HostCode::call_on(HostWords pointer, std::string_view function) const {
  for (int step = 0; step < most_steps; ++step) {
    for (std::size_t at = text_.find(function); at != text_.npos; at = text_.find(function, at + 1)) {
      std::size_t behind = at;
      while (behind < text_.size() && is_part_of_name(text_[behind])) {
        ++behind;
      }
      std::vector<HostWords> words;
      for (const auto& argument : arguments_behind(text_, behind)) {
        words.push_back({argument, at});
      }
      const auto names = words.size() < 2 ? std::vector<std::string_view>{} : identifiers(words[0].words);
      if (!names.empty() && names.back() == pointer.words) {
        return words;
      }
    }
    const auto caller = argument_of_caller(pointer);
    if (!caller) {
      return {};
    }
    pointer = {without_space(caller->words), caller->place};
  }
  return {};
}

std::optional<HostWords> HostCode::allocated(const HostWords& pointer) const {
  const auto call = call_on(pointer, "cudaMalloc");
  return call.empty() ? std::nullopt : std::optional(call[1]);
}

bool HostCode::is_zeroed(const HostWords& pointer) const {
  const auto call = call_on(pointer, "cudaMemset");
  return !call.empty() && without_space(call[1].words) == "0" && call_on(pointer, "cudaMemcpy").empty();
}

std::vector<HostWords> HostCode::sides_of(const HostWords& vector) const {
  return sides_of(vector, most_steps);
}

std::vector<HostWords> HostCode::sides_of(const HostWords& vector, int steps) const {
  const auto& [text, place] = vector;
  if (text.starts_with("dim3") && text.size() > 4 && text.find_first_of("({") != text.npos) {
    const std::size_t open = text.find_first_of("({");
    const std::string_view inside =
        std::string_view(text).substr(open + 1, text.rfind(text[open] == '(' ? ')' : '}') - open - 1);
    return words_at(arguments_of(inside), place);
  }
  if (const auto result = steps > 0 ? returned_by(text) : std::nullopt) {
    return sides_of(*result, steps - 1);
  }
  if (steps == 0 || !is_name(text)) {
    return {vector};
  }
  if (const auto found = definitions(text, place); !found.empty()) {
    const auto& [sides, where] = found.front();
    const auto further = sides.size() == 1 ? sides_of({sides[0], where}, steps - 1) : words_at(sides, where);
    if (further.size() > 1 || further.front().words != sides[0] || is_vector_at(where)) {
      return further;
    }
  }
  if (!definitions(text + ".x", place).empty()) {
    std::vector<HostWords> sides;
    for (const char* axis : {".x", ".y", ".z"}) {
      sides.push_back({definitions(text + axis, place).empty() ? "1" : text + axis, place});
    }
    return sides;
  }
  if (const auto caller = argument_of_caller(vector)) {
    if (auto further = sides_of(*caller, steps - 1); further.size() > 1) {
      return further;
    }
  }
  return {vector};
}

// "dim3 NAME(...)" rather than a number.
bool HostCode::is_vector_at(std::size_t place) const {
  const std::string_view before = std::string_view(text_).substr(0, place);
  const auto words = identifiers(before.substr(before.find_last_of(";{}") + 1));
  return std::ranges::find(words, "dim3") != words.end();
}

// The values that a name is given before a place, the latest first: "name = 3", "name(3, 4)", "name{3}".
std::vector<HostCode::Definition> HostCode::definitions(const std::string& name, std::size_t place) const {
  std::vector<Definition> all;
  const HostFunction* const function = function_at(place);
  const TextSpan span = function != nullptr ? TextSpan{function->head.begin, place} : TextSpan{0, place};
  add_definitions(name, span, false, all);
  if (function != nullptr && all.empty()) {
    add_definitions(name, {0, text_.size()}, true, all);
  }
  return all;
}

void HostCode::add_definitions(const std::string& name, TextSpan span, bool outside_functions,
                               std::vector<Definition>& all) const {
  const std::string_view text = text_;
  for (std::size_t at = text.rfind(name, span.end); at != text.npos && at >= span.begin;
       at = at == 0 ? text.npos : text.rfind(name, at - 1)) {
    const std::size_t behind = at + name.size();
    const bool is_word = (at == 0 || (!is_part_of_name(text[at - 1]) && text[at - 1] != '.')) &&
                         behind < text.size() && !is_part_of_name(text[behind]);
    if (!is_word || (outside_functions && function_at(at) != nullptr)) {
      continue;
    }
    const std::size_t next = text.find_first_not_of(" \t\r\n", behind);
    if (next == text.npos) {
      continue;
    }
    if (const auto type = text[next] == ';' ? type_named_at(at) : std::string_view(); !type.empty()) {
      all.push_back({{std::string(type)}, at});
    } else if (text[next] == '=' && text.substr(next, 2) != "==") {
      all.push_back({{std::string(value_at(next + 1))}, at});
    } else if ((text[next] == '(' || text[next] == '{') && follows_type(at)) {
      all.push_back({arguments_of(text.substr(next + 1, closing(text, next) - next - 1)), at});
    }
  }
}

// "float" before the T of "typedef float T;".
std::string_view HostCode::type_named_at(std::size_t place) const {
  constexpr std::string_view word = "typedef ";
  const std::string_view before = std::string_view(text_).substr(0, place);
  const std::string_view statement = trimmed(before.substr(before.find_last_of(";{}") + 1));
  return statement.starts_with(word) ? trimmed(statement.substr(word.size())) : "";
}

// "dim3 grid(", "int n(", ", b(" after such.
bool HostCode::follows_type(std::size_t place) const {
  const std::string_view before = std::string_view(text_).substr(0, place);
  const auto words = identifiers(before.substr(before.find_last_of(";{}") + 1));
  return std::ranges::any_of(words, [](std::string_view word) {
    return word == "dim3" || word == "int" || word == "unsigned" || word == "size_t" || word == "uint";
  });
}

// Up to the comma, bracket or semicolon that ends it.
std::string_view HostCode::value_at(std::size_t begin) const {
  const std::string_view text = text_;
  std::size_t at = begin;
  for (; at < text.size() && text[at] != ';' && text[at] != ',' && text[at] != ')' && text[at] != '}'; ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
      at = closing(text, at);
    }
  }
  return trimmed(text.substr(begin, at - begin));
}

// The arguments for this parameter of the function around it, in the function's calls.
std::vector<HostWords> HostCode::arguments_of_callers(const HostWords& name) const {
  const HostFunction* const function = function_at(name.place);
  if (function == nullptr) {
    return {};
  }
  const bool is_template_argument =
      std::ranges::find(function->template_parameters, name.words) != function->template_parameters.end();
  const auto& parameters = is_template_argument ? function->template_parameters : function->parameters;
  const auto index = static_cast<std::size_t>(std::ranges::find(parameters, name.words) - parameters.begin());
  std::vector<HostWords> of_kernel, others;
  for (std::size_t at = text_.find(function->name); at != text_.npos && index < parameters.size();
       at = text_.find(function->name, at + 1)) {
    const HostFunction* const caller = function_at(at);
    const bool is_call = caller != nullptr && caller != function && at >= caller->body.begin;
    const bool is_instantiation =
        caller == nullptr && is_template_argument;  // template void launch<float>(...);
    if ((at > 0 && is_part_of_name(text_[at - 1])) || (!is_call && !is_instantiation)) {
      continue;
    }
    const auto list = list_in_angles(text_, at + function->name.size());
    const auto given = arguments_behind(text_, list ? list->end : at + function->name.size());
    const auto arguments = !is_template_argument ? given : list ? list->arguments : std::vector<std::string>{};
    if (index < arguments.size()) {
      const bool names_kernel = std::ranges::any_of(
          arguments, [&](const std::string& argument) { return mentions(argument, kernel_); });
      (names_kernel ? of_kernel : others).push_back({arguments[index], at});
    }
  }
  std::ranges::move(others, std::back_inserter(of_kernel));
  return of_kernel;
}

std::optional<HostWords> HostCode::argument_of_caller(const HostWords& name) const {
  const auto all = arguments_of_callers(name);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::optional<HostWords> HostCode::returned_by(const std::string& call) const {
  const auto function = std::ranges::find_if(functions_, [&](const HostFunction& each) {
    return !each.name.empty() && call.starts_with(each.name + "(") &&
           closing(call, each.name.size()) + 1 == call.size();
  });
  if (function == functions_.end()) {
    return std::nullopt;
  }
  constexpr std::string_view word = "return ";
  const std::size_t only = text_.find(word, function->body.begin);
  return only < function->body.end && text_.find(word, only + 1) > function->body.end
             ? std::optional(HostWords{std::string(value_at(only + word.size())), only})
             : std::nullopt;
}

CExpression HostCode::resolved(const CExpression& expression, std::size_t place, const Meaning& known) const {
  return resolved(expression, place, known, most_steps);
}

CExpression HostCode::resolved(const CExpression& expression, std::size_t place, const Meaning& known,
                               int steps) const {
  return with_meanings(expression, [&](const CExpression& part) -> Found {
    if (const Found meant = known(part); meant || part.kind != CExpression::Kind::name) {
      return meant;
    }
    if (part.word.ends_with("multiProcessorCount")) {
      return name_expression("sms");
    }
    return steps > 0 ? meaning_of(part.word, place, known, steps - 1) : std::nullopt;
  });
}

HostCode::Found HostCode::meaning_of(const std::string& name, std::size_t place, const Meaning& known,
                                     int steps) const {
  const auto read = [&](const std::string& words, std::size_t where) -> Found {
    const auto result = returned_by(words);
    const Found found = parse_c_expression(result ? result->words : words);
    return found ? Found(resolved(*found, result ? result->place : where, known, steps)) : std::nullopt;
  };
  if (const auto macro = macros_.find(name); macro != macros_.end()) {
    return read(macro->second, place);
  }
  for (const auto& [values, where] : definitions(name, place)) {
    if (values.size() == 1 && values[0] == "0" && text_.find("&" + name) != text_.npos) {
      return std::nullopt;  // a function of CUDA sets it
    }
    if (const Found found = values.size() == 1 ? read(values[0], where) : std::nullopt) {
      return found;
    }
  }
  if (const Found side = side_of(name, place, known, steps)) {
    return side;
  }
  const auto caller = argument_of_caller({name, place});
  return caller ? read(caller->words, caller->place) : std::nullopt;
}

// "grid.y"
HostCode::Found HostCode::side_of(const std::string& name, std::size_t place, const Meaning& known,
                                  int steps) const {
  const std::size_t point = name.rfind('.');
  const std::size_t side = point == name.npos || name.size() != point + 2
                               ? std::string_view::npos
                               : std::string_view("xyz").find(name.back());
  if (side == std::string_view::npos) {
    return std::nullopt;
  }
  const HostWords vector{name.substr(0, point), place};
  const auto sides = sides_of(vector, steps);
  if (sides.size() == 1 && sides[0].words == vector.words) {
    return std::nullopt;
  }
  const Found read = parse_c_expression(side < sides.size() ? sides[side].words : "1");
  return read ? Found(resolved(*read, side < sides.size() ? sides[side].place : place, known, steps))
              : std::nullopt;
}

}  // namespace rooftile
