#include "analysis/combinations.hpp"

namespace rooftile {
namespace {

// Goes through the values of the dials from `next` on; the others stand as given.
void extend(const Manifest& manifest, std::size_t next, Parameters& given, std::vector<Parameters>& all) {
  while (next < manifest.parameters.size() && !manifest.parameters[next].is_macro()) {
    ++next;
  }
  if (next < manifest.parameters.size()) {
    for (const double value : manifest.parameters[next].values) {
      given[manifest.parameters[next].name] = value;
      extend(manifest, next + 1, given, all);
    }
  } else if (Parameters parameters = complete(manifest, given); !why_illegal(manifest, parameters)) {
    all.push_back(std::move(parameters));
  }
}

}  // namespace

std::vector<Parameters> every_combination(const Manifest& manifest) {
  std::vector<Parameters> all;
  Parameters given;
  extend(manifest, 0, given, all);
  return all;
}

}  // namespace rooftile
