#include "analysis/text/expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

// Characters. A bundled one has 300; the parser's time grows with the square.
constexpr std::size_t longest_text = 2'000;

double floor_quotient(double a, double b) {
  return std::floor(a / b);
}
double ceil_div(double a, double b) {
  return std::ceil(a / b);
}
double mod(double a, double b) {
  return a - b * floor_quotient(a, b);
}

[[noreturn]] void fail(const std::string& text, std::size_t position, const std::string& why) {
  throw Error(fmt::format("the expression \"{}\" cannot be read at column {}: {}", text, position + 1, why));
}

// muParser takes "TILE = 4" for an assignment and "1, 2" for two results; neither is meant in a manifest.
void refuse_assignment(const std::string& text) {
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    if (at + 1 < text.size() && text[at + 1] == '=') {
      ++at;
    } else if (at == 0 || std::string("<>!").find(text[at - 1]) == std::string::npos) {
      fail(text, at, "a single = compares nothing, write ==");
    }
  }
}

bool is_called(const std::string& text, std::size_t end_of_name) {
  const std::size_t next = text.find_first_not_of(' ', end_of_name);
  return next != std::string::npos && text[next] == '(';
}

// The known names for an unknown one: functions where it is called, else values.
std::string known_instead(const mu::ParserError& error, const mu::Parser& parser, const std::string& text,
                          const std::vector<std::string>& known_names) {
  if (!is_called(text, static_cast<std::size_t>(error.GetPos()) + error.GetToken().size())) {
    return known_names.empty() ? "numbers only" : fmt::format("{}", fmt::join(known_names, ", "));
  }
  std::vector<std::string> functions;
  for (const auto& [name, function] : parser.GetFunDef()) {
    functions.push_back(name);
  }
  return fmt::format("the functions {}", fmt::join(functions, ", "));
}

std::string reason(const mu::ParserError& error, const mu::Parser& parser, const std::string& text,
                   const std::vector<std::string>& known_names) {
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
    return fmt::format("\"{}\" is unknown here; known are {}", error.GetToken(),
                       known_instead(error, parser, text, known_names));
  }
  if (error.GetCode() == mu::ecMISSING_PARENS) {
    return "a parenthesis is not closed";
  }
  if (error.GetCode() == mu::ecUNEXPECTED_EOF || error.GetCode() == mu::ecEMPTY_EXPRESSION) {
    return "it ends too early";
  }
  return error.GetToken().empty() ? error.GetMsg() : fmt::format("unexpected \"{}\"", error.GetToken());
}

// Copying a parser takes less time than defining its functions anew.
const mu::Parser& with_our_functions() {
  static const mu::Parser made = [] {
    mu::Parser parser;
    parser.ClearConst();
    parser.DefineFun("ceil_div", ceil_div);
    parser.DefineFun("floor_div", floor_quotient);
    parser.DefineFun("mod", mod);
    return parser;
  }();
  return made;
}

}  // namespace

struct Expression::Compiled {
  mu::Parser parser = with_our_functions();
  Parameters variables;  // the parser points to them; nodes of a map stay where they are
};

// Parsed as it was written first, so that messages quote that text.
Expression::Expression(std::string text, const std::vector<std::string>& known_names, const Substitutes& lets)
    : text_(std::move(text)) {
  std::vector<std::string> names = known_names;
  Substitutes in_parentheses;
  for (const auto& [name, formula] : lets) {
    names.push_back(name);
    in_parentheses[name] = "(" + formula + ")";
  }
  compiled_ = compiled(text_, names);
  full_text_ = substituted(text_, in_parentheses, longest_text);
  if (full_text_ != text_) {
    compiled_ = compiled(full_text_, known_names);
  }
}

std::shared_ptr<Expression::Compiled> Expression::compiled(const std::string& text,
                                                           const std::vector<std::string>& known_names) {
  if (text.size() > longest_text) {
    throw Error(fmt::format("an expression of {} characters is longer than the {} that are read", text.size(),
                            longest_text));
  }
  refuse_assignment(text);
  auto made = std::make_shared<Compiled>();
  mu::Parser& parser = made->parser;
  const auto mentioned = names_in(text);
  try {
    for (const std::string& name : known_names) {
      if (mentioned.contains(name)) {
        parser.DefineVar(name, &made->variables[name]);
      }
    }
    parser.SetExpr(text);
    parser.Eval();
  } catch (const mu::ParserError& error) {
    const auto position = static_cast<std::size_t>(std::max(error.GetPos(), 0));
    fail(text, std::min(position, text.size()), reason(error, parser, text, known_names));
  }
  if (parser.GetNumResults() != 1) {
    fail(text, text.find(','), "expected one result");
  }
  return made;
}

double Expression::evaluate(const Parameters& values) const {
  if (!compiled_) {
    return 0;
  }
  for (auto& [name, variable] : compiled_->variables) {
    const auto value = values.find(name);
    if (value == values.end()) {
      throw Error(fmt::format("the expression \"{}\" needs a value of {}", text_, name));
    }
    variable = value->second;
  }
  const double result = compiled_->parser.Eval();
  if (!std::isfinite(result)) {
    throw Error(fmt::format("the expression \"{}\" has no finite value here", text_));
  }
  return result;
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  if (compiled_) {
    for (const auto& [name, variable] : compiled_->variables) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace rooftile
