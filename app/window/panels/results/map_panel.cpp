// The map of two dials: pick what it shows, read a cell, press it to go there.
#include <algorithm>
#include <string>
#include <utility>

#include "app/scene/map/landscape_picture.hpp"
#include "app/scene/map/map_metric.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"
#include "app/window/panels/lower_panel.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

// A chip that opens a menu of its rows; `rows` draws them.
template <class Rows>
void draw_choice(const AppState& state, const char* name, const std::string& label, const Rows& rows) {
  ImGui::PushID(name);
  if (chip(state, label.c_str(), colours(state).accent, false)) {
    ImGui::OpenPopup("rows");
  }
  if (begin_menu(state, "rows")) {
    rows();
    end_menu();
  }
  ImGui::PopID();
}

// Chips beside each other, and on a line of their own where the panel is too narrow for one more.
class ChipFlow {
 public:
  explicit ChipFlow(const AppState& state)
      : state_(state), end_(ImGui::GetCursorScreenPos().x), right_(end_ + ImGui::GetContentRegionAvail().x) {
    right_ -= state.view.folded ? px(state, 26) : 0;  // the cross of the drawer
  }

  // Before the chip with this label.
  void next(const std::string& label) {
    const float width = chip_size(state_, label).x, gap = px(state_, 2);
    if (!std::exchange(first_, false) && end_ + gap + width <= right_) {
      ImGui::SameLine(0, gap);
    }
    end_ = ImGui::GetCursorScreenPos().x + width;
  }

 private:
  const AppState& state_;
  float end_, right_;
  bool first_ = true;
};

void draw_metrics(const AppState& state, const MapChoice& choice, ChipFlow& flow, Actions& actions) {
  const std::string label = "colour: " + std::string(title(choice.metric));
  flow.next(label);
  draw_choice(state, "colour", label, [&] {
    for (const MapMetric metric : scene::map_metrics()) {
      if (menu_row(std::string(title(metric)).c_str(), metric == choice.metric)) {
        MapChoice wanted = choice;
        wanted.metric = metric;
        actions.push_back(SetMap{wanted});
      }
    }
  });
}

// If the dial is on the other axis already, the two change places.
void draw_axis(const AppState& state, const char* name, const MapChoice& choice, std::string MapChoice::*axis,
               std::string MapChoice::*other, ChipFlow& flow, Actions& actions) {
  const Parameter* present = kernel(state).parameter(choice.*axis);
  const std::string label = std::string(name) + ": " + (present ? present->label : "");
  flow.next(label);
  draw_choice(state, name, label, [&] {
    for (const Parameter& parameter : kernel(state).parameters) {
      if (parameter.values.size() > 1 && menu_row(parameter.label.c_str(), parameter.name == choice.*axis)) {
        MapChoice wanted = choice;
        if (wanted.*other == parameter.name) {
          wanted.*other = wanted.*axis;
        }
        wanted.*axis = parameter.name;
        actions.push_back(SetMap{wanted});
      }
    }
  });
}

void draw_choices(const AppState& state, Actions& actions) {
  const MapChoice& choice = state.derived.shown.landscape.choice;
  ChipFlow flow(state);
  draw_metrics(state, choice, flow, actions);
  if (!choice.down.empty()) {
    draw_axis(state, "down", choice, &MapChoice::down, &MapChoice::across, flow, actions);
  }
  draw_axis(state, "across", choice, &MapChoice::across, &MapChoice::down, flow, actions);
  flow.next("best over other dials");
  if (chip(state, "best over other dials", colours(state).accent, choice.best_over_others)) {
    MapChoice wanted = choice;
    wanted.best_over_others = !wanted.best_over_others;
    actions.push_back(SetMap{wanted});
  }
  flow.next("occupancy against speed");
  if (chip(state, "occupancy against speed", colours(state).accent, choice.scatter)) {
    MapChoice wanted = choice;
    wanted.scatter = !wanted.scatter;
    actions.push_back(SetMap{wanted});
  }
  if (state.derived.shown.measure_line) {
    flow.next("export best\u2026");
    draw_winner_actions(state, actions);
  }
}

void take_cell_input(const AppState& state, const MapCell& cell, bool pressed, Actions& actions) {
  const bool can_go = cell.launch || (cell.why_not.empty() && mode(state) != Mode::recorded);
  const std::string to_do = mode(state) == Mode::recorded ? "Not recorded." : "Press to go there.";
  if (ImGui::IsItemHovered()) {
    std::vector<std::string> facts = cell.why_not.empty() ? cell.facts : std::vector{cell.why_not};
    if (!cell.launch && cell.why_not.empty()) {
      facts.push_back(to_do);
    }
    hint(state, facts);
  }
  if (ImGui::IsItemHovered() && cell.launch) {
    actions.push_back(PointAt{cell.launch});
  }
  if (pressed && can_go) {
    actions.push_back(GoTo{{cell.place, state.choice.caches}});
  }
}

bool touch(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// The launches of the cells that the rectangle touches, and of the dots of the scatter inside it.
std::set<std::uint64_t> launches_in(const Landscape& map, const MapPicture& picture, const Rect& part) {
  std::set<std::uint64_t> launches;
  for (std::size_t i = 0; i < picture.cells.size(); ++i) {
    if (map.cells[i].launch && touch(picture.cells[i], part)) {
      launches.insert(*map.cells[i].launch);
    }
  }
  for (const PlacedDot& dot : picture.dots) {
    if (touch({dot.at.x, dot.at.y, 1, 1}, part)) {
      launches.insert(dot.launch);
    }
  }
  return launches;
}

// A row of the map is as high as its figure, however low the panel is: then the panel scrolls.
ChartFrame frame_of(const AppState& state, const Landscape& map) {
  constexpr float row = 17, axis = 42;
  const auto rows = static_cast<float>(map.cells.size() / map.across.values.size());
  ChartFrame frame = frame_here(state);
  frame.place.height = std::max(frame.place.height, px(state, row * rows + axis));
  return frame;
}

void take_scatter_input(const AppState& state, const MapPicture& picture, Actions& actions) {
  if (picture.dots.empty() || ImGui::GetIO().KeyShift || !ImGui::IsWindowHovered()) {
    return;
  }
  ChartPicture dots;
  dots.dots = picture.dots;
  take_dot_input(state, dots, actions);
}

void draw_cells(const AppState& state, const Landscape& map, const MapPicture& picture, bool can_press,
                Actions& actions) {
  for (std::size_t i = 0; i < picture.cells.size(); ++i) {
    const Rect& place = picture.cells[i];
    ImGui::PushID(static_cast<int>(i));
    ImGui::SetCursorScreenPos({place.x, place.y});
    const bool pressed =
        ImGui::InvisibleButton("cell", {std::max(1.0f, place.width), std::max(1.0f, place.height)});
    take_cell_input(state, map.cells[i], pressed && can_press, actions);
    ImGui::PopID();
  }
}

}  // namespace

void draw_map(const AppState& state, Actions& actions) {
  const Landscape& map = state.derived.shown.landscape;
  if (map.cells.empty()) {
    ImGui::NewLine();
    write_wrapped(Type::body, colours(state).dim, "This kernel has no dial to map.");
    return;
  }
  draw_choices(state, actions);
  gap(state, 2);
  write_lines(Type::small, colours(state).text, map.summary, 2);
  gap(state, 2);
  const ChartFrame frame = frame_of(state, map);
  const MapPicture picture = landscape_picture(map, frame, state.view.pointed, state.view.selection);
  draw(*ImGui::GetWindowDrawList(), picture.drawing);
  const auto drawn = rectangle_drawn(state, frame.place);
  if (drawn && drawn->finished) {
    actions.push_back(SelectLaunches{launches_in(map, picture, drawn->place)});
  }
  draw_cells(state, map, picture, !drawn, actions);
  ImGui::SetCursorScreenPos({frame.place.x, frame.place.bottom() - 1});
  ImGui::Dummy({1, 1});
  take_scatter_input(state, picture, actions);
}

}  // namespace rooftile::window
