#include "app/scene/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/format.hpp"
#include "app/scene/recordings.hpp"

namespace rooftile::scene {
namespace {

// "Padding of A" within a line of text is "padding of A"; a lone symbol such as N keeps its case.
std::string within_text(std::string label) {
  if (label.size() > 1) {
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  }
  return label;
}

}  // namespace

std::string dial_text(const Parameter& parameter, double value) {
  return within_text(parameter.label.empty() ? parameter.name : parameter.label) + " " + number(value);
}

std::string variant_text(const Manifest& manifest, const Parameters& complete_values) {
  std::set<std::string> names;
  for (const auto& [name, value] : given_of(manifest, complete_values)) {
    names.insert(name);
  }
  if (!manifest.parameters.empty()) {
    names.insert(manifest.parameters.front().name);
  }
  return dials_text(manifest, complete_values, names);
}

std::string dials_text(const Manifest& manifest, const Parameters& complete_values,
                       const std::set<std::string>& names) {
  std::string words;
  for (const Parameter& parameter : manifest.parameters) {
    const auto value = complete_values.find(parameter.name);
    if (names.contains(parameter.name) && value != complete_values.end()) {
      words += words.empty() ? dial_text(parameter, value->second)
                             : "  " + parameter.name + " " + number(value->second);
    }
  }
  if (words.empty() && !manifest.parameters.empty()) {
    const Parameter& first = manifest.parameters.front();
    const auto value = complete_values.find(first.name);
    return value != complete_values.end() ? dial_text(first, value->second) : words;
  }
  return words;
}

std::string launch_text(const std::vector<Manifest>& catalogue, const Point& point) {
  const auto manifest = std::ranges::find(catalogue, point.kernel, &Manifest::name);
  return manifest != catalogue.end() ? point.kernel + "  " + variant_text(*manifest, point.parameters)
                                     : point.kernel;
}

std::string origin_text(const Point& point, bool counted) {
  switch (point.evidence()) {
    case Evidence::predicted:
      return "Predicted from the kernel's model, at the pace of its slowest roof.";
    case Evidence::timed:
      return "Time measured; bytes modelled, not counted.";
    case Evidence::counted:
      break;
  }
  const int passes = point.counters ? point.counters->passes : 0;
  return counted ? fmt::format("Bytes from hardware counters ({} pass{}), time from events.", passes,
                               passes == 1 ? "" : "es")
                 : "Bytes modelled: this chip does not count them; time measured.";
}

}  // namespace rooftile::scene
