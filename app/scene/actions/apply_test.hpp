// Questions that the tests of actions ask of the state.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"

namespace rooftile::scene {

inline const Dial& dial(const AppState& state, const std::string& name) {
  return *std::ranges::find(state.derived.shown.dials, name, &Dial::name);
}

inline const DialOption& option(const AppState& state, const std::string& name, double value) {
  return *std::ranges::find(dial(state, name).options, value, &DialOption::value);
}

inline double standing_at(const AppState& state, const std::string& name) {
  return dial(state, name).options[dial(state, name).selected].value;
}

inline std::vector<std::string> labels(const AppState& state) {
  std::vector<std::string> words;
  for (const ChartRow& row : state.derived.shown.chart.rows) {
    words.push_back(row.label);
  }
  return words;
}

// Its subject and its place there, which name an action in messages.
inline std::string number_of(const Action& action) {
  const auto place = [](const auto& subject) { return std::to_string(subject.index()); };
  return std::to_string(action.index()) + "." + std::visit(place, action);
}

inline TableRow row(const AppState& state, std::size_t index) {
  return table_row(state, state.derived.shown.table.ids.at(index), roofs_of(state));
}

}  // namespace rooftile::scene
