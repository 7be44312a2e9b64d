#include <fmt/format.h>

#include "analysis/format.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float pill_height = 26;

struct ModeWord {
  const char* word;
  Rgb colour;
  const char* meaning;
};

ModeWord mode_word(const AppState& state) {
  const Palette& token = colours(state);
  switch (mode(state)) {
    case Mode::live:
      return {"LIVE", token.good, "Every move of a dial is launched on this GPU and measured."};
    case Mode::recorded:
      return {"RECORDED", token.warn, "Points come from a session measured earlier; nothing is launched."};
    case Mode::predicted:
      break;
  }
  return {"PREDICTED", token.levels[2], "Nothing was measured: hollow points are what the model says."};
}

// Words in a rounded frame. Returns whether it was pressed.
bool pill(const AppState& state, const char* id, std::string_view words_of_it, Type type, Rgb text_colour,
          Rgb edge, float fill) {
  const ImVec2 words_size = text_size(type, words_of_it);
  const ImVec2 size{words_size.x + 2 * px(state, 11), px(state, pill_height)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + size.x, at.y + size.y};
  const float round = size.y / 2;
  draw.AddRectFilled(at, end, ink(mix(colours(state).panel, edge, fill)), round);
  draw.AddRect(at, end, ink(edge), round);
  draw_text(draw, {at.x + px(state, 11), at.y + (size.y - words_size.y) / 2}, type, ink(text_colour),
            words_of_it);
  return pressed;
}

// The next window opens under the last item, ending where it ends if there is no room to the right.
void place_below_item(const AppState& state) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  const bool at_the_right = to.x > ImGui::GetIO().DisplaySize.x / 2;
  ImGui::SetNextWindowPos({at_the_right ? to.x : from.x, to.y + px(state, 5)}, ImGuiCond_Always,
                          {at_the_right ? 1.0f : 0.0f, 0});
}

void draw_mode(const AppState& state) {
  const ModeWord word = mode_word(state);
  pill(state, "mode", word.word, Type::small, words(state, word.colour), word.colour, 0.16f);
  if (ImGui::IsItemHovered()) {
    hint(state, word.meaning);
  }
}

void draw_gpu_choice(const AppState& state, const std::string& name, Actions& actions) {
  if (ImGui::Selectable(name.c_str(), name == state.choice.gpu)) {
    actions.push_back(SelectGpu{name});
  }
}

bool is_measured(const AppState& state, const std::string& gpu) {
  return gpu == state.session.device || state.recordings.any(gpu);
}

// Under the driver's name, too.
bool is_measured(const AppState& state, const Gpu& of_table) {
  return is_measured(state, of_table.name) || is_measured(state, of_table.driver_name);
}

void draw_gpu_list(const AppState& state, Actions& actions) {
  write(Type::small, colours(state).dim, "Measured");
  for (const DeviceRecord& device : state.session.log->devices) {
    if (is_measured(state, device.gpu.name)) {
      draw_gpu_choice(state, device.gpu.name, actions);
    }
  }
  gap(state, 4);
  write(Type::small, colours(state).dim, "Predicted from the datasheet");
  for (const Gpu& each : state.gpus) {
    if (!is_measured(state, each)) {
      draw_gpu_choice(state, each.name, actions);
    }
  }
}

void draw_device(const AppState& state, Actions& actions) {
  const Palette& token = colours(state);
  if (pill(state, "device", state.shown.device, Type::small, token.dim, token.edge, 0)) {
    ImGui::OpenPopup("gpus");
  }
  if (ImGui::IsItemHovered() && !ImGui::IsPopupOpen("gpus")) {
    hint(state, "Choose another GPU");
  }
  place_below_item(state);
  if (ImGui::BeginPopup("gpus")) {
    draw_gpu_list(state, actions);
    ImGui::EndPopup();
  }
}

std::string sweep_hint(const AppState& state) {
  return fmt::format("{} {} settings of the dials at this size",
                     mode(state) == Mode::live ? "Measure all" : "Show all",
                     count(static_cast<double>(state.shown.sweep_size)));
}

void draw_sweep(const AppState& state, Actions& actions) {
  if (button(state, "Sweep", Press::primary, state.shown.why_no_sweep)) {
    actions.push_back(StartSweep{});
  }
  if (ImGui::IsItemHovered() && !state.shown.why_no_sweep) {
    hint(state, sweep_hint(state));
  }
}

void draw_export(const AppState& state, Actions& actions) {
  if (button(state, "Export", Press::plain)) {
    ImGui::OpenPopup("export");
  }
  place_below_item(state);
  if (!ImGui::BeginPopup("export")) {
    return;
  }
  if (ImGui::Selectable("Picture (PNG)")) {
    actions.push_back(ExportPicture{});
  }
  if (ImGui::Selectable("Session (JSON lines)")) {
    actions.push_back(ExportSession{});
  }
  ImGui::EndPopup();
}

// A disc half in shadow.
void draw_theme_switch(const AppState& state, Actions& actions) {
  const float side = px(state, 30);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("theme", {side, side})) {
    actions.push_back(ToggleTheme{});
  }
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) {
    hint(state, state.settings.theme == Theme::dark ? "Light theme" : "Dark theme");
  }
  draw_dot(*ImGui::GetWindowDrawList(), {at.x + side / 2, at.y + side / 2}, px(state, 7),
           hovered ? colours(state).text : colours(state).dim, 1, Evidence::timed, colours(state).background);
}

void draw_actions(const AppState& state, const Rect& place, Actions& actions) {
  const float space = px(state, 10);
  const float width =
      px(state, 30) + space + button_width(state, "Sweep") + space + button_width(state, "Export");
  ImGui::SetCursorScreenPos({place.right() - px(state, 10) - width, place.y + px(state, 11)});
  draw_theme_switch(state, actions);
  ImGui::SameLine(0, space);
  draw_sweep(state, actions);
  ImGui::SameLine(0, space);
  draw_export(state, actions);
}

}  // namespace

void draw_top_bar(const AppState& state, const Rect& place, Actions& actions) {
  const Panel panel("Top", place, Panel::Frame::bare);
  draw_text(*ImGui::GetWindowDrawList(), {place.x + px(state, 16), place.y + px(state, 14)}, Type::title,
            ink(colours(state).text), "rooftile");
  ImGui::SetCursorScreenPos({place.x + px(state, 120), place.y + px(state, 13)});
  draw_mode(state);
  ImGui::SameLine(0, px(state, 10));
  draw_device(state, actions);
  draw_actions(state, place, actions);
}

}  // namespace rooftile::window
