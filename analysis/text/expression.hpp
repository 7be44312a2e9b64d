// Arithmetic of manifests: muParser with ceil_div(a, b), floor_div(a, b), mod(a, b), min, max and ?:, and
//   sectors(bytes, request, stride)
//     the 32-byte sectors that a row of so many bytes costs when each warp instruction moves `request` bytes of
//     it, on average over rows that start `stride` bytes apart;
//   vector_sectors(bytes, request, stride, width)
//     the same where lanes move `width` bytes at once if rows start at multiples of it, and else float by
//     float.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/text/substituted.hpp"

namespace rooftile {

using Parameters = std::map<std::string, double>;

// An expression over named values, parsed once when it is built. Copies share the parsed form, so only
// one thread at a time may evaluate it or a copy. Throws Error with the text and the position when it cannot be
// parsed or names an unknown value. lets: names that stand for other expressions.
class Expression {
 public:
  Expression() = default;
  Expression(std::string text, const std::vector<std::string>& known_names, const Substitutes& lets = {});
  // Throws Error when a value is missing or the result is not a finite number.
  double evaluate(const Parameters& values) const { return over(values).evaluate(); }

  // The expression over values that may change between evaluations, while their addresses stay: looking up the
  // values takes most of the time, so it is done once.
  class Bound {
   public:
    double evaluate() const;  // throws Error when the result is not a finite number
    const std::string& text() const { return expression_->text(); }

   private:
    friend class Expression;
    explicit Bound(const Expression& expression) : expression_(&expression) {}
    const Expression* expression_;
    std::vector<std::pair<double*, const double*>> variables_;  // the parser's, and whose value each takes
  };
  // Throws Error when a value is missing. The expression and the values must outlive it.
  Bound over(const Parameters& values) const;

  const std::string& text() const { return text_; }            // as it was written
  const std::string& full_text() const { return full_text_; }  // with what its lets stand for
  bool operator==(const Expression& other) const { return full_text_ == other.full_text_; }
  // The values it really uses, sorted.
  std::vector<std::string> names() const;

 private:
  struct Compiled;
  static std::shared_ptr<Compiled> compiled(const std::string& text,
                                            const std::vector<std::string>& known_names);
  std::string text_ = "0", full_text_ = "0";
  std::shared_ptr<Compiled> compiled_;
};

}  // namespace rooftile
