#include "analysis/source/launch/misspelt_launch.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "analysis/source/kernels/declared_parameters.hpp"
#include "analysis/source/launch/host_code.hpp"
#include "analysis/text/edit_distance.hpp"

namespace rooftile {
namespace {

// "matmul<<grid, block>>(a, b)", in a line of its own.
std::string why_wrong_brackets(std::string_view text, const std::string& name) {
  const RE2 launch(fmt::format(R"(\b{}\s*(?:<[\w\s,:]*>)?\s*(<<<?)([^<>;{{}}]*[^<>;{{}}\s]\s*)(>>>?)\s*\()",
                               RE2::QuoteMeta(name)));
  re2::StringPiece open, settings, close;
  re2::StringPiece rest(text.data(), text.size());
  while (RE2::FindAndConsume(&rest, launch, &open, &settings, &close)) {
    if (open != "<<<" || close != ">>>") {
      return fmt::format("line {} has {} and {}, and a launch has <<< and >>>",
                         1 + std::count(text.data(), open.data(), '\n'), std::string(open), std::string(close));
    }
  }
  return "";
}

}  // namespace

std::string why_misspelt(std::string_view code, const std::string& kernel) {
  constexpr int most_mistakes = 1;
  const std::string name = base_name(kernel), text = text_with_launches(code);
  const HostCode host(code);
  for (const HostLaunch& launch : host.launches()) {
    const std::string launched = base_name(launch.kernel);
    if (launched != name && edit_distance(launched, name) <= most_mistakes &&
        declared_parameters(code, launched).empty()) {
      return fmt::format("line {} launches {} instead of {}", host.line_of(launch.place), launched, name);
    }
  }
  return why_wrong_brackets(text, name);
}

}  // namespace rooftile
