#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/format.hpp"
#include "app/scene/access/picture_page.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float pill_height = 26, pill_padding = 11;
constexpr float button_side = 30, between_actions = 10;

struct ModeWord {
  const char* word;
  Rgb colour;
  const char* meaning;
};

ModeWord mode_word(const AppState& state) {
  const Palette& token = colours(state);
  if (state.known.session.program && state.known.session.program->runs()) {
    return {"PROGRAM", token.good,
            "A program runs: its kernels are counted as it launches them, and rooftile launches nothing."};
  }
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

// Words in a rounded frame, with room behind them. Returns whether it was pressed.
bool pill(const AppState& state, const char* id, std::string_view words_of_it, Type type, Rgb text_colour,
          Rgb edge, float fill, float room = 0) {
  const ImVec2 words_size = text_size(type, words_of_it);
  const ImVec2 size{words_size.x + 2 * px(state, pill_padding) + room, px(state, pill_height)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + size.x, at.y + size.y};
  const float round = size.y / 2;
  draw.AddRectFilled(at, end, ink(mix(colours(state).panel, edge, fill)), round);
  draw.AddRect(at, end, ink(edge), round);
  draw_text(draw, {at.x + px(state, pill_padding), at.y + (size.y - words_size.y) / 2}, type, ink(text_colour),
            words_of_it);
  return pressed;
}

void draw_mode(const AppState& state) {
  const ModeWord word = mode_word(state);
  pill(state, "mode", word.word, Type::small, words(state, word.colour), word.colour, 0.16f);
  if (ImGui::IsItemHovered()) {
    hint(state, word.meaning);
  }
}

void draw_gpu_choice(const AppState& state, const std::string& name, Actions& actions) {
  if (menu_row(name.c_str(), name == state.choice.gpu)) {
    actions.push_back(SelectGpu{name});
  }
}

bool is_measured(const AppState& state, const std::string& gpu) {
  return gpu == state.known.session.device || state.known.recordings.any(gpu);
}

// A GPU of the table may be measured under the driver's name for it.
bool is_measured(const AppState& state, const Gpu& of_table) {
  return is_measured(state, of_table.name) || is_measured(state, of_table.driver_name);
}

// The other GPUs that were measured, in this session or in one that was opened beside it.
void draw_compare_list(const AppState& state, Actions& actions) {
  write(Type::small, colours(state).dim, "Compare with");
  bool any = false;
  ImGui::PushID("compare");
  for (const DeviceRecord& device : state.known.session.log->devices) {
    const std::string& name = device.gpu.name;
    if (name != state.choice.gpu && is_measured(state, name)) {
      any = true;
      const bool is_beside = name == state.view.beside;
      if (menu_row(name.c_str(), is_beside)) {
        actions.push_back(CompareWith{is_beside ? "" : name});
      }
    }
  }
  ImGui::PopID();
  if (!any) {
    write(Type::small, colours(state).dim, "rooftile before.jsonl after.jsonl opens two sessions");
  }
}

// The GPUs of the machine that measures, where it has several.
void draw_machine(const AppState& state, Actions& actions) {
  const auto& devices = state.known.session.log->devices;
  const auto own = std::ranges::find_if(
      devices, [&](const DeviceRecord& device) { return device.gpu.name == state.known.session.device; });
  if (own == devices.end() || own->machine.empty()) {
    return;
  }
  write(Type::small, colours(state).dim, "GPUs of the machine");
  for (std::size_t i = 0; i < own->machine.size(); ++i) {
    const auto index = static_cast<int>(i);
    if (menu_row(fmt::format("{}  {}", i, own->machine[i]).c_str(), own->index == index)) {
      actions.push_back(UseDevice{index});
    }
  }
  gap(state, 4);
}

void draw_gpu_list(const AppState& state, Actions& actions) {
  draw_machine(state, actions);
  write(Type::small, colours(state).dim, "Measured");
  for (const DeviceRecord& device : state.known.session.log->devices) {
    if (is_measured(state, device.gpu.name)) {
      draw_gpu_choice(state, device.gpu.name, actions);
    }
  }
  gap(state, 4);
  draw_compare_list(state, actions);
  gap(state, 4);
  write(Type::small, colours(state).dim, "Predicted from the datasheet");
  for (const Gpu& each : state.known.gpus) {
    if (!is_measured(state, each)) {
      draw_gpu_choice(state, each.name, actions);
    }
  }
}

// The name alone where there is no room for more.
std::string device_label(const AppState& state, bool narrow, float width) {
  const Gpu* device = gpu(state);
  return elided(Type::small, narrow && device ? device->name : state.derived.shown.device,
                width - 2 * px(state, pill_padding));
}

void draw_device(const AppState& state, bool narrow, float width, Actions& actions) {
  const Palette& token = colours(state);
  const float arrow = px(state, 12);
  if (pill(state, "device", device_label(state, narrow, width - arrow), Type::small, token.dim, token.edge, 0,
           arrow)) {
    ImGui::OpenPopup("gpus");
  }
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  draw_arrow(*ImGui::GetWindowDrawList(), {to.x - px(state, pill_padding) - arrow / 4, (from.y + to.y) / 2},
             px(state, 4), ArrowHead::down, ink(token.dim));
  if (ImGui::IsItemHovered() && !ImGui::IsPopupOpen("gpus")) {
    const std::vector<std::string> lines{state.derived.shown.device,
                                         "Click to choose another GPU, or a GPU to compare with."};
    hint(state, lines);
  }
  if (begin_menu(state, "gpus")) {
    draw_gpu_list(state, actions);
    end_menu();
  }
}

void draw_sweep(const AppState& state, Actions& actions) {
  if (button(state, "Sweep", Press::primary, state.derived.shown.why_no_sweep)) {
    actions.push_back(ToggleSweep{});
  }
  if (ImGui::IsItemHovered() && !state.derived.shown.why_no_sweep && !state.view.sweep_open) {
    hint(state, "Choose the values of the dials, or search for the best.");
  }
}

void draw_export_rows(const AppState& state, Actions& actions) {
  if (menu_row("Picture (PNG)")) {
    actions.push_back(AskForPicture{});
  }
  if (has_picture_page(state) && menu_row("This picture alone (SVG)")) {
    actions.push_back(ExportDrawing{});
  }
  if (menu_row("Session (JSON lines and CSV)")) {
    actions.push_back(ExportSession{});
  }
  if (menu_row("Page for a browser (HTML)")) {
    actions.push_back(ExportPage{});
  }
}

void draw_export(const AppState& state, Actions& actions) {
  if (button(state, "Export", Press::plain)) {
    ImGui::OpenPopup("export");
  }
  if (begin_menu(state, "export")) {
    draw_export_rows(state, actions);
    end_menu();
  }
}

const char* other_theme(const AppState& state) {
  return state.settings.theme == Theme::dark ? "Light theme" : "Dark theme";
}

// The lessons, the one that is played marked.
void draw_lesson_rows(const AppState& state, Actions& actions) {
  for (const Lesson& lesson : state.known.lessons) {
    const bool played = state.view.lesson && state.view.lesson->lesson == lesson.id;
    if (menu_row(lesson.title.c_str(), played)) {
      actions.push_back(OpenLesson{lesson.id});
    }
  }
  if (state.view.lesson && menu_row("Leave the lesson; it goes on at this step")) {
    actions.push_back(CloseLesson{});
  }
  write(Type::small, colours(state).dim, "A file of your own: rooftile lesson.md, or drop it here");
}

void draw_lessons(const AppState& state, Actions& actions) {
  if (button(state, "Lessons", Press::plain)) {
    ImGui::OpenPopup("lessons");
  }
  if (begin_menu(state, "lessons")) {
    draw_lesson_rows(state, actions);
    end_menu();
  }
}

// A disc half in shadow.
void draw_theme_switch(const AppState& state, Actions& actions) {
  const float side = px(state, button_side);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("theme", {side, side})) {
    actions.push_back(ToggleTheme{});
  }
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) {
    hint(state, other_theme(state));
  }
  draw_dot(*ImGui::GetWindowDrawList(), {at.x + side / 2, at.y + side / 2}, px(state, 7),
           hovered ? colours(state).text : colours(state).dim, 1, Evidence::timed, colours(state).background);
}

// Three lines: everything else, in a small window.
void draw_more_actions(const AppState& state, Actions& actions) {
  const float side = px(state, button_side), arm = px(state, 7), step = px(state, 5);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("more", {side, side})) {
    ImGui::OpenPopup("more actions");
  }
  const ImU32 colour = ink(ImGui::IsItemHovered() ? colours(state).text : colours(state).dim);
  const ImVec2 centre{at.x + side / 2, at.y + side / 2};
  for (const float y : {-step, 0.0f, step}) {
    ImGui::GetWindowDrawList()->AddLine({centre.x - arm, centre.y + y}, {centre.x + arm, centre.y + y}, colour,
                                        px(state, 1.6f));
  }
  if (begin_menu(state, "more actions")) {
    draw_export_rows(state, actions);
    if (menu_row(other_theme(state))) {
      actions.push_back(ToggleTheme{});
    }
    if (menu_row("Keys")) {
      actions.push_back(ToggleKeys{});
    }
    end_menu();
  }
}

float actions_width(const AppState& state, bool folded) {
  const float space = px(state, between_actions);
  const float exporting = folded ? 0 : space + button_width(state, "Export");
  return px(state, button_side) + space + button_width(state, "Lessons") + space +
         button_width(state, "Sweep") + exporting;
}

void draw_actions(const AppState& state, bool folded, Actions& actions) {
  const float space = px(state, between_actions);
  if (!folded) {
    draw_theme_switch(state, actions);
    ImGui::SameLine(0, space);
  }
  draw_lessons(state, actions);
  ImGui::SameLine(0, space);
  draw_sweep(state, actions);
  ImGui::SameLine(0, space);
  folded ? draw_more_actions(state, actions) : draw_export(state, actions);
}

}  // namespace

void draw_top_bar(const AppState& state, const Layout& layout, Actions& actions) {
  const Rect& place = layout.top;
  const PanelFrame frame("Top", place, PanelFrame::Style::bare);
  const float middle = place.y + place.height / 2,
              actions_x = place.right() - px(state, 10) - actions_width(state, layout.folded);
  draw_text(*ImGui::GetWindowDrawList(), {place.x + px(state, 16), middle - px(state, 12)}, Type::title,
            ink(colours(state).text), "rooftile");
  ImGui::SetCursorScreenPos({place.x + px(state, 114), middle - px(state, pill_height / 2)});
  draw_mode(state);
  ImGui::SameLine(0, px(state, 10));
  draw_device(state, layout.folded, actions_x - px(state, 10) - ImGui::GetCursorScreenPos().x, actions);
  ImGui::SetCursorScreenPos({actions_x, middle - px(state, button_side / 2)});
  draw_actions(state, layout.folded, actions);
}

}  // namespace rooftile::window
