#include "analysis/source/launch/parse_c_expression.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace rooftile
