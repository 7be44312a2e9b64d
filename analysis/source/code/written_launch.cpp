#include "analysis/source/code/written_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

constexpr int most_steps = 12;  // from a name to what it stands for

struct Span {
  std::size_t begin = 0, end = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  return text.substr(begin, end == text.npos ? 0 : end + 1 - begin);
}

std::string without_space(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](unsigned char c) { return std::isspace(c) != 0; });
  return plain;
}

// "a, f(b, c)": two parts.
std::vector<std::string_view> arguments_of(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(list.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  return trimmed(list).empty() ? std::vector<std::string_view>{} : parts;
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The kernel's name before "<<<", with its template arguments: where it begins.
std::size_t name_begin(std::string_view text, std::size_t launch) {
  std::size_t at = text.find_last_not_of(" \t\r\n", launch - 1);
  if (at != text.npos && text[at] == '>') {
    int depth = 0;
    for (; at > 0; --at) {
      depth += text[at] == '>' ? 1 : text[at] == '<' ? -1 : 0;
      if (depth == 0) {
        break;
      }
    }
    at = at > 0 ? text.find_last_not_of(" \t\r\n", at - 1) : 0;
  }
  while (at != text.npos && at > 0 && (is_part_of_name(text[at - 1]) || text[at - 1] == ':')) {
    --at;
  }
  return at == text.npos ? launch : at;
}

// A launch as its text has it.
struct Written {
  std::size_t place = 0;
  std::string kernel;
  std::vector<std::string_view> settings;                  // grid, block, shared bytes, stream
  std::optional<std::vector<std::string_view>> arguments;  // empty: an array holds them
  bool is_cooperative = false;
};

std::vector<Written> all_written(std::string_view text) {
  std::vector<Written> all;
  for (std::size_t at = text.find("<<<"); at != text.npos; at = text.find("<<<", at + 3)) {
    const std::size_t end = text.find(">>>", at);
    const std::size_t open = end == text.npos ? end : text.find_first_not_of(" \t\r\n", end + 3);
    if (open == text.npos || text[open] != '(' || at == 0) {
      continue;
    }
    const std::size_t begin = name_begin(text, at);
    all.push_back({at, std::string(trimmed(text.substr(begin, at - begin))),
                   arguments_of(text.substr(at + 3, end - at - 3)),
                   arguments_of(text.substr(open + 1, closing(text, open) - open - 1)), false});
  }
  for (const char* call : {"cudaLaunchCooperativeKernel", "cudaLaunchKernel"}) {
    for (std::size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
      const std::size_t open = text.find('(', at);
      const auto words = open == text.npos
                             ? std::vector<std::string_view>{}
                             : arguments_of(text.substr(open + 1, closing(text, open) - open - 1));
      if (words.size() >= 4 && text.find_first_not_of(" ", at + std::string_view(call).size()) == open) {
        std::string_view kernel = words[0].substr(std::min(words[0].rfind(')') + 1, words[0].size()));
        kernel.remove_prefix(kernel.starts_with('&') ? 1 : 0);
        std::vector<std::string_view> settings = {words[1], words[2]};
        if (words.size() > 4) {
          settings.push_back(words[4]);
        }
        all.push_back({at, std::string(trimmed(kernel)), settings, std::nullopt,
                       std::string_view(call) == "cudaLaunchCooperativeKernel"});
      }
    }
  }
  std::ranges::sort(all, {}, &Written::place);
  return all;
}

// A function of the host, from its head on.
struct Function {
  Span head, body;
  std::string name;
  std::vector<std::string> parameters;
};

std::vector<Function> functions_in(std::string_view text) {
  std::vector<Function> functions;
  std::size_t head = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ';' || text[at] == '}') {
      head = at + 1;
    } else if (text[at] == '{') {
      const std::size_t open = text.find('(', head);
      const auto words = identifiers(text.substr(head, at - head));
      const bool is_scope = std::ranges::any_of(words, [](std::string_view word) {
        return word == "namespace" || word == "class" || word == "struct" || word == "extern";
      });
      if (open < at) {
        const std::size_t close = closing(text, open);
        Function function{{head, at}, {at, closing(text, at)}, "", {}};
        const auto names = identifiers(text.substr(head, open - head));
        function.name = names.empty() ? "" : names.back();
        for (const std::string_view part : arguments_of(text.substr(open + 1, close - open - 1))) {
          const auto parameter = identifiers(part.substr(0, part.find('=')));
          function.parameters.emplace_back(parameter.empty() ? "" : parameter.back());
        }
        at = function.body.end;
        functions.push_back(std::move(function));
      } else if (!is_scope) {
        at = closing(text, at);
      }
      head = at + 1;
    }
  }
  return functions;
}

class LaunchReader {
 public:
  LaunchReader(std::string_view code, const SourceKernel& kernel, std::vector<std::string> names,
               const std::vector<SourceMacro>& dials)
      : code_(masked(code)),
        kernel_(kernel),
        names_(std::move(names)),
        template_(template_parameters(code, kernel.name)),
        functions_(functions_in(code_.text)) {
    std::ranges::transform(dials, std::inserter(dials_, dials_.end()), &SourceMacro::name);
    for (const Directive& directive : code_.directives) {
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

  std::optional<WrittenLaunch> read() {
    const auto all = all_written(code_.text);
    auto found = std::ranges::find_if(all, [&](const Written& each) {
      return without_space(instance_of(each).value_or("")) == without_space(kernel_.name);
    });
    const bool is_instance = found != all.end();
    if (!is_instance) {
      found = std::ranges::find_if(
          all, [&](const Written& each) { return base_name(each.kernel) == base_name(kernel_.name); });
    }
    if (found == all.end()) {
      return std::nullopt;
    }
    launch_.line =
        1 + static_cast<int>(std::count(code_.text.begin(),
                                        code_.text.begin() + static_cast<std::ptrdiff_t>(found->place), '\n'));
    launch_.kernel = kernel_.name;
    launch_.is_cooperative = found->is_cooperative;
    learn_arguments(*found);
    if (is_instance) {
      learn_template(*found);
    }
    launch_.grid = sides(found->settings, 0, found->place);
    launch_.block = sides(found->settings, 1, found->place);
    if (found->settings.size() > 2 && found->settings[2] != "0") {
      launch_.shared_bytes = expression(found->settings[2], found->place).value_or("");
    }
    return std::move(launch_);
  }

  // The instances of templates, with values in place of the host's names; without those that name what the
  // source does not fix.
  std::vector<std::string> instances() const {
    std::vector<std::string> all;
    for (const Written& each : all_written(code_.text)) {
      const auto instance = instance_of(each);
      if (instance && std::ranges::find(all, *instance) == all.end()) {
        all.push_back(*instance);
      }
    }
    return all;
  }

 private:
  using Found = std::optional<CExpression>;

  std::optional<std::string> instance_of(const Written& written) const {
    const std::size_t open = written.kernel.find('<');
    if (open == std::string::npos) {
      return std::nullopt;
    }
    std::vector<std::string> arguments;
    const std::string_view list =
        std::string_view(written.kernel).substr(open + 1, written.kernel.rfind('>') - open - 1);
    for (const std::string_view argument : arguments_of(list)) {
      const Found read = parse_c_expression(argument);
      const auto value = read ? value_of(resolved(*read, written.place, most_steps)) : std::nullopt;
      if (!value && !is_concrete(argument)) {
        return std::nullopt;
      }
      arguments.push_back(value ? fmt::format("{}", *value) : std::string(argument));
    }
    return fmt::format("{}<{}>", trimmed(std::string_view(written.kernel).substr(0, open)),
                       fmt::join(arguments, ", "));
  }

  // A type that everybody knows, true or false.
  static bool is_concrete(std::string_view argument) {
    return argument == "true" || argument == "false" || size_of_c_type(argument) > 0;
  }

  const Function* function_at(std::size_t place) const {
    const auto found = std::ranges::find_if(
        functions_, [&](const Function& each) { return each.head.begin <= place && place < each.body.end; });
    return found == functions_.end() ? nullptr : &*found;
  }

  // Which of the host's names stand for the kernel's parameters, and what the source sets these to.
  void learn_arguments(const Written& written) {
    if (written.arguments && written.arguments->size() != names_.size()) {
      return;
    }
    std::map<std::string, std::string> parameters;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (kernel_.types[i].ends_with('*')) {
        continue;
      }
      const std::string argument = written.arguments ? without_space((*written.arguments)[i]) : names_[i];
      const Found read = parse_c_expression(argument);
      const Found known = read ? std::optional(resolved(*read, written.place, most_steps)) : std::nullopt;
      if (const auto value = known ? value_of(*known) : std::nullopt) {
        launch_.values[names_[i]] = *value;
      }
      if (read && !names_in(*read).empty()) {
        parameters.emplace(argument, names_[i]);
      }
    }
    parameters_ = std::move(parameters);
    for (std::size_t i = 0; i < names_.size() && written.arguments; ++i) {
      if (kernel_.types[i].ends_with('*')) {
        learn_count(names_[i], without_space((*written.arguments)[i]), written.place);
      }
    }
  }

  // reduce<float, tile> makes the template's own name for tile, TILE, a dial. Grid and block follow it.
  void learn_template(const Written& written) {
    const std::size_t open = written.kernel.find('<');
    const std::string_view list =
        std::string_view(written.kernel).substr(open + 1, written.kernel.rfind('>') - open - 1);
    const auto arguments = arguments_of(list);
    std::vector<std::string> named;
    std::map<std::string, std::string> dials;
    const auto of_launch = std::exchange(parameters_, {});  // a value may rest on what the kernel is given
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string declared = i < template_.size() ? template_[i].substr(0, template_[i].find('=')) : "";
      const auto words = identifiers(declared);
      const Found read = parse_c_expression(arguments[i]);
      const auto value = read ? value_of(resolved(*read, written.place, most_steps)) : std::nullopt;
      const bool is_dial = value && read->kind == CExpression::Kind::name && words.size() > 1 &&
                           words[0] != "bool" && !macros_.contains(words.back()) &&
                           !is_known(std::string(words.back())) && !is_name_of_manifests(words.back());
      if (is_dial) {
        launch_.template_dials.push_back({std::string(words.back()), *value});
        dials[read->text] = words.back();
      }
      named.push_back(is_dial ? std::string(words.back())
                      : value ? fmt::format("{}", *value)
                              : std::string(arguments[i]));
    }
    parameters_ = std::move(dials);
    parameters_.insert(of_launch.begin(), of_launch.end());
    launch_.kernel =
        fmt::format("{}<{}>", kernel_.name.substr(0, kernel_.name.find('<')), fmt::join(named, ", "));
  }

  // Reads the number of elements from cudaMalloc((void**)&in, bytes).
  void learn_count(const std::string& buffer, std::string host, std::size_t place) {
    for (int step = 0; step < most_steps; ++step) {
      for (std::size_t at = code_.text.find("cudaMalloc"); at != std::string::npos;
           at = code_.text.find("cudaMalloc", at + 1)) {
        const std::size_t open = code_.text.find('(', at);
        const auto words =
            open == std::string::npos
                ? std::vector<std::string_view>{}
                : arguments_of(
                      std::string_view(code_.text).substr(open + 1, closing(code_.text, open) - open - 1));
        const bool is_host =
            words.size() >= 2 && !identifiers(words[0]).empty() && identifiers(words[0]).back() == host;
        if (!is_host) {
          continue;
        }
        if (const auto bytes = parse_c_expression(words[1])) {
          keep_count(buffer, resolved(*bytes, at, most_steps));
          return;
        }
      }
      const auto caller = argument_of_caller(host, place);
      if (!caller) {
        return;
      }
      host = without_space(caller->first);
      place = caller->second;
    }
  }

  void keep_count(const std::string& buffer, const CExpression& bytes) {
    const bool is_free =
        std::ranges::any_of(names_in(bytes), [&](const std::string& name) { return !is_known(name); });
    if (!is_free) {
      launch_.bytes.emplace(buffer, bytes);
    }
  }

  // "x" of "grid(x, y)".
  std::vector<std::string> sides(const std::vector<std::string_view>& settings, std::size_t which,
                                 std::size_t place) {
    if (settings.size() <= which) {
      return {};
    }
    std::vector<std::string> sides;
    for (const std::string& side : vector_of(std::string(settings[which]), place, most_steps)) {
      const auto text = expression(side, place);
      if (!text) {
        return {};
      }
      sides.push_back(*text);
    }
    while (sides.size() > 1 && sides.back() == "1") {
      sides.pop_back();
    }
    return sides;
  }

  // The sides of a dim3: of its constructor, or of the variable that is one; else the text itself.
  std::vector<std::string> vector_of(const std::string& text, std::size_t& place, int steps) const {
    if (text.starts_with("dim3") && text.size() > 4 && text.find_first_of("({") != text.npos) {
      const std::size_t open = text.find_first_of("({");
      std::vector<std::string> sides;
      for (const std::string_view side : arguments_of(
               std::string_view(text).substr(open + 1, text.rfind(text[open] == '(' ? ')' : '}') - open - 1))) {
        sides.emplace_back(side);
      }
      return sides;
    }
    const auto words = identifiers(text);
    if (steps > 0 && words.size() == 1 && words[0] == text) {
      if (const auto found = definitions(text, place); !found.empty()) {
        const auto& [sides, where] = found.front();
        std::size_t there = where;
        auto further = sides.size() == 1 ? vector_of(sides[0], there, steps - 1) : sides;
        if (further != sides || sides.size() > 1 || is_vector_at(text, where)) {
          place = there;
          return further;
        }
      }
      if (const auto caller = argument_of_caller(text, place)) {
        std::size_t there = caller->second;
        const auto further = vector_of(std::string(caller->first), there, steps - 1);
        if (further.size() > 1) {
          place = there;
          return further;
        }
      }
    }
    return {text};
  }

  // "dim3 NAME(...)" rather than a number.
  bool is_vector_at(const std::string& name, std::size_t place) const {
    const std::string_view before = std::string_view(code_.text).substr(0, place);
    const auto words = identifiers(before.substr(before.find_last_of(";{}") + 1));
    return std::ranges::find(words, "dim3") != words.end() && !name.empty();
  }

  using Definitions = std::vector<std::pair<std::vector<std::string>, std::size_t>>;

  // The values that a name is given before a place, the latest first: "name = 3", "name(3, 4)", "name{3}".
  Definitions definitions(const std::string& name, std::size_t place) const {
    Definitions all;
    const Function* const function = function_at(place);
    const Span span = function != nullptr ? Span{function->head.begin, place} : Span{0, place};
    add_definitions(name, span, false, all);
    if (function != nullptr && all.empty()) {
      add_definitions(name, {0, code_.text.size()}, true, all);
    }
    return all;
  }

  void add_definitions(const std::string& name, Span span, bool outside_functions, Definitions& all) const {
    const std::string_view text = code_.text;
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
      if (text[next] == '=' && text.substr(next, 2) != "==") {
        all.push_back({{std::string(value_at(next + 1))}, at});
      } else if ((text[next] == '(' || text[next] == '{') && follows_type(at)) {
        std::vector<std::string> sides;
        for (const std::string_view side :
             arguments_of(text.substr(next + 1, closing(text, next) - next - 1))) {
          sides.emplace_back(side);
        }
        all.push_back({sides, at});
      }
    }
  }

  // "dim3 grid(", "int n(", ", b(" after such.
  bool follows_type(std::size_t at) const {
    const std::string_view before = std::string_view(code_.text).substr(0, at);
    const auto words = identifiers(before.substr(before.find_last_of(";{}") + 1));
    return std::ranges::any_of(words, [](std::string_view word) {
      return word == "dim3" || word == "int" || word == "unsigned" || word == "size_t" || word == "uint";
    });
  }

  // Up to the comma, bracket or semicolon that ends it.
  std::string_view value_at(std::size_t begin) const {
    const std::string_view text = code_.text;
    std::size_t at = begin;
    for (; at < text.size() && text[at] != ';' && text[at] != ',' && text[at] != ')' && text[at] != '}'; ++at) {
      if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
        at = closing(text, at);
      }
    }
    return trimmed(text.substr(begin, at - begin));
  }

  // The argument for parameter `name` in the first call of the function around `place`.
  std::optional<std::pair<std::string_view, std::size_t>> argument_of_caller(const std::string& name,
                                                                             std::size_t place) const {
    const Function* const function = function_at(place);
    if (function == nullptr) {
      return std::nullopt;
    }
    const auto parameter = std::ranges::find(function->parameters, name);
    if (parameter == function->parameters.end()) {
      return std::nullopt;
    }
    const auto index = static_cast<std::size_t>(parameter - function->parameters.begin());
    const std::string_view text = code_.text;
    for (std::size_t at = text.find(function->name); at != text.npos; at = text.find(function->name, at + 1)) {
      const std::size_t behind = at + function->name.size();
      const std::size_t open = std::min(text.find_first_not_of(" \t\r\n", behind), text.size() - 1);
      const Function* const caller = function_at(at);
      if (text[open] != '(' || (at > 0 && is_part_of_name(text[at - 1])) || caller == nullptr ||
          caller == function || at < caller->body.begin) {
        continue;
      }
      const auto arguments = arguments_of(text.substr(open + 1, closing(text, open) - open - 1));
      if (index < arguments.size()) {
        return std::pair(arguments[index], at);
      }
    }
    return std::nullopt;
  }

  bool is_known(const std::string& name) const {
    return name == "sms" || dials_.contains(name) || std::ranges::find(names_, name) != names_.end() ||
           std::ranges::find(launch_.template_dials, name, &SourceMacro::name) != launch_.template_dials.end();
  }

  // With what its names stand for, as far as the source says.
  CExpression resolved(const CExpression& expression, std::size_t place, int steps) const {
    return with_meanings(expression, [&](const CExpression& part) -> Found {
      if (const auto parameter = parameters_.find(part.text); parameter != parameters_.end()) {
        return name_expression(parameter->second);
      }
      if (part.kind != CExpression::Kind::name) {
        return std::nullopt;
      }
      if (part.word.ends_with("multiProcessorCount")) {
        return name_expression("sms");
      }
      if (dials_.contains(part.word)) {
        return part;
      }
      return steps > 0 ? meaning_of(part.word, place, steps - 1) : std::nullopt;
    });
  }

  Found meaning_of(const std::string& name, std::size_t place, int steps) const {
    if (const auto macro = macros_.find(name); macro != macros_.end()) {
      const Found read = parse_c_expression(macro->second);
      return read ? Found(resolved(*read, place, steps)) : std::nullopt;
    }
    const std::size_t point = name.rfind('.');
    const int side =
        point == name.npos ? -1 : static_cast<int>(std::string_view("xyz").find(name.substr(point + 1)));
    for (const auto& [values, where] : definitions(name, place)) {
      if (values.size() == 1 && values[0] == "0" && code_.text.find("&" + name) != std::string::npos) {
        return std::nullopt;  // a function of CUDA sets it
      }
      if (const Found read = values.size() == 1 ? parse_c_expression(values[0]) : std::nullopt) {
        return resolved(*read, where, steps);
      }
    }
    if (side >= 0 && side < 3 && name.size() == point + 2) {
      std::size_t where = place;
      const auto sides = vector_of(name.substr(0, point), where, steps);
      const std::string text =
          static_cast<std::size_t>(side) < sides.size() ? sides[static_cast<std::size_t>(side)] : "1";
      const Found read =
          sides.size() == 1 && sides[0] == name.substr(0, point) ? std::nullopt : parse_c_expression(text);
      return read ? Found(resolved(*read, where, steps)) : std::nullopt;
    }
    if (const auto caller = argument_of_caller(name, place)) {
      const Found read = parse_c_expression(caller->first);
      return read ? Found(resolved(*read, caller->second, steps)) : std::nullopt;
    }
    return std::nullopt;
  }

  // Something that is no arithmetic, "properties.maxGridSize[1]", has its own words as a name.
  static Found expression_or_name(std::string_view text) {
    constexpr std::size_t longest = 40;
    if (const Found read = parse_c_expression(text)) {
      return read;
    }
    std::string name;
    for (const char c : text) {
      name += is_part_of_name(c) ? std::string(1, c) : name.empty() || name.back() == '_' ? "" : "_";
    }
    name = name.substr(0, name.find_last_not_of('_') + 1);
    const bool is_name =
        !name.empty() && name.size() <= longest && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
    return is_name ? Found(name_expression(name)) : std::nullopt;
  }

  // The expression for kernel.toml. A value that the source does not fix gets a name.
  std::optional<std::string> expression(std::string_view text, std::size_t place) {
    const Found read = expression_or_name(text);
    if (!read) {
      return std::nullopt;
    }
    const CExpression known =
        with_meanings(resolved(*read, place, most_steps), [&](const CExpression& part) -> Found {
          if (part.kind != CExpression::Kind::name || is_known(part.word)) {
            return std::nullopt;
          }
          std::string name = part.word;
          std::ranges::replace_if(
              name, [](char c) { return !is_part_of_name(c); }, '_');
          name += is_name_of_manifests(name) ? "_" : "";
          if (std::ranges::find(launch_.free, name) == launch_.free.end()) {
            launch_.free.push_back(name);
          }
          return name_expression(name);
        });
    return manifest_text(known);
  }

  MaskedCode code_;
  SourceKernel kernel_;
  std::vector<std::string> names_;     // of the kernel's parameters
  std::vector<std::string> template_;  // parameters of the template that it is an instance of
  std::vector<Function> functions_;
  std::set<std::string, std::less<>> dials_;
  std::map<std::string, std::string, std::less<>> macros_;
  std::map<std::string, std::string> parameters_;  // of the kernel, by what the host gives
  WrittenLaunch launch_;
};

}  // namespace

std::vector<std::string> instances_to_offer(std::string_view code) {
  const std::vector<std::string> launched = LaunchReader(code, {}, {}, {}).instances();
  std::vector<std::string> offered;
  for (const std::string& guess : template_instances(code)) {
    const std::size_t before = offered.size();
    std::ranges::copy_if(launched, std::back_inserter(offered),
                         [&](const std::string& instance) { return base_name(instance) == base_name(guess); });
    if (offered.size() == before) {
      offered.push_back(guess);
    }
  }
  std::ranges::stable_partition(offered,
                                [&](const std::string& instance) { return is_launched(code, instance); });
  return offered;
}

bool is_launched(std::string_view code, const std::string& kernel) {
  const MaskedCode text = masked(code);
  return std::ranges::any_of(all_written(text.text),
                             [&](const Written& each) { return base_name(each.kernel) == base_name(kernel); });
}

bool is_name_of_manifests(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {"tx",    "ty",     "tz",      "lane", "warp",
                                                     "warps", "blocks", "threads", "sms"};
  return std::ranges::find(names, name) != names.end();
}

std::optional<WrittenLaunch> written_launch(std::string_view code, const SourceKernel& kernel,
                                            const std::vector<std::string>& names,
                                            const std::vector<SourceMacro>& dials) {
  return LaunchReader(code, kernel, names, dials).read();
}

}  // namespace rooftile
