#include "app/scene/launch/dials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

#include "analysis/manifest/differing.hpp"
#include "analysis/source/manifest/entry_lines.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

bool recorded(const AppState& state, const Parameters& complete_values) {
  return state.known.recordings
      .seen_at(state.choice.gpu, state.choice.kernel, state.choice.caches, complete_values)
      .has_value();
}

std::optional<std::string> why_not(const AppState& state, Parameters given, const std::string& name,
                                   double value) {
  given[name] = value;
  const Parameters wanted = complete(kernel(state), given);
  if (const auto reason = why_illegal(kernel(state), wanted)) {
    return reason;
  }
  if (mode(state) == Mode::recorded && !recorded(state, wanted)) {
    return "Not recorded with " + dial_text(*kernel(state).parameter(name), value) + ".";
  }
  return std::nullopt;
}

// "512K" where the largest value has six digits or more; else all digits.
std::string option_text(double value, double largest) {
  constexpr double kilo = 1024, mega = kilo * kilo, six_digits = 100000;
  if (largest < six_digits || value < kilo || std::fmod(value, kilo) != 0) {
    return number(value);
  }
  return std::fmod(value, mega) == 0 ? number(value / mega) + "M" : number(value / kilo) + "K";
}

// The place that the value is given to, and what it changes.
std::vector<std::string> facts_of(const Parameter& parameter) {
  const auto place = [&] {
    switch (parameter.where) {
      case ParameterPlace::macro:
        return "a macro of the source: each value is compiled.";
      case ParameterPlace::constant:
        return "a constant of the source: each value is compiled in its place.";
      case ParameterPlace::template_argument:
        return "an argument of the template: each value is compiled.";
      case ParameterPlace::argument:
        return "given to the kernel: nothing is compiled for a new value.";
      case ParameterPlace::launch:
        break;
    }
    return "changes the launch alone: nothing is compiled for a new value.";
  };
  return {parameter.name + ", " + place(),
          parameter.is_of_problem()
              ? "It changes the work. Launches of other work are not compared for the best."
              : "It does not change the work. A search for the best tries its values."};
}

// A constant of the source, until a person offers more values of it.
bool is_fixed(const Parameter& parameter) {
  return parameter.where == ParameterPlace::constant && parameter.values.size() == 1;
}

// "4, 8, 16, 32, 64"; "6, 12, 24"
std::string values_to_offer(double present) {
  std::vector<double> values = values_around(present);
  if (values.size() == 1) {
    values = {std::floor(present / 2), present, 2 * present};
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

// The driver chooses how much memory of an SM is shared memory: -1 in a kernel.toml.
bool is_drivers_choice(const Manifest& kernel, const Parameter& parameter, double value) {
  return value == -1 && kernel.carveout && kernel.carveout->text() == parameter.name;
}

Dial dial(const AppState& state, const Parameter& parameter, const Parameters& given, double present) {
  Dial result{.name = parameter.name,
              .label = parameter.label.empty() ? parameter.name : parameter.label,
              .unit = parameter.unit,
              .options = {},
              .selected = 0,
              .in_more = parameter.follows || parameter.role == ParameterRole::scalar ||
                         (is_fixed(parameter) && parameter.is_of_problem()),
              .following = parameter.follows && !given.contains(parameter.name),
              .facts = facts_of(parameter),
              .values_to_offer = is_fixed(parameter) ? values_to_offer(present) : ""};
  const std::vector<double> values = parameter.values_with(present);
  for (const double value : values) {
    const bool is_present = value == present;
    if (is_present) {
      result.selected = result.options.size();
    }
    const std::string text =
        is_drivers_choice(kernel(state), parameter, value) ? "auto" : option_text(value, values.back());
    result.options.push_back(
        {value, text, is_present ? std::nullopt : why_not(state, given, parameter.name, value)});
  }
  return result;
}

Parameters given_values(const AppState& state) {
  const auto given = state.choice.given.find(state.choice.kernel);
  return given != state.choice.given.end() ? given->second : Parameters{};
}

// The compile time of the newest launch of the kernel whose cubin no cache had.
std::optional<Seconds> compile_time(const AppState& state) {
  for (const std::uint64_t id : state.choice.trail | std::views::reverse) {
    const Point* point = find_point(state, id);
    if (!point || point->kernel != state.choice.kernel || !point->compiled || point->compiled->from_cache) {
      continue;
    }
    const auto phase = std::ranges::find(point->phases, "compile", &Phase::name);
    if (phase != point->phases.end()) {
      return phase->duration;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Dial> dials(const AppState& state) {
  const Parameters given = given_values(state);
  const Parameters present = complete(kernel(state), given);
  std::vector<Dial> result;
  for (const Parameter& parameter : kernel(state).parameters) {
    result.push_back(dial(state, parameter, given, present.at(parameter.name)));
  }
  return result;
}

std::string compile_cost(const AppState& state) {
  constexpr Seconds noticed{0.3};
  const auto time = mode(state) == Mode::live ? compile_time(state) : std::nullopt;
  return time && *time > noticed
             ? fmt::format("Compiling takes {}: each new value of a dial waits for it.", text(*time))
             : "";
}

std::optional<Place> nearest_recorded(const AppState& state, const std::string& dial, double value) {
  if (mode(state) != Mode::recorded) {
    return std::nullopt;
  }
  Parameters wanted = dialled(state);
  wanted[dial] = value;
  const auto values = state.known.recordings.nearest_with(state.choice.gpu, state.choice.kernel,
                                                          state.choice.caches, wanted, dial);
  return values ? std::optional(Place{*values, state.choice.caches}) : std::nullopt;
}

std::string difference_text(const AppState& state, const Place& place) {
  const Parameters here = dialled(state);
  std::set<std::string> names = differing(here, place.values);
  std::erase_if(names, [&](const std::string& name) {  // that the kernel has lost, or got since
    return !here.contains(name) || !place.values.contains(name);
  });
  const std::string dials = names.empty() ? "" : dials_text(kernel(state), place.values, names);
  const std::string caches = place.caches == Caches::cold ? "cold caches" : "warm caches";
  if (place.caches == state.choice.caches) {
    return dials;
  }
  return dials.empty() ? caches : dials + " \u00b7 " + caches;
}

}  // namespace rooftile::scene
