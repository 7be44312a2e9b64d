#include "analysis/model/filling.hpp"

#include <fmt/format.h>

#include "analysis/model/fit.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {

Filling filling_of(const Buffer& buffer, const Parameters& parameters, double count) {
  if (buffer.fill == FillKind::range) {
    return {.below = count, .ascending = true};
  }
  if (buffer.fill == FillKind::constant) {
    return {.first = buffer.value.evaluate(parameters), .below = 1, .ascending = true};
  }
  Filling filling{.ascending = buffer.ascending, .skew = buffer.skew.evaluate(parameters)};
  if (buffer.below) {
    filling.below = buffer.below->evaluate(parameters);
    if (!(filling.below >= 1)) {
      throw Error(fmt::format("The elements of {} cannot be below \"{}\", which is {}{}: 1 is the least.",
                              buffer.name, buffer.below->text(), number(filling.below),
                              set_by(std::span(&*buffer.below, 1), parameters)));
    }
  }
  return filling;
}

}  // namespace rooftile
