#include <imgui_internal.h>  // BringWindowToDisplayFront

#include <algorithm>

#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

struct Key {
  const char* keys;
  const char* does;
};

constexpr Key all_keys[] = {
    {"left  right", "move the dial, or the shape"},
    {"Home  End", "its first and last value"},
    {"Tab  up  down", "the next dial"},
    {"1 .. 9", "a kernel of the open group"},
    {"Space", "measure again"},
    {"S", "sweep, or find the best"},
    {"Enter", "start the sweep that is open"},
    {"F", "fit the axes"},
    {"P", "pin the selected point"},
    {"Delete", "remove the selected point"},
    {"Ctrl Z", "undo"},
    {"E", "export a picture"},
    {"T", "dark or light"},
    {"A", "animation on or off"},
    {"Ctrl +  Ctrl -", "larger, smaller"},
    {"Ctrl 0", "the size this display asks for"},
    {"N", "write a note on this place"},
    {"V", "present: the chart alone, and back"},
    {"H", "presenting: hide or show the launch"},
    {"Z", "presenting: freeze the picture"},
    {"L  R", "presenting: laser; timer from zero"},
    {"Escape", "close what is open"},
    {"?", "this list"},
};

// By the character: the key it is on differs from keyboard to keyboard.
bool typed(char character) {
  return ImGui::GetIO().InputQueueCharacters.contains(static_cast<ImWchar>(character));
}

enum class Held { once, repeats };

bool typed(ImGuiKey key, Held held = Held::once) {
  return ImGui::IsKeyPressed(key, held == Held::repeats);
}

void collect_dial_keys(const AppState& state, Actions& actions) {
  const std::string& dial = state.view.dial;
  for (const auto& [key, step] : {std::pair{ImGuiKey_LeftArrow, -1}, std::pair{ImGuiKey_RightArrow, 1}}) {
    if (typed(key, Held::repeats)) {
      actions.push_back(StepParameter{dial, step});
    }
  }
  if (typed(ImGuiKey_Home) || typed(ImGuiKey_End)) {
    actions.push_back(EndOfDial{dial, typed(ImGuiKey_End)});
  }
  for (const auto& [key, step] : {std::pair{ImGuiKey_UpArrow, -1}, std::pair{ImGuiKey_DownArrow, 1}}) {
    if (typed(key, Held::repeats)) {
      actions.push_back(NextDial{step});
    }
  }
  if (typed(ImGuiKey_Tab)) {
    actions.push_back(NextDial{ImGui::GetIO().KeyShift ? -1 : 1});
  }
}

void collect_point_keys(const AppState& state, Actions& actions) {
  if (!state.derived.shown.subject || state.derived.shown.subject->point.id == 0) {
    return;
  }
  if (typed(ImGuiKey_P)) {
    actions.push_back(Pin{state.derived.shown.subject->point.id});
  }
  if (typed(ImGuiKey_Delete)) {
    actions.push_back(Remove{state.derived.shown.subject->point.id});
  }
}

// The first nine of the chosen kernel's group.
void collect_kernel_keys(const AppState& state, Actions& actions) {
  const auto group = std::ranges::find(state.derived.shown.kernels, kernel(state).group, &KernelGroup::title);
  if (group == state.derived.shown.kernels.end()) {
    return;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(group->rows.size(), 9); ++i) {
    if (typed(static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(i)))) {
      actions.push_back(SelectKernel{group->rows[i].name});
    }
  }
}

// Never so large that the window could not hold its panels.
SetScale scaled_by(const AppState& state, float factor) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  return {fitting_scale(size.x, size.y, state.settings.scale * factor)};
}

void collect_control_keys(const AppState& state, Actions& actions) {
  constexpr float larger = 1.1f;
  if (typed(ImGuiKey_Z, Held::repeats)) {
    actions.push_back(Undo{});
  }
  if (typed(ImGuiKey_Equal, Held::repeats) || typed(ImGuiKey_KeypadAdd, Held::repeats)) {
    actions.push_back(scaled_by(state, larger));
  }
  if (typed(ImGuiKey_Minus, Held::repeats) || typed(ImGuiKey_KeypadSubtract, Held::repeats)) {
    actions.push_back(scaled_by(state, 1 / larger));
  }
  if (typed(ImGuiKey_0)) {
    actions.push_back(ResetScale{});
  }
}

void collect_presentation_keys(const AppState& state, Actions& actions) {
  constexpr float larger = 1.6f;  // for the last row
  if (typed(ImGuiKey_V)) {
    actions.push_back(TogglePresentation{scaled_by(state, larger).scale});
  }
  if (!state.view.presentation) {
    return;
  }
  const std::pair<ImGuiKey, Action> letters[] = {{ImGuiKey_H, ToggleGuess{}},
                                                 {ImGuiKey_Z, ToggleFreeze{}},
                                                 {ImGuiKey_L, ToggleLaser{}},
                                                 {ImGuiKey_R, RestartTimer{}}};
  for (const auto& [key, action] : letters) {
    if (typed(key)) {
      actions.push_back(action);
    }
  }
}

void collect_letter_keys(const AppState& state, Actions& actions) {
  const std::pair<ImGuiKey, Action> letters[] = {
      {ImGuiKey_F, Fit{}},           {ImGuiKey_T, ToggleTheme{}},      {ImGuiKey_A, ToggleAnimation{}},
      {ImGuiKey_E, AskForPicture{}}, {ImGuiKey_Space, MeasureAgain{}}, {ImGuiKey_N, OpenNote{}},
  };
  for (const auto& [key, action] : letters) {
    if (typed(key)) {
      actions.push_back(action);
    }
  }
  if (typed('?')) {
    actions.push_back(ToggleKeys{});
  }
  if (typed(ImGuiKey_S) && !state.derived.shown.why_no_sweep) {
    actions.push_back(ToggleSweep{});
  }
  const bool can_start =
      state.view.sweep_open && !state.derived.shown.sweep.why_not && !state.known.session.progress;
  if (can_start && typed(ImGuiKey_Enter)) {
    actions.push_back(StartSweep{});
  }
  if (typed(ImGuiKey_Escape)) {
    actions.push_back(CloseWhatIsOpen{});
  }
}

}  // namespace

void collect_keys(const AppState& state, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || menu_open()) {
    return;
  }
  if (io.KeyCtrl) {
    collect_control_keys(state, actions);
    return;
  }
  collect_dial_keys(state, actions);
  collect_point_keys(state, actions);
  collect_kernel_keys(state, actions);
  collect_letter_keys(state, actions);
  collect_presentation_keys(state, actions);
}

void draw_keys(const AppState& state, Actions& actions) {
  if (!state.view.keys_open) {
    return;
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImVec2 box{px(state, 400), std::min(px(state, 100 + 20 * std::size(all_keys)), size.y - px(state, 10))};
  const PanelFrame frame("Keys", {(size.x - box.x) / 2, (size.y - box.y) / 2, box.x, box.y},
                         PanelFrame::Style::floating);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  write_heading(state, "Keys");
  for (const Key& key : all_keys) {
    write(Type::figure, colours(state).text, key.keys);
    ImGui::SameLine(px(state, 150));
    write(Type::body, colours(state).dim, key.does);
  }
  gap(state, 6);
  if (button(state, "Licences", Press::plain)) {
    actions.push_back(ShowLicences{});
  }
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !ImGui::IsWindowAppearing()) {
    actions.push_back(ToggleKeys{});
  }
}

}  // namespace rooftile::window
