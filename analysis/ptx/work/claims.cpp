#include "analysis/ptx/work/claims.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/text/format.hpp"

namespace rooftile::ptx {
namespace {

bool differ(double stated, double derived) {
  constexpr double worth_telling = 0.01;
  return std::abs(stated - derived) > worth_telling * derived;
}

}  // namespace

std::vector<std::string> differing_claims(const Model& stated, const Model& derived) {
  std::vector<std::string> sentences;
  const auto tell = [&](const auto& claim, const auto& found, const char* verb) {
    if (claim && found && differ(claim->value, found->value)) {
      sentences.push_back(
          fmt::format("kernel.toml states {}; the compiled code {} {}.", text(*claim), verb, text(*found)));
    }
  };
  if (stated.pipe == derived.pipe) {
    tell(stated.flops, derived.flops, "executes");
  }
  tell(stated.bytes[MemoryLevel::l1], derived.bytes[MemoryLevel::l1], "asks L1 for");
  return sentences;
}

}  // namespace rooftile::ptx
