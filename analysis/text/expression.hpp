// Arithmetic of manifests: muParser with ceil_div(a, b), floor_div(a, b), mod(a, b), min, max and ?:.
#pragma once

#include <map>
#include <memory>
#include <string>
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
  double evaluate(const Parameters& values) const;

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
