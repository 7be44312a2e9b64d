#include "kernels/worker/compile/kernel_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/edit_distance.hpp"

namespace rooftile::worker {
namespace {

// The argument as a manifest writes it.
std::string written(const Argument& argument) {
  if (argument.type == "struct") {
    return fmt::format("{{ struct = [...] }} of {} members", argument.members.size());
  }
  return fmt::format("{{ {} = \"{}\" }}", argument.type,
                     argument.name.empty() ? argument.value.text() : argument.name);
}

std::string plural(std::size_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace

std::optional<std::string> why_not_given(const std::vector<Argument>& arguments, std::string_view cubin,
                                         const std::string& symbol, const std::string& entry) {
  const auto parameters = parameters_of(cubin, symbol);
  if (!parameters) {
    return std::nullopt;
  }
  if (parameters->size() != arguments.size()) {
    return fmt::format("{} takes {}, but its manifest gives it {}: they must be the same, in the same order.",
                       entry, plural(parameters->size(), "parameter"), plural(arguments.size(), "argument"));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if ((*parameters)[i].bytes != bytes_of(arguments[i])) {
      return fmt::format("Parameter {} of {} has {} bytes, but its argument {} in the manifest has {}.", i + 1,
                         entry, (*parameters)[i].bytes, written(arguments[i]), bytes_of(arguments[i]));
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_not_filled(const std::vector<Buffer>& globals, std::string_view cubin,
                                          const std::string& entry) {
  const std::vector<CubinVariable> variables = variables_in(cubin);
  for (const Buffer& global : globals) {
    const auto found = std::ranges::find(variables, global.name, &CubinVariable::name);
    if (found == variables.end()) {
      const auto nearest = std::ranges::min_element(
          variables, {}, [&](const CubinVariable& each) { return edit_distance(each.name, global.name); });
      return fmt::format("The source of {} has no __constant__ or __device__ variable {} that is in use{}.",
                         entry, global.name,
                         nearest == variables.end() ? "" : fmt::format("; the nearest is {}", nearest->name));
    }
    if (found->bytes % static_cast<std::size_t>(global.element_bytes) != 0) {
      return fmt::format(
          "The variable {} of {} bytes holds no whole number of {}: correct \"element\" in its "
          "[[global]].",
          global.name, found->bytes, global.element);
    }
  }
  return std::nullopt;
}

}  // namespace rooftile::worker
