#include "analysis/source/kernels/kernel_guards.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

// The macros that "#ifdef A" or "#if defined(A) && B" asks for; empty for any other condition.
std::vector<std::string> asked_by(const std::string& directive) {
  static const RE2 guard(
      R"(#\s*(?:ifdef\s+\w+|if\s+(?:defined\s*\(?\s*)?[A-Za-z_]\w*\s*\)?(?:\s*&&\s*(?:defined\s*\(?\s*)?[A-Za-z_]\w*\s*\)?)*)\s*)");
  std::vector<std::string> names;
  if (RE2::FullMatch(directive, guard)) {
    for (const std::string_view word : identifiers(directive)) {
      if (word != "ifdef" && word != "if" && word != "defined") {
        names.emplace_back(word);
      }
    }
  }
  return names;
}

std::set<std::string, std::less<>> known_macros(const std::vector<Directive>& directives) {
  std::set<std::string, std::less<>> known = {"__CUDACC__", "__CUDA_ARCH__", "__cplusplus"};
  for (const Directive& directive : directives) {
    const auto words = identifiers(directive.text);
    if (words.size() > 1 && words[0] == "define") {
      known.emplace(words[1]);
    }
  }
  return known;
}

// The conditions around a place that is asked for in order.
class Conditions {
 public:
  explicit Conditions(const std::vector<Directive>& directives) : directives_(directives) {}

  const std::vector<std::vector<std::string>>& at(std::size_t place) {
    for (; next_ < directives_.size() && directives_[next_].begin < place; ++next_) {
      const auto words = identifiers(directives_[next_].text);
      const std::string_view kind = words.empty() ? "" : words[0];
      if (kind.starts_with("if")) {
        open_.push_back(asked_by(directives_[next_].text));
      } else if (kind.starts_with("el") && !open_.empty()) {
        open_.back().clear();
      } else if (kind == "endif" && !open_.empty()) {
        open_.pop_back();
      }
    }
    return open_;
  }

 private:
  const std::vector<Directive>& directives_;
  std::size_t next_ = 0;
  std::vector<std::vector<std::string>> open_;  // macros that each condition asks for
};

}  // namespace

std::vector<std::string> guards_of_kernels(std::string_view code) {
  const MaskedCode text = masked(code);
  const auto known = known_macros(text.directives);
  Conditions conditions(text.directives);
  std::set<std::string> guards;
  constexpr std::string_view word = "__global__";
  for (std::size_t at = text.text.find(word); at != text.text.npos; at = text.text.find(word, at + 1)) {
    std::set<std::string> own;
    for (const auto& names : conditions.at(at)) {
      std::ranges::copy_if(names, std::inserter(own, own.end()),
                           [&](const std::string& name) { return !known.contains(name); });
    }
    if (own.empty()) {
      return {};
    }
    guards.merge(own);
  }
  return {guards.begin(), guards.end()};
}

}  // namespace rooftile
