// An expression of C, as code of the host computes a launch, and the same for a kernel.toml.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

struct CExpression {
  enum class Kind { number, name, negation, operation, call, choice };
  Kind kind = Kind::number;
  // The operator; a function; a name with its members, "grid.x"; "sizeof" of a number that is one.
  std::string word;
  double value = 0;      // of a number
  bool is_real = false;  // it is divided without being rounded
  std::vector<CExpression> parts;
  std::string text;  // as it is written, without blanks
};

// The replacement for a part of an expression, asked for the whole first, then for its parts. Empty: none.
using Meaning = std::function<std::optional<CExpression>(const CExpression&)>;
CExpression with_meanings(const CExpression& expression, const Meaning& meaning);

CExpression name_expression(const std::string& name);
CExpression number_expression(double value);

std::optional<double> value_of(const CExpression& expression);
std::vector<std::string> names_in(const CExpression& expression);
// Whole numbers are divided as C divides them.
std::string manifest_text(const CExpression& expression);
// The number of elements for a number of bytes: "n" for "n * sizeof(float)".
CExpression elements_of(const CExpression& bytes, int element_bytes);

}  // namespace rooftile
