#include "analysis/text/format.hpp"
#include "app/scene/occupancy/occupancy_picture.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/side_panel.hpp"

namespace rooftile::window {
namespace {

void draw_ratio(const AppState& state, const std::string& label, std::optional<double> ratio, Type type,
                Rgb colour, const char* meaning) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Rgb words_colour = type == Type::figure_strong ? colours(state).text : colours(state).dim;
  draw_text(draw, at, type, ink(words_colour), label);
  draw_text_right(draw, {at.x + width, at.y}, Type::figure, ink(words_colour),
                  ratio ? percent(*ratio) : unknown_text);
  ImGui::InvisibleButton(("##" + label).c_str(), {width, px(state, 16)});
  if (ImGui::IsItemHovered()) {
    hint(state, meaning);
  }
  share_bar(state, ratio.value_or(0), colour, 6);
  gap(state, 5);
}

void draw_sm(const AppState& state, const OccupancyView& view) {
  ChartFrame frame = frame_here(state);
  frame.place.height = px(state, sm_row_height) * static_cast<float>(view.resources.size());
  const SmPicture picture = sm_picture(view.resources, frame);
  draw(*ImGui::GetWindowDrawList(), picture.drawing);
  for (std::size_t i = 0; i < picture.rows.size(); ++i) {
    ImGui::InvisibleButton(("##" + view.resources[i].label).c_str(),
                           {picture.rows[i].width, picture.rows[i].height});
    if (ImGui::IsItemHovered()) {
      hint(state, view.resources[i].facts);
    }
  }
}

}  // namespace

void draw_occupancy(const AppState& state, const Subject& subject) {
  const Palette& token = colours(state);
  if (!subject.occupancy) {
    write_wrapped(Type::body, token.dim, subject.why_no_occupancy);
    return;
  }
  const OccupancyView& view = *subject.occupancy;
  write_wrapped(Type::body, token.dim, view.sentence);
  draw_ratio(state, "Theoretical", view.theoretical, Type::figure_strong, token.accent,
             "Warps of the blocks that fit one SM, as a share of the warps that it can hold.");
  draw_ratio(state, "Achieved", view.achieved, Type::body, mix(token.accent, token.panel, 0.35),
             "Warps that were resident on average while the launch ran, as a share of the same. Counted.");
  for (const std::string& reason : view.why_below) {
    write_wrapped(Type::body, token.dim, reason);
  }
  draw_sm(state, view);
  if (!view.cliff.empty()) {
    write_wrapped(Type::body, token.dim, view.cliff);
  }
}

}  // namespace rooftile::window
