#include "analysis/record/program/meant_names.hpp"

#include <fmt/format.h>

#include "analysis/text/error.hpp"

namespace rooftile {

void expect_expression(const std::string& text) {
  if (const RE2 expression(text, RE2::Quiet); !expression.ok()) {
    throw Error(fmt::format("\"{}\" is no regular expression: {}.", text, expression.error()));
  }
}

std::string expression_of(const std::string& name) {
  return "^" + RE2::QuoteMeta(name) + "$";
}

bool MeantNames::answer(std::string_view question) const {
  const auto is_found = [&](std::string_view kind, const RE2& expression) {
    return question.starts_with(kind) &&
           RE2::PartialMatch(re2::StringPiece(question.data() + kind.size(), question.size() - kind.size()),
                             expression);
  };
  return is_found(kernel_question, kernel_) || is_found(range_question, range_);
}

}  // namespace rooftile
