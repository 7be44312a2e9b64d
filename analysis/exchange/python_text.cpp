#include "analysis/exchange/python_text.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "analysis/source/launch/parse_c_expression.hpp"

namespace rooftile {
namespace {

constexpr std::size_t most_numbers = 1000;  // of a range: a slider holds no more
constexpr std::size_t longest_text = 2000;  // of an expression: brackets are read one in the other

std::string_view without_ends(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

// The parts between the word, where no bracket is open.
std::vector<std::string_view> split_outside(std::string_view text, std::string_view word) {
  std::vector<std::string_view> parts;
  int open = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    open += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
    if (open == 0 && text.substr(at).starts_with(word)) {
      parts.push_back(text.substr(begin, at - begin));
      at += word.size() - 1;
      begin = at + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string joined_by(const std::vector<std::string>& parts, std::string_view word) {
  std::string all;
  for (const std::string& part : parts) {
    all += (all.empty() ? "" : std::string(word)) + part;
  }
  return all;
}

// "32 <= a <= 64": one comparison after the other.
std::string without_chains(std::string_view clause) {
  static const RE2 comparison(R"(<=|>=|==|!=|<|>)");
  std::vector<std::string> operators;
  std::vector<std::string_view> operands;
  int open = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < clause.size(); ++at) {
    open += clause[at] == '(' ? 1 : clause[at] == ')' ? -1 : 0;
    re2::StringPiece rest(clause.data() + at, clause.size() - at), found;
    if (open == 0 && comparison.Match(rest, 0, rest.size(), RE2::ANCHOR_START, &found, 1)) {
      operands.push_back(clause.substr(begin, at - begin));
      operators.emplace_back(found);
      at += found.size() - 1;
      begin = at + 1;
    }
  }
  operands.push_back(clause.substr(begin));
  std::vector<std::string> all;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    all.push_back(fmt::format("{} {} {}", operands[i], operators[i], operands[i + 1]));
  }
  return all.size() < 2 ? std::string(clause) : "(" + joined_by(all, " && ") + ")";
}

// "(a < b)", but not "(a) < (b)".
bool is_in_parentheses(std::string_view text) {
  int open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    open += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (open == 0) {
      return at > 0 && at + 1 == text.size();
    }
  }
  return false;
}

std::string with_c_operators(std::string_view text);

std::string clause_in_c(std::string_view clause) {
  clause = without_ends(clause);
  if (clause.starts_with("not ") || clause.starts_with("not(")) {
    return fmt::format("(({}) == 0)", with_c_operators(clause.substr(3)));
  }
  return is_in_parentheses(clause) ? "(" + with_c_operators(clause.substr(1, clause.size() - 2)) + ")"
                                   : without_chains(clause);
}

std::string with_c_operators(std::string_view text) {
  std::vector<std::string> any;
  for (const std::string_view either : split_outside(text, " or ")) {
    std::vector<std::string> all;
    for (const std::string_view both : split_outside(either, " and ")) {
      all.push_back(clause_in_c(both));
    }
    any.push_back(joined_by(all, " && "));
  }
  return joined_by(any, " || ");
}

// Powers of two, and division that rounds down.
std::string in_c(std::string_view text) {
  static const RE2 power(R"(\b2\s*\*\*\s*(\w+|\([^()]*\)))");
  std::string all = with_c_operators(text);
  RE2::GlobalReplace(&all, power, R"((1 << \1))");
  RE2::GlobalReplace(&all, "//", "/");
  return all;
}

std::optional<CExpression> read_python(std::string_view text) {
  return text.size() <= longest_text ? parse_c_expression(in_c(text)) : std::nullopt;
}

std::optional<double> number_of(std::string_view text) {
  const auto read = read_python(text);
  return read ? value_of(*read) : std::nullopt;
}

// The numbers of range(32, 129, 32), of which this is the list.
std::optional<std::vector<double>> range_of(std::string_view list) {
  std::vector<double> bounds;
  for (const std::string_view part : split_outside(list, ",")) {
    const auto bound = number_of(part);
    if (!bound) {
      return std::nullopt;
    }
    bounds.push_back(*bound);
  }
  if (bounds.size() == 1) {
    bounds.insert(bounds.begin(), 0);
  }
  const double step = bounds.size() > 2 ? bounds[2] : 1;
  if (bounds.size() > 3 || step <= 0 || (bounds[1] - bounds[0]) / step > static_cast<double>(most_numbers)) {
    return std::nullopt;
  }
  std::vector<double> numbers;
  for (double value = bounds[0]; value < bounds[1]; value += step) {
    numbers.push_back(value);
  }
  return numbers;
}

// "2**i for i in range(0, 6)"
std::optional<std::vector<double>> comprehension(const std::string& each, const std::string& name,
                                                 std::string_view list) {
  const auto read = read_python(each);
  auto numbers = range_of(list);
  if (!read || !numbers) {
    return std::nullopt;
  }
  for (double& number : *numbers) {
    const auto value = value_of(with_meanings(*read, [&](const CExpression& part) {
      return part.kind == CExpression::Kind::name && part.word == name
                 ? std::optional(number_expression(number))
                 : std::nullopt;
    }));
    if (!value) {
      return std::nullopt;
    }
    number = *value;
  }
  return numbers;
}

std::optional<std::vector<double>> one_list(std::string_view text) {
  static const RE2 range(R"((?:list\()?range\((.*?)\)\)?)"),
      for_each(R"(\[\s*(.+?)\s+for\s+(\w+)\s+in\s+range\((.*)\)\s*\])"), list(R"(\[(.*)\])");
  const std::string words(without_ends(text));
  std::string each, name, inside;
  if (RE2::FullMatch(words, range, &inside)) {
    return range_of(inside);
  }
  if (RE2::FullMatch(words, for_each, &each, &name, &inside)) {
    return comprehension(each, name, inside);
  }
  if (!RE2::FullMatch(words, list, &inside)) {
    return std::nullopt;
  }
  std::vector<double> numbers;
  for (const std::string_view part : split_outside(inside, ",")) {
    if (const auto number = number_of(part)) {
      numbers.push_back(*number);
    } else if (!without_ends(part).empty()) {
      return std::nullopt;
    }
  }
  return numbers;
}

}  // namespace

std::optional<std::string> expression_of_python(std::string_view text) {
  const auto read = read_python(text);
  return read ? std::optional(manifest_text(*read)) : std::nullopt;
}

std::optional<std::vector<double>> numbers_of_python(std::string_view text) {
  std::vector<double> all;
  for (const std::string_view part : split_outside(text, "+")) {
    const auto numbers = one_list(part);
    if (!numbers || all.size() + numbers->size() > most_numbers) {
      return std::nullopt;
    }
    all.insert(all.end(), numbers->begin(), numbers->end());
  }
  return all;
}

}  // namespace rooftile
