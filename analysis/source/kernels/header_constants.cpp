#include "analysis/source/kernels/header_constants.hpp"

#include <re2/re2.h>

#include <deque>
#include <map>
#include <set>
#include <string_view>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

// By name; a name that is defined again with another value has an empty text.
using Constants = std::map<std::string, std::string, std::less<>>;

void add(const std::string& name, const std::string& text, Constants& all) {
  const auto [found, is_new] = all.emplace(name, text);
  if (!is_new && found->second != text) {
    found->second.clear();
  }
}

void add_constants(const std::string& header, Constants& all) {
  static const RE2 macro(R"(#\s*define\s+(\w+)[ \t]+([\w()+*/<> \t-]+))");
  static const RE2 variable(
      R"((?:static|inline|constexpr|const)\s[\w\s]*\b(?:int|unsigned|long|size_t|u?int\d+_t)\s+(\w+)\s*=\s*([^;{}]+);)");
  const MaskedCode code = masked(header);
  std::string name, value;
  for (const Directive& directive : code.directives) {
    if (RE2::FullMatch(directive.text, macro, &name, &value)) {
      add(name, "#define " + name + " " + value + "\n", all);
    }
  }
  for (re2::StringPiece rest = code.text; RE2::FindAndConsume(&rest, variable, &name, &value);) {
    add(name, "constexpr int " + name + " = " + value + ";\n", all);
  }
}

}  // namespace

std::string header_constants(const std::string& source, const std::vector<std::string>& headers) {
  Constants constants;
  for (const std::string& header : headers) {
    add_constants(header, constants);
  }
  const MaskedCode code = masked(source);
  std::deque<std::string> texts = {code.text};
  for (const Directive& directive : code.directives) {
    texts.push_back(directive.text);
  }
  std::string told;
  while (!texts.empty()) {
    const std::string text = std::move(texts.front());
    texts.pop_front();
    for (const std::string_view word : identifiers(text)) {
      if (const auto found = constants.find(word); found != constants.end()) {
        told += found->second;
        texts.push_back(std::move(found->second));
        constants.erase(found);
      }
    }
  }
  return told;
}

}  // namespace rooftile
