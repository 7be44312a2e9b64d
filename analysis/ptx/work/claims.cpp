#include "analysis/ptx/work/claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/format.hpp"

namespace rooftile::ptx {
namespace {

// The code's own figures may be off: FLOPs by 0.1 %, bytes at L1 by up to 6 %, and the caches are a model that
// is within a half in 97 of 100 recorded launches.
constexpr double of_flops = 0.01, of_l1 = 0.1, of_caches = 0.5;

// Between both bounds, or outside by no more than the tolerance.
template <class Quantity>
bool holds(Quantity stated, Quantity least, Quantity most, double tolerance) {
  return least <= (1 + tolerance) * stated && stated <= (1 + tolerance) * most;
}

}  // namespace

std::vector<std::string> differing_claims(const Model& stated, const Model& derived) {
  std::vector<std::string> sentences;
  if (stated.flops && derived.flops && stated.pipe == derived.pipe &&
      !holds(*stated.flops, *derived.flops, *derived.flops, of_flops)) {
    sentences.push_back(fmt::format("kernel.toml states {}; the compiled code executes {}.",
                                    text(*stated.flops), text(*derived.flops)));
  }
  for (const MemoryLevel level : {MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::dram}) {
    const auto claim = stated.asked_of(level), found = derived.asked_of(level);
    // L2 may keep results of a launch, which its author counts at DRAM with good reason.
    const Bytes kept = level == MemoryLevel::dram ? derived.compulsory_dram : Bytes{};
    if (claim && found &&
        !holds(*claim, *found, std::max(*found, kept), level == MemoryLevel::l1 ? of_l1 : of_caches)) {
      sentences.push_back(fmt::format("kernel.toml states {} at {}; the compiled code asks it for {}.",
                                      text(*claim), title(level), text(*found)));
    }
  }
  return sentences;
}

}  // namespace rooftile::ptx
