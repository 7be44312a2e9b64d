// Arithmetic of manifests: muParser with ceil_div(a, b), floor_div(a, b), mod(a, b), min, max and ?:.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rooftile {

using Parameters = std::map<std::string, double>;

// An expression over named values, checked when it is built.
// Throws Error with the text and the position when it cannot be parsed or names an unknown value.
class Expression {
 public:
  Expression() = default;
  Expression(std::string text, const std::vector<std::string>& known_names);
  double evaluate(const Parameters& values) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_ = "0";
};

}  // namespace rooftile
