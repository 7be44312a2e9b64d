#include "analysis/source/launch/c_expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace rooftile {
namespace {

using Kind = CExpression::Kind;

// Operators of one line bind alike; those of later lines bind more.
const std::vector<std::vector<std::string_view>> operators = {
    {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};

const std::map<std::string, int, std::less<>> type_sizes = {
    {"char", 1},        {"bool", 1},   {"int8_t", 1},  {"uint8_t", 1},  {"short", 2},    {"half", 2},
    {"__half", 2},      {"int", 4},    {"float", 4},   {"unsigned", 4}, {"uint", 4},     {"int32_t", 4},
    {"uint32_t", 4},    {"double", 8}, {"long", 8},    {"size_t", 8},   {"int64_t", 8},  {"uint64_t", 8},
    {"float2", 8},      {"int2", 8},   {"float4", 16}, {"int4", 16},    {"double2", 16}, {"__nv_bfloat16", 2},
    {"nv_bfloat16", 2}, {"half2", 4},  {"float3", 12}};

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string lower(std::string_view word) {
  std::string small(word);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

// CEIL_DIV, iDivUp, cdiv, div_round_up
bool rounds_quotient_up(std::string_view function) {
  const std::string name = lower(function);
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  return has("div") && (has("ceil") || has("up") || has("cdiv"));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<CExpression> all() {
    auto found = choice();
    skip();
    return at_ == text_.size() ? found : std::nullopt;
  }

 private:
  using Found = std::optional<CExpression>;

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
  }

  bool take(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word) {
      return false;
    }
    at_ += word.size();
    return true;
  }

  Found with_text(Found found, std::size_t begin) const {
    if (found) {
      found->text = text_.substr(begin, at_ - begin);
      std::erase_if(found->text, [](unsigned char c) { return std::isspace(c) != 0; });
    }
    return found;
  }

  Found choice() {
    skip();
    const std::size_t begin = at_;
    Found condition = operation(0);
    if (!condition || !take("?")) {
      return condition;
    }
    Found yes = choice();
    if (!yes || !take(":")) {
      return std::nullopt;
    }
    Found no = choice();
    return no ? with_text(
                    CExpression{Kind::choice, "?", 0, yes->is_real || no->is_real, {*condition, *yes, *no}, ""},
                    begin)
              : std::nullopt;
  }

  Found operation(std::size_t level) {
    if (level == operators.size()) {
      return unary();
    }
    skip();
    const std::size_t begin = at_;
    Found left = operation(level + 1);
    while (left) {
      const auto found =
          std::ranges::find_if(operators[level], [&](std::string_view word) { return take(word); });
      if (found == operators[level].end()) {
        break;
      }
      Found right = operation(level + 1);
      if (!right) {
        return std::nullopt;
      }
      const bool is_real = left->is_real || right->is_real;
      left =
          with_text(CExpression{Kind::operation, std::string(*found), 0, is_real, {*left, *right}, ""}, begin);
    }
    return left;
  }

  Found unary() {
    skip();
    const std::size_t begin = at_;
    if (take("-")) {
      Found of = unary();
      return of ? with_text(CExpression{Kind::negation, "-", 0, of->is_real, {*of}, ""}, begin) : std::nullopt;
    }
    if (take("+")) {
      return unary();
    }
    if (take("(")) {
      return with_text(in_parentheses(), begin);
    }
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      return with_text(number(), begin);
    }
    return with_text(named(), begin);
  }

  // A cast, or an expression in parentheses that have been opened.
  Found in_parentheses() {
    const std::size_t close = text_.find(')', at_);
    const std::string_view inside = text_.substr(at_, close == text_.npos ? 0 : close - at_);
    if (size_of_c_type(inside) > 0) {
      at_ = close + 1;
      return cast(inside, unary());
    }
    Found found = choice();
    return found && take(")") ? found : std::nullopt;
  }

  static Found cast(std::string_view type, Found of) {
    if (of) {
      of->is_real = type.find("float") != type.npos || type.find("double") != type.npos;
    }
    return of;
  }

  Found number() {
    double value = 0;
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    const bool hexadecimal = text_.substr(at_, 2) == "0x";
    const char* behind = begin;
    if (hexadecimal) {
      unsigned long long whole = 0;
      behind = std::from_chars(begin + 2, end, whole, 16).ptr;
      value = static_cast<double>(whole);
    } else {
      behind = std::from_chars(begin, end, value).ptr;
    }
    const std::string_view digits(begin, static_cast<std::size_t>(behind - begin));
    at_ += digits.size();
    bool is_real = !hexadecimal && digits.find_first_of(".eE") != digits.npos;
    while (at_ < text_.size() && std::string_view("uUlLfF").find(text_[at_]) != std::string_view::npos) {
      is_real |= lower(text_.substr(at_++, 1)) == "f";
    }
    return CExpression{Kind::number, "", value, is_real, {}, ""};
  }

  std::string identifier() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.' ||
                                  text_.substr(at_, 2) == "::" || text_.substr(at_, 2) == "->")) {
      at_ += text_.substr(at_, 2) == "::" || text_.substr(at_, 2) == "->" ? 2 : 1;
    }
    std::string name(text_.substr(begin, at_ - begin));
    return name.starts_with("std::") ? name.substr(5) : name;
  }

  Found named() {
    if (at_ >= text_.size() || !is_letter(text_[at_])) {
      return std::nullopt;
    }
    const std::string name = identifier();
    if (name == "sizeof" && take("(")) {
      const std::size_t close = text_.find(')', at_);
      const int size = size_of_c_type(text_.substr(at_, close == text_.npos ? 0 : close - at_));
      at_ = close == text_.npos ? text_.size() : close + 1;
      return size > 0 ? Found(CExpression{Kind::number, "sizeof", static_cast<double>(size), false, {}, ""})
                      : std::nullopt;
    }
    if (take("<")) {
      return static_cast_or_call(name);
    }
    return take("(") ? call(name) : Found(CExpression{Kind::name, name, 0, false, {}, ""});
  }

  // static_cast<int>(x), max<int>(a, b); else a comparison.
  Found static_cast_or_call(const std::string& name) {
    const std::size_t close = text_.find('>', at_);
    const std::string_view type = text_.substr(at_, close == text_.npos ? 0 : close - at_);
    if (size_of_c_type(type) == 0) {
      --at_;
      return CExpression{Kind::name, name, 0, false, {}, ""};
    }
    at_ = close + 1;
    if (!take("(")) {
      return std::nullopt;
    }
    return name == "static_cast" ? cast(type, in_parentheses()) : call(name);
  }

  Found call(const std::string& function) {
    std::vector<CExpression> parts;
    do {
      Found part = choice();
      if (!part) {
        return std::nullopt;
      }
      parts.push_back(std::move(*part));
    } while (take(","));
    return take(")") ? meant_by(function, std::move(parts)) : std::nullopt;
  }

  static Found meant_by(const std::string& function, std::vector<CExpression> parts) {
    const std::string name = lower(function);
    if (size_of_c_type(function) > 0 && parts.size() == 1) {
      return cast(function, parts[0]);
    }
    if (parts.size() == 2 && rounds_quotient_up(function)) {
      return CExpression{Kind::call, "ceil_div", 0, false, std::move(parts), ""};
    }
    if (parts.size() == 2 && (name.ends_with("min") || name.ends_with("max"))) {
      const bool is_real = parts[0].is_real || parts[1].is_real;
      return CExpression{Kind::call, name.substr(name.size() - 3), 0, is_real, std::move(parts), ""};
    }
    if (parts.size() == 1 && (name == "ceil" || name == "ceilf" || name == "floor" || name == "floorf")) {
      return rounded(name.starts_with("ceil") ? "ceil_div" : "floor_div", std::move(parts[0]));
    }
    return std::nullopt;
  }

  static CExpression rounded(const std::string& function, CExpression of) {
    const bool is_quotient = of.kind == Kind::operation && of.word == "/";
    std::vector<CExpression> parts =
        is_quotient ? std::move(of.parts) : std::vector{std::move(of), number_expression(1)};
    return {Kind::call, function, 0, true, std::move(parts), ""};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

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

int size_of_c_type(std::string_view words) {
  int size = 0;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = at;
    while (end < words.size() && (is_letter(words[end]) || is_digit(words[end]))) {
      ++end;
    }
    if (end == at) {
      if (words[at] == '*') {
        return 8;
      }
      if (words[at] != ' ' && words[at] != ':') {
        return 0;
      }
      ++at;
      continue;
    }
    const std::string_view word = words.substr(at, end - at);
    const auto known = type_sizes.find(word);
    if (known != type_sizes.end()) {
      size = std::max(size, known->second);
    } else if (word != "const" && word != "std" && word != "signed") {
      return 0;
    }
    at = end;
  }
  return size;
}

std::optional<CExpression> parse_c_expression(std::string_view text) {
  return Parser(text).all();
}

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
