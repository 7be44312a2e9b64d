#include "app/scene/launch/launch_changes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/source/kernels/source_kernels.hpp"
#include "analysis/source/manifest/manifest_names.hpp"

namespace rooftile::scene {
namespace {

// "the grid", "the argument lda"
std::string place_text(const AppState& state, const NameUse& use) {
  const auto& [section, entry, key] = use.place;
  if (section == "launch" && key == "arguments") {
    const std::vector<DeclaredParameter> declared = parameters_in_source(state);
    const bool has_name = use.item < declared.size() && !declared[use.item].name.empty();
    return has_name ? "the argument " + declared[use.item].name : fmt::format("argument {}", use.item + 1);
  }
  return section == "launch"       ? "the " + (key == "dynamic_shared_bytes" ? "shared bytes" : key)
         : section == "buffer"     ? fmt::format("the {} of the buffer {}", key, entry)
         : section == "parameter"  ? "the default of " + entry
         : section == "constraint" ? "a constraint"
                                   : fmt::format("\"{}\" of {}", key, section);
}

}  // namespace

std::vector<DeclaredParameter> parameters_in_source(const AppState& state) {
  const auto source = state.known.sources.find(state.choice.kernel);
  return source != state.known.sources.end() ? declared_parameters(source->second, kernel(state).entry)
                                             : std::vector<DeclaredParameter>{};
}

std::vector<SourceMacro> free_macros(const AppState& state, const ManifestWords& words) {
  const auto source = state.known.sources.find(state.choice.kernel);
  auto macros =
      source != state.known.sources.end() ? macros_with_default(source->second) : std::vector<SourceMacro>{};
  std::erase_if(macros, [&](const SourceMacro& macro) {
    return std::ranges::find(words.parameters, macro.name, &ManifestWords::Parameter::name) !=
           words.parameters.end();
  });
  return macros;
}

std::optional<std::string> why_no_removal(const AppState& state, const std::string& text,
                                          const std::string& section, const std::string& name) {
  std::vector<std::string> places;
  for (const NameUse& use : uses_of(text, section, name)) {
    if (const std::string place = place_text(state, use); std::ranges::find(places, place) == places.end()) {
      places.push_back(place);
    }
  }
  return places.empty() ? std::nullopt
                        : std::optional(fmt::format("{} is used by {}: change that first.", name,
                                                    fmt::join(places, ", ")));
}

}  // namespace rooftile::scene
