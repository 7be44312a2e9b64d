// The launches of a program's kernel over the time of the program.
#include <algorithm>

#include "app/scene/chart/chart.hpp"
#include "app/scene/program/launch_times_picture.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

constexpr float least_height = 120, dot_reach = 8;

}  // namespace

void draw_times(const AppState& state) {
  const ProgramLaunches* program = scene::launches_over_time(state);
  if (!program) {
    ImGui::NewLine();
    write_wrapped(Type::body, colours(state).dim,
                  "No launch of this kernel was traced: each was counted, and is known by its counters alone.");
    return;
  }
  const std::vector<LaunchTime>& launches = program->over_time;
  write_wrapped(Type::small, colours(state).dim, scene::launch_times_title(*program));
  const Seconds median =
      current_point(state)->timing ? current_point(state)->timing->median : launches.front().took;
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const ImVec2 size{room.x, std::max(room.y, px(state, least_height))};
  ChartFrame frame = frame_here(state);
  frame.place = {at.x, at.y, size.x, size.y};
  const scene::TimesPicture picture = scene::launch_times_picture(launches, median, frame);
  draw(*ImGui::GetWindowDrawList(), picture.drawing);
  ImGui::Dummy(size);
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  if (ImGui::IsItemHovered()) {
    const auto facts =
        scene::launch_time_facts(launches, median, picture, {pointer.x, pointer.y}, px(state, dot_reach));
    if (!facts.empty()) {
      hint(state, facts);
    }
  }
}

}  // namespace rooftile::window
