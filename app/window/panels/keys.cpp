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
    {"left  right", "move the dial"},
    {"Home  End", "its first and last value"},
    {"Tab  up  down", "the next dial"},
    {"1 .. 9", "choose a kernel"},
    {"Space", "measure again"},
    {"S", "sweep the dials"},
    {"F", "fit the axes"},
    {"P", "pin the newest point"},
    {"Delete", "remove it"},
    {"Ctrl Z", "undo"},
    {"E", "export a picture"},
    {"T", "dark or light"},
    {"A", "animation on or off"},
    {"Ctrl +  Ctrl -", "larger, smaller"},
    {"?", "this list"},
};

// By the character: the key it is on differs from keyboard to keyboard.
bool typed(char character) {
  return ImGui::GetIO().InputQueueCharacters.contains(static_cast<ImWchar>(character));
}

bool typed(ImGuiKey key) {
  return ImGui::IsKeyPressed(key);
}

void collect_dial_keys(const AppState& state, Actions& actions) {
  const std::string& dial = state.view.dial;
  if (typed(ImGuiKey_LeftArrow) || typed(ImGuiKey_RightArrow)) {
    actions.push_back(StepParameter{dial, typed(ImGuiKey_RightArrow) ? 1 : -1});
  }
  if (typed(ImGuiKey_Home) || typed(ImGuiKey_End)) {
    actions.push_back(EndOfDial{dial, typed(ImGuiKey_End)});
  }
  if (typed(ImGuiKey_DownArrow) || typed(ImGuiKey_UpArrow)) {
    actions.push_back(NextDial{typed(ImGuiKey_DownArrow) ? 1 : -1});
  }
  if (typed(ImGuiKey_Tab)) {
    actions.push_back(NextDial{ImGui::GetIO().KeyShift ? -1 : 1});
  }
}

void collect_point_keys(const AppState& state, Actions& actions) {
  if (!state.shown.subject || state.shown.subject->point.id == 0) {
    return;
  }
  if (typed(ImGuiKey_P)) {
    actions.push_back(Pin{state.shown.subject->point.id});
  }
  if (typed(ImGuiKey_Delete)) {
    actions.push_back(Remove{state.shown.subject->point.id});
  }
}

void collect_kernel_keys(const AppState& state, Actions& actions) {
  for (std::size_t i = 0; i < std::min<std::size_t>(state.catalogue.size(), 9); ++i) {
    if (typed(static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(i)))) {
      actions.push_back(SelectKernel{state.catalogue[i].name});
    }
  }
}

void collect_control_keys(const AppState& state, Actions& actions) {
  if (typed(ImGuiKey_Z)) {
    actions.push_back(Undo{});
  }
  if (typed(ImGuiKey_Equal) || typed(ImGuiKey_KeypadAdd)) {
    actions.push_back(SetScale{state.settings.scale * 1.1f});
  }
  if (typed(ImGuiKey_Minus) || typed(ImGuiKey_KeypadSubtract)) {
    actions.push_back(SetScale{state.settings.scale / 1.1f});
  }
  if (typed(ImGuiKey_0)) {
    actions.push_back(SetScale{1});
  }
}

void collect_letter_keys(const AppState& state, Actions& actions) {
  const std::pair<ImGuiKey, Action> letters[] = {
      {ImGuiKey_F, Fit{}},           {ImGuiKey_T, ToggleTheme{}},      {ImGuiKey_A, ToggleAnimation{}},
      {ImGuiKey_E, ExportPicture{}}, {ImGuiKey_Space, MeasureAgain{}},
  };
  for (const auto& [key, action] : letters) {
    if (typed(key)) {
      actions.push_back(action);
    }
  }
  if (typed('?')) {
    actions.push_back(ToggleKeys{});
  }
  if (typed(ImGuiKey_S) && !state.shown.why_no_sweep) {
    actions.push_back(StartSweep{});
  }
  if (typed(ImGuiKey_Escape) && state.view.keys_open) {
    actions.push_back(ToggleKeys{});
  }
}

}  // namespace

void collect_keys(const AppState& state, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput) {
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
}

void draw_keys(const AppState& state, Actions& actions) {
  if (!state.view.keys_open) {
    return;
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImVec2 box{px(state, 360), px(state, 60 + 20 * std::size(all_keys))};
  const Panel panel("Keys", {(size.x - box.x) / 2, (size.y - box.y) / 2, box.x, box.y}, Panel::Frame::floating);
  ImGui::SetWindowFocus();
  write_heading(state, "Keys");
  for (const Key& key : all_keys) {
    write(Type::figure, colours(state).text, key.keys);
    ImGui::SameLine(px(state, 150));
    write(Type::body, colours(state).dim, key.does);
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowAppearing()) {
    actions.push_back(ToggleKeys{});
  }
}

}  // namespace rooftile::window
