#include "app/scene/verdict/saved_change.hpp"

#include <fmt/format.h>

#include "analysis/text/format.hpp"

namespace rooftile::scene {
namespace {

std::string time_words(const Timing& before, const Timing& after) {
  if (before.fastest <= after.slowest && after.fastest <= before.slowest) {
    return fmt::format("{}, as before within the scatter of the launches ({})", text(after.median),
                       text(before.median));
  }
  return fmt::format("{}, {:.2f}x as fast as before ({})", text(after.median), before.median / after.median,
                     text(before.median));
}

std::string number_words(int before, int after, const char* unit) {
  return before == after ? "" : fmt::format("; {} {} instead of {}", count(after), unit, count(before));
}

}  // namespace

std::string what_was_changed(const Point& before, const Point& after) {
  std::string words = time_words(before.timing.value(), after.timing.value());
  if (before.compiled && after.compiled) {
    words +=
        number_words(before.compiled->registers, after.compiled->registers, "registers") +
        number_words(before.compiled->static_shared_bytes, after.compiled->static_shared_bytes,
                     "B of shared memory") +
        number_words(before.compiled->local_bytes, after.compiled->local_bytes, "B of local memory a thread");
  }
  return words;
}

}  // namespace rooftile::scene
