#include "app/scene/map/landscape_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/text/format.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

std::string own_dials_text(const Manifest& manifest, const Parameters& complete_values) {
  std::set<std::string> names;
  for (const Parameter& parameter : manifest.parameters) {
    if (!parameter.is_of_problem()) {
      names.insert(parameter.name);
    }
  }
  return dials_text(manifest, complete_values, names);
}

std::string best_text(const Manifest& manifest, const Landscape& map, const MapCell& best) {
  const std::string place = text(*best.time) + ": " + own_dials_text(manifest, best.place);
  if (!best.launch) {
    return "Best predicted " + place + ".";
  }
  const auto near = std::ranges::count(map.cells, true, &MapCell::within_noise);
  return fmt::format(
      "Best {}; {}.", place,
      near > 0 ? counted(static_cast<double>(near), "other") + " within noise" : "no other within noise");
}

std::string places_text(const Landscape& map) {
  const auto measured =
      std::ranges::count_if(map.cells, [](const MapCell& cell) { return cell.launch.has_value(); });
  const auto predicted = std::ranges::count(map.cells, true, &MapCell::predicted);
  const auto legal =
      std::ranges::count_if(map.cells, [](const MapCell& cell) { return cell.launch || cell.why_not.empty(); });
  const std::string words =
      fmt::format("{} of {} measured", measured, counted(static_cast<double>(legal), "legal place"));
  const char* of_what = map.unfinished     ? ", so far"
                        : map.holds_others ? ", with the other dials as they are"
                                           : "";
  return predicted > 0 ? fmt::format("{}, {} predicted (hollow{}).", words, predicted, of_what) : words + ".";
}

}  // namespace

std::string map_summary(const Manifest& manifest, const Landscape& map) {
  const auto best = std::ranges::find(map.cells, true, &MapCell::best);
  return best != map.cells.end() ? best_text(manifest, map, *best) + " " + places_text(map) : places_text(map);
}

std::vector<std::string> cell_facts(const Manifest& manifest, const Point& point,
                                    const std::optional<Placement>& placement) {
  std::vector<std::string> facts = {own_dials_text(manifest, complete(manifest, point.parameters))};
  if (placement) {
    facts.push_back((point.timing ? "" : "predicted ") + text(placement->time));
  }
  if (placement && placement->performance) {
    facts.back() += "   " + text(*placement->performance);
  }
  return facts;
}

std::vector<std::string> correction_facts(const Manifest& manifest, const MapCell& cell,
                                          const std::string& by_model, const Parameters& nearest,
                                          double factor) {
  return {own_dials_text(manifest, cell.place), "predicted " + text(*cell.time),
          fmt::format("the model's {} times {:.2f}, which is measured / predicted at {}", by_model, factor,
                      own_dials_text(manifest, nearest))};
}

}  // namespace rooftile::scene
