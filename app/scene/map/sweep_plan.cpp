#include "app/scene/map/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/manifest/combinations.hpp"
#include "analysis/manifest/sweep_order.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/map/map_choice.hpp"

namespace rooftile::scene {
namespace {

bool is_dial(const Parameter& parameter) {
  return parameter.role == ParameterRole::dial;
}

SweepChoice present_choice(const AppState& state) {
  return state.view.sweep.kernel == state.choice.kernel
             ? state.view.sweep
             : SweepChoice{state.choice.kernel, {}, state.view.sweep.compile_ahead};
}

double place_count(const std::map<std::string, std::set<double>>& values) {
  double places = 1;
  for (const auto& [name, chosen] : values) {
    places *= static_cast<double>(chosen.size());
  }
  return places;
}

// Legal places, and how many are not, by reason.
struct SweepPlaces {
  std::vector<Parameters> legal;
  std::map<std::string, std::size_t> illegal;
};

SweepPlaces places_of(const AppState& state) {
  const Manifest& manifest = kernel(state);
  const auto given = state.choice.given.find(state.choice.kernel);
  std::vector<Parameters> settings{given != state.choice.given.end() ? given->second : Parameters{}};
  for (const auto& [name, values] : sweep_values(state)) {
    settings = extended(settings, name, {values.begin(), values.end()});
  }
  SweepPlaces places;
  for (const Parameters& setting : settings) {
    Parameters values = complete(manifest, setting);
    if (const auto reason = why_illegal(manifest, values)) {
      ++places.illegal[*reason];
    } else {
      places.legal.push_back(std::move(values));
    }
  }
  return places;
}

void keep_recorded(const AppState& state, std::vector<Parameters>& places) {
  std::erase_if(places, [&](const Parameters& values) {
    return !state.known.recordings.find(state.choice.gpu, state.choice.kernel, state.choice.caches, values);
  });
}

std::string illegal_text(const SweepPlaces& places) {
  std::size_t illegal = 0;
  for (const auto& [reason, times] : places.illegal) {
    illegal += times;
  }
  if (illegal == 0) {
    return "";
  }
  const auto most = std::ranges::max_element(places.illegal, {}, [](const auto& each) { return each.second; });
  return fmt::format(" {} of {} {} not legal: {}", illegal,
                     counted(static_cast<double>(places.legal.size() + illegal), "place"),
                     illegal == 1 ? "is" : "are", most->first);
}

SweepDial sweep_dial(const Parameter& parameter, const std::set<double>& chosen) {
  SweepDial dial{parameter.name, parameter.label.empty() ? parameter.name : parameter.label, {}, true};
  std::set<double> offered(parameter.values.begin(), parameter.values.end());
  offered.insert(chosen.begin(), chosen.end());
  for (const double value : offered) {
    dial.values.push_back({value, number(value), chosen.contains(value)});
    dial.all_chosen &= chosen.contains(value);
  }
  return dial;
}

std::string size_text(Mode mode, std::size_t places) {
  switch (mode) {
    case Mode::live:
      return counted(static_cast<double>(places), "launch", "es");
    case Mode::recorded:
      return counted(static_cast<double>(places), "recorded launch", "es");
    case Mode::predicted:
      break;
  }
  return counted(static_cast<double>(places), "predicted place");
}

void size_up(const AppState& state, SweepPlan& plan) {
  const auto values = sweep_values(state);
  for (const Parameter& parameter : kernel(state).parameters) {
    if (is_dial(parameter)) {
      plan.dials.push_back(sweep_dial(parameter, values.at(parameter.name)));
    }
  }
  plan.why_not = why_too_many(place_count(values));
  if (plan.why_not) {
    return;
  }
  SweepPlaces places = places_of(state);
  const std::string illegal = illegal_text(places);
  if (mode(state) == Mode::recorded) {
    keep_recorded(state, places.legal);
  }
  plan.launches = places.legal.size();
  plan.size = size_text(mode(state), plan.launches) + "." + illegal;
  if (plan.launches == 0) {
    plan.why_not =
        illegal.empty() ? "None of these dial settings is recorded." : "Nothing to launch." + illegal;
  }
}

Seconds median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return {times[times.size() / 2]};
}

// Times of launches on the GPU: the compile stage where the compiler ran, and the other stages of every launch.
struct SeenTimes {
  std::vector<double> compile, rest;  // [s]
};

SeenTimes seen_times(const AppState& state, const std::string& kernel_name) {
  SeenTimes seen;
  for (const Point& point : state.known.session.log->points) {
    if (point.gpu != state.choice.gpu || point.phases.empty() || !landed(point) ||
        (!kernel_name.empty() && point.kernel != kernel_name)) {
      continue;
    }
    double rest = 0;
    for (const Phase& phase : point.phases) {
      if (phase.name != "compile") {
        rest += phase.duration.value;
      } else if (point.compiled && !point.compiled->from_cache) {
        seen.compile.push_back(phase.duration.value);
      }
    }
    seen.rest.push_back(rest);
  }
  return seen;
}

// Estimated from this kernel's launches; where there are none, from any.
std::string duration_text(const AppState& state, std::size_t launches) {
  SeenTimes seen = seen_times(state, state.choice.kernel);
  if (seen.rest.empty()) {
    seen = seen_times(state, "");
  }
  if (seen.rest.empty()) {
    return "The duration is known after the first launch.";
  }
  const double each = median(seen.rest).value, compile = seen.compile.empty() ? 0 : median(seen.compile).value;
  const double ahead = compile / std::max(1, state.known.session.compilers);
  const bool compiles_ahead = present_choice(state).compile_ahead;
  const double all = static_cast<double>(launches) * (compiles_ahead ? std::max(each, ahead) : each + compile);
  return fmt::format("About {}, estimated from {}.", text(Seconds{all}),
                     counted(static_cast<double>(seen.rest.size()), "launch", "es") + " so far");
}

std::string what_it_depends_on(const AppState& state) {
  std::string all =
      fmt::format("{} {} {} {} {}", state.choice.gpu, state.choice.kernel,
                  static_cast<int>(state.choice.caches), static_cast<int>(mode(state)), text(dialled(state)));
  for (const auto& [name, values] : sweep_values(state)) {
    all += " " + name;
    for (const double value : values) {
      all += " " + number(value);
    }
  }
  return mode(state) == Mode::recorded ? fmt::format("{} {}", all, state.known.session.log->points.size())
                                       : all;
}

}  // namespace

std::set<std::string> dial_names(const Manifest& manifest) {
  std::set<std::string> names;
  for (const Parameter& parameter : manifest.parameters) {
    if (is_dial(parameter)) {
      names.insert(parameter.name);
    }
  }
  return names;
}

std::map<std::string, std::set<double>> sweep_values(const AppState& state) {
  const MapChoice map = map_choice(state);
  const SweepChoice choice = present_choice(state);
  const Parameters present = dialled(state);
  const bool launches = mode(state) == Mode::live;  // all else costs no time on a GPU, so that no dial is held
  std::map<std::string, std::set<double>> values;
  for (const Parameter& parameter : kernel(state).parameters) {
    if (!is_dial(parameter)) {
      continue;
    }
    const bool on_map = parameter.name == map.across || parameter.name == map.down;
    const auto chosen = choice.values.find(parameter.name);
    if (chosen != choice.values.end()) {
      values[parameter.name] = chosen->second;
    } else if (on_map || !launches) {
      values[parameter.name] = {parameter.values.begin(), parameter.values.end()};
    } else {
      values[parameter.name] = {present.at(parameter.name)};
    }
  }
  return values;
}

SweepChoice with_value(const AppState& state, const std::string& dial, double value) {
  SweepChoice choice = present_choice(state);
  std::set<double> values = sweep_values(state).at(dial);
  if (values.erase(value) == 0) {
    values.insert(value);
  }
  choice.values[dial] = values.empty() ? std::set{dialled(state).at(dial)} : values;
  return choice;
}

SweepChoice with_all_values(const AppState& state, const std::string& dial) {
  SweepChoice choice = present_choice(state);
  const auto& offered = kernel(state).parameter(dial)->values;
  const std::set<double> all(offered.begin(), offered.end());
  const auto present = sweep_values(state).at(dial);
  choice.values[dial] = std::ranges::includes(present, all) ? std::set{dialled(state).at(dial)} : all;
  return choice;
}

std::vector<Configuration> sweep_configurations(const AppState& state) {
  if (why_too_many(place_count(sweep_values(state)))) {
    return {};
  }
  std::vector<Parameters> places = places_of(state).legal;
  if (mode(state) == Mode::recorded) {
    keep_recorded(state, places);
  }
  std::vector<Configuration> launches;
  for (Parameters& values : coarse_first(std::move(places))) {
    launches.push_back({state.choice.kernel, std::move(values), state.choice.caches});
  }
  return launches;
}

SweepPlan sweep_plan(const AppState& state, SweepPlan before) {
  const std::string from = what_it_depends_on(state);
  SweepPlan plan;
  if (before.from == from) {
    plan = std::move(before);
  } else {
    plan.from = from;
    size_up(state, plan);
  }
  plan.duration =
      mode(state) == Mode::live && plan.launches > 0 ? duration_text(state, plan.launches) : std::string();
  return plan;
}

std::vector<std::string> sweep_news(const AppState& state) {
  std::size_t done = 0, failed = 0;
  std::string why;
  for (const std::uint64_t id : state.known.session.swept) {
    const Point* point = state.known.session.log->point(id);
    done += point && point->final ? 1 : 0;
    if (point && point->failure) {
      failed += 1;
      why = why.empty() ? *point->failure : why;
    }
  }
  if (state.known.session.swept.empty()) {
    return {};
  }
  std::vector<std::string> lines = {fmt::format(
      "{} of {} done.", done, counted(static_cast<double>(state.known.session.swept.size()), "launch", "es"))};
  if (failed > 0) {
    lines.push_back(fmt::format("{} failed, the first: {}", failed, why));
  }
  return lines;
}

}  // namespace rooftile::scene
