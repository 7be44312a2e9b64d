#include "app/cli/tables/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/text/edit_distance.hpp"

namespace rooftile::cli {

std::string no_such(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const auto meant = nearest(name, {known.begin(), known.end()});
  return fmt::format("There is no {} \"{}\"{} Known are: {}.", what, name,
                     meant ? fmt::format("; did you mean {}?", *meant) : ".", fmt::join(known, ", "));
}

}  // namespace rooftile::cli
