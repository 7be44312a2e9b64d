#include "app/scene/state/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/text/format.hpp"
#include "app/scene/state/recordings.hpp"

namespace rooftile::scene {
namespace {

// "Padding of A" within a line of text is "padding of A"; a symbol such as N or BLOCK keeps its case.
std::string within_text(std::string label) {
  if (label.size() > 1 && std::islower(static_cast<unsigned char>(label[1]))) {
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  }
  return label;
}

void append(std::string& words, const Parameter& parameter, const Parameters& values) {
  if (const auto value = values.find(parameter.name); value != values.end()) {
    words += (words.empty() ? "" : " \u00b7 ") + dial_text(parameter, value->second);
  }
}

// The value it would have if nobody had set it. True of a parameter that the launch did not know.
bool has_default(const Parameter& parameter, const Parameters& values) {
  const auto value = values.find(parameter.name);
  const auto names = parameter.default_value.names();
  const bool known = std::ranges::all_of(names, [&](const std::string& each) { return values.contains(each); });
  return value == values.end() || !known || parameter.default_value.evaluate(values) == value->second;
}

}  // namespace

std::string dial_text(const Parameter& parameter, double value) {
  return within_text(parameter.label.empty() ? parameter.name : parameter.label) + " " + number(value);
}

std::string variant_text(const Manifest& manifest, const Parameters& complete_values) {
  std::set<std::string> first;
  if (!manifest.parameters.empty()) {
    first.insert(manifest.parameters.front().name);
  }
  return distinguishing_text(manifest, complete_values, first);
}

std::string dials_text(const Manifest& manifest, const Parameters& complete_values,
                       const std::set<std::string>& names) {
  std::string words;
  for (const Parameter& parameter : manifest.parameters) {
    if (names.contains(parameter.name)) {
      append(words, parameter, complete_values);
    }
  }
  if (words.empty() && !manifest.parameters.empty()) {
    append(words, manifest.parameters.front(), complete_values);
  }
  return words;
}

std::string changed_text(const Manifest& manifest, const Parameters& complete_values,
                         const std::set<std::string>& names) {
  std::set<std::string> said;
  for (const Parameter& parameter : manifest.parameters) {
    const auto value = complete_values.find(parameter.name);
    const bool off =
        value != complete_values.end() && value->second == 0 && has_default(parameter, complete_values);
    if (names.contains(parameter.name) && (said.empty() || !off)) {
      said.insert(parameter.name);
    }
  }
  return dials_text(manifest, complete_values, said);
}

std::string launch_text(const std::vector<Manifest>& catalogue, const Point& point) {
  const auto manifest = std::ranges::find(catalogue, point.kernel, &Manifest::name);
  return manifest != catalogue.end() ? point.kernel + "  " + variant_text(*manifest, point.parameters)
                                     : point.kernel;
}

std::string distinguishing_text(const Manifest& manifest, const Parameters& complete_values,
                                const std::set<std::string>& differing) {
  std::string words;
  const auto append_those = [&](auto wanted) {
    for (const Parameter& parameter : manifest.parameters) {
      if (wanted(parameter)) {
        append(words, parameter, complete_values);
      }
    }
  };
  append_those([&](const Parameter& each) {
    return differing.contains(each.name) && (!each.follows || !has_default(each, complete_values));
  });
  append_those([&](const Parameter& each) {
    return !differing.contains(each.name) && !has_default(each, complete_values);
  });
  return words.empty() ? dials_text(manifest, complete_values, {}) : words;
}

std::string origin_text(const Point& point, bool counted) {
  switch (point.evidence()) {
    case Evidence::predicted:
      return "Predicted by the kernel's model: nothing was launched.";
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
