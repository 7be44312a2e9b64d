#include "analysis/source/launch/c_expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace rooftile {
namespace {

using Kind = CExpression::Kind;

bool is_number(const CExpression& expression, double value) {
  return expression.kind == Kind::number && expression.value == value;
}

bool same(const CExpression& a, const CExpression& b) {
  return manifest_text(a) == manifest_text(b);
}

// a of (a + b - 1) / b, (a - 1 + b) / b, (a + (b - 1)) / b with whole numbers; b may be a number.
std::optional<CExpression> rounded_up(const CExpression& dividend, const CExpression& divisor) {
  const auto is_operation = [](const CExpression& of, const char* word) {
    return of.kind == Kind::operation && of.word == word;
  };
  if (is_operation(dividend, "-") && is_number(dividend.parts[1], 1) && is_operation(dividend.parts[0], "+") &&
      same(dividend.parts[0].parts[1], divisor)) {
    return dividend.parts[0].parts[0];
  }
  if (!is_operation(dividend, "+")) {
    return std::nullopt;
  }
  const CExpression &left = dividend.parts[0], &right = dividend.parts[1];
  if (same(right, divisor) && is_operation(left, "-") && is_number(left.parts[1], 1)) {
    return left.parts[0];
  }
  const auto number = value_of(divisor), added = value_of(right);
  const bool one_less =
      (is_operation(right, "-") && is_number(right.parts[1], 1) && same(right.parts[0], divisor)) ||
      (number && added && *number == *added + 1);
  return one_less ? std::optional(left) : std::nullopt;
}

std::string operation_text(const CExpression& of);

// The text of an operand beside an operator of higher precedence: in parentheses if it needs them.
std::string operand_text(const CExpression& expression) {
  const std::string text = manifest_text(expression);
  const bool is_compound = (expression.kind == Kind::operation || expression.kind == Kind::choice) &&
                           text.find_first_of(" ") != text.npos && !text.starts_with("ceil_div(") &&
                           !text.starts_with("floor_div(") && !text.starts_with("mod(");
  return is_compound ? "(" + text + ")" : text;
}

std::string operation_text(const CExpression& of) {
  const CExpression &left = of.parts[0], &right = of.parts[1];
  if (of.word == "/" && !of.is_real) {
    const auto up = rounded_up(left, right);
    return fmt::format("{}({}, {})", up ? "ceil_div" : "floor_div", manifest_text(up.value_or(left)),
                       manifest_text(right));
  }
  if (of.word == "%") {
    return fmt::format("mod({}, {})", manifest_text(left), manifest_text(right));
  }
  if (of.word == "<<") {
    return fmt::format("{} * 2^{}", operand_text(left), operand_text(right));
  }
  if (of.word == ">>") {
    return fmt::format("floor_div({}, 2^{})", manifest_text(left), operand_text(right));
  }
  return fmt::format("{} {} {}", operand_text(left), of.word, operand_text(right));
}

std::optional<double> operation_value(const CExpression& of, double left, double right) {
  if ((of.word == "/" || of.word == "%") && right == 0) {
    return std::nullopt;
  }
  const std::map<std::string_view, double> values = {
      {"+", left + right},
      {"-", left - right},
      {"*", left * right},
      {"/", of.is_real ? left / right : std::trunc(left / right)},
      {"%", std::fmod(left, right)},
      {"<<", left * std::exp2(right)},
      {">>", std::floor(left / std::exp2(right))},
      {"<", left < right},
      {">", left > right},
      {"<=", left <= right},
      {">=", left >= right},
      {"==", left == right},
      {"!=", left != right},
      {"&&", left != 0 && right != 0},
      {"||", left != 0 || right != 0},
  };
  return values.at(of.word);
}

std::optional<double> call_value(const std::string& function, double left, double right) {
  return function == "min"         ? std::optional(std::min(left, right))
         : function == "max"       ? std::max(left, right)
         : right == 0              ? std::nullopt
         : function == "ceil_div"  ? std::optional(std::ceil(left / right))
         : function == "floor_div" ? std::optional(std::floor(left / right))
                                   : std::nullopt;
}

}  // namespace

CExpression with_meanings(const CExpression& expression, const Meaning& meaning) {
  if (auto meant = meaning(expression)) {
    meant->is_real |= expression.is_real;
    return *meant;
  }
  CExpression changed = expression;
  for (CExpression& part : changed.parts) {
    part = with_meanings(part, meaning);
  }
  return changed;
}

CExpression name_expression(const std::string& name) {
  return {Kind::name, name, 0, false, {}, name};
}

CExpression number_expression(double value) {
  return {Kind::number, "", value, false, {}, fmt::format("{}", value)};
}

std::optional<double> value_of(const CExpression& expression) {
  if (expression.kind == Kind::number) {
    return expression.value;
  }
  std::vector<double> values;
  for (const CExpression& part : expression.parts) {
    const auto value = value_of(part);
    if (!value) {
      return std::nullopt;
    }
    values.push_back(*value);
  }
  switch (expression.kind) {
    case Kind::negation:
      return -values[0];
    case Kind::operation:
      return operation_value(expression, values[0], values[1]);
    case Kind::choice:
      return values[0] != 0 ? values[1] : values[2];
    case Kind::call:
      return call_value(expression.word, values[0], values[1]);
    default:
      return std::nullopt;
  }
}

std::vector<std::string> names_in(const CExpression& expression) {
  std::vector<std::string> names;
  if (expression.kind == Kind::name) {
    names.push_back(expression.word);
  }
  for (const CExpression& part : expression.parts) {
    std::ranges::move(names_in(part), std::back_inserter(names));
  }
  return names;
}

std::string manifest_text(const CExpression& expression) {
  if (const auto value = value_of(expression)) {
    return fmt::format("{}", *value);
  }
  switch (expression.kind) {
    case Kind::negation:
      return "-" + operand_text(expression.parts[0]);
    case Kind::operation:
      return operation_text(expression);
    case Kind::choice:
      return fmt::format("{} ? {} : {}", operand_text(expression.parts[0]), operand_text(expression.parts[1]),
                         operand_text(expression.parts[2]));
    case Kind::call:
      return fmt::format("{}({}, {})", expression.word, manifest_text(expression.parts[0]),
                         manifest_text(expression.parts[1]));
    default:
      return expression.word;
  }
}

CExpression elements_of(const CExpression& bytes, int element_bytes) {
  if (element_bytes == 1) {
    return bytes;
  }
  if (bytes.kind == Kind::operation && bytes.word == "*") {
    for (const std::size_t i : {1, 0}) {
      if (is_number(bytes.parts[i], element_bytes)) {
        return bytes.parts[1 - i];
      }
    }
    for (const std::size_t i : {0, 1}) {
      const CExpression inner = elements_of(bytes.parts[i], element_bytes);
      if (inner.word != "ceil_div" && bytes.parts[i].kind == Kind::operation) {
        CExpression changed = bytes;
        changed.parts[i] = inner;
        return changed;
      }
    }
  }
  return {Kind::call, "ceil_div", 0, false, {bytes, number_expression(element_bytes)}, ""};
}

}  // namespace rooftile
