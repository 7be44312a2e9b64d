// Occupancy over threads, registers and shared memory of a block, for the chosen GPU and up to three others.
#include <algorithm>

#include "app/scene/occupancy/occupancy_picture.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

constexpr float between = 18, lowest = 120;

void draw_legend(const AppState& state, const OccupancyPlot& plot) {
  const std::vector<Rgb> inks = line_colours(colours(state));
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + px(state, 8)},
                                              {at.x + px(state, 14), at.y + px(state, 11)}, ink(inks[i]));
    ImGui::SetCursorScreenPos({at.x + px(state, 19), at.y});
    write(Type::small, colours(state).text, plot.lines[i].gpu);
    ImGui::SameLine(0, px(state, 14));
  }
}

void draw_menu(const AppState& state, Actions& actions) {
  if (chip(state, "compare with", colours(state).accent, false)) {
    ImGui::OpenPopup("compare");
  }
  if (!begin_menu(state, "compare")) {
    return;
  }
  for (const Gpu& gpu : state.known.gpus) {
    const bool chosen = std::ranges::find(state.view.compared, gpu.name) != state.view.compared.end();
    if (gpu.name != state.choice.gpu && menu_row(gpu.name.c_str(), chosen)) {
      actions.push_back(ToggleCompared{gpu.name});
    }
  }
  end_menu();
}

void draw_plot(const AppState& state, const OccupancyPlot& plot, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ChartFrame frame = frame_here(state);
  frame.place = {at.x, at.y, size.x, size.y};
  const CurvePicture picture = curve_picture(plot, frame);
  draw(*ImGui::GetWindowDrawList(), picture.drawing);
  ImGui::Dummy(size);
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const Rect& part = picture.plot;
  if (ImGui::IsItemHovered() && pointer.x >= part.x && pointer.x <= part.right() && pointer.y >= part.y) {
    hint(state, facts_at(plot, picture, pointer.x));
  }
}

// Each a button that goes there.
void draw_dial_steps(const AppState& state, Actions& actions) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x, space = px(state, 6);
  float used = 0;
  for (const DialStep& step : state.derived.shown.subject->dial_steps) {
    const std::string label = text(step);
    if (used > 0 && used + space + chip_size(state, label).x < right) {
      ImGui::SameLine(0, space);
    }
    if (chip(state, label.c_str(), colours(state).dim, false)) {
      actions.push_back(SetParameter{step.name, step.place.value});
    }
    used = ImGui::GetItemRectMax().x;
  }
}

}  // namespace

void draw_curves(const AppState& state, Actions& actions) {
  const bool known = state.derived.shown.subject && !state.derived.shown.subject->occupancy_plots.empty();
  if (!known) {
    ImGui::NewLine();
    write_wrapped(Type::body, colours(state).dim,
                  state.known.session.compiles
                      ? "Shown once the kernel is compiled for this GPU."
                      : "Registers are not known: no compiler is here and this launch is not recorded.");
    return;
  }
  const auto& plots = state.derived.shown.subject->occupancy_plots;
  draw_legend(state, plots.front());
  draw_menu(state, actions);
  draw_dial_steps(state, actions);
  gap(state, 4);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const auto columns = static_cast<float>(plots.size());
  const ImVec2 size{(room.x - px(state, between) * (columns - 1)) / columns,
                    std::max(room.y, px(state, lowest))};
  for (const OccupancyPlot& plot : plots) {
    draw_plot(state, plot, size);
    ImGui::SameLine(0, px(state, between));
  }
}

}  // namespace rooftile::window
