#include "analysis/manifest/configuration.hpp"

#include "analysis/text/format.hpp"

namespace rooftile {

std::string text(const Configuration& configuration) {
  const std::string parameters = text(configuration.parameters);
  return parameters.empty() ? configuration.kernel : configuration.kernel + " " + parameters;
}

}  // namespace rooftile
