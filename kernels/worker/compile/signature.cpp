#include "kernels/worker/compile/signature.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>

namespace rooftile::worker {
namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.push_back(list.substr(begin, at - begin));
      begin = std::min(list.find_first_not_of(' ', at + 1), list.size());
    }
  }
  return list.empty() ? std::vector<std::string>{} : parts;
}

// C++ sees through a namespace without a name, which only a demangler calls "(anonymous namespace)".
std::string named_from_outside(std::string name) {
  static const RE2 unnamed(R"(\(anonymous namespace\)::)");
  RE2::GlobalReplace(&name, unnamed, "");
  return name;
}

}  // namespace

SourceKernel signature(const std::string& text) {
  int depth = 0;
  std::size_t open = text.size();
  for (std::size_t at = text.size(); at-- > 0;) {  // the parameters stand last
    depth += text[at] == ')' ? 1 : text[at] == '(' ? -1 : 0;
    if (text[at] == '(' && depth == 0) {
      open = at;
      break;
    }
  }
  SourceKernel kernel;
  kernel.name = named_from_outside(text.substr(0, open));
  if (kernel.name.starts_with("void ")) {
    kernel.name = kernel.name.substr(std::string_view("void ").size());
  }
  kernel.types = open < text.size() ? split(text.substr(open + 1, text.size() - open - 2)) : kernel.types;
  static const RE2 rows(R"( ?\(\*\) ?\[.*)");  // float (*) [2]
  for (std::string& type : kernel.types) {
    RE2::Replace(&type, rows, "*");
  }
  return kernel;
}

}  // namespace rooftile::worker
