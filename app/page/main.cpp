// The module of a page: backend.js calls what is exported here. Texts come in through the inbox.
#include <imgui.h>
#include <imgui_internal.h>  // its queue of input
#include <implot.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>

#include "app/page/browser.hpp"
#include "app/page/page.hpp"
#include "app/page/renderer.hpp"
#include "app/window/kit/style.hpp"
#include "app/window/panels/panels.hpp"

#define TO_PAGE(name) extern "C" __attribute__((export_name(#name)))

namespace {

using namespace rooftile;

constexpr unsigned char regular[] = {
#embed "../../assets/fonts/Roboto-Regular.ttf"
};
constexpr unsigned char bold[] = {
#embed "../../assets/fonts/Roboto-Bold.ttf"
};
constexpr unsigned char mono[] = {
#embed "../../assets/fonts/Inconsolata-Medium.ttf"
};

std::optional<page::Page> shown;
std::string inbox, clipboard;

template <std::size_t Bytes>
void add_font(const unsigned char (&file)[Bytes]) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(file), Bytes, window::font_pixels,
                                             &config);
}

void set_up_imgui() {
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset |
                     ImGuiBackendFlags_HasMouseCursors;
  window::map_plot_input();
  add_font(regular);
  add_font(bold);
  add_font(mono);
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) { return clipboard.c_str(); };
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    clipboard = text;
    page_clipboard(text, static_cast<int>(clipboard.size()));
  };
}

void fail(const std::exception& error) {
  const std::string sentence = error.what();
  page_fail(sentence.data(), static_cast<int>(sentence.size()));
}

void hand_over_downloads() {
  if (const auto download = shown->take_download()) {
    page_save(download->name.data(), static_cast<int>(download->name.size()), download->text.data(),
              static_cast<int>(download->text.size()));
  }
  if (shown->take_picture_request()) {
    page_picture();
  }
  if (shown->take_licences_request()) {
    page_licences();
  }
}

void draw_frame() {
  scene::Actions actions;
  window::apply_style(shown->state().settings);
  ImGui::NewFrame();
  window::draw_frame(shown->state(), actions);
  ImGui::Render();
  page::render(*ImGui::GetDrawData(), window::colours(shown->state()).background);
  shown->apply(actions);
  hand_over_downloads();
}

}  // namespace

// No more than a page lives: nothing of it is destroyed.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) {
  return 0;
}

// The inbox holds the page's data. True where the window can be drawn.
TO_PAGE(start) bool start() {
  try {
    shown.emplace(std::exchange(inbox, {}));
    set_up_imgui();
    return true;
  } catch (const std::exception& error) {
    fail(error);
    return false;
  }
}

// The inbox holds the compiled code of kernels.
TO_PAGE(code) void code() {
  shown->use_code(std::exchange(inbox, {}));
}

// In points, each of so many pixels.
TO_PAGE(resize) void resize(float width, float height, float pixels) {
  ImGui::GetIO().DisplaySize = {width, height};
  ImGui::GetIO().DisplayFramebufferScale = {pixels, pixels};
}

// The words of the window, ended by a zero. Valid until the next call.
TO_PAGE(words) const char* words() {
  static std::string said;
  said = shown->words();
  return said.c_str();
}

// Bits 0-7: the pointer's shape plus one, 0 hides it. 8: a field has the keyboard. 9: another frame is due.
TO_PAGE(frame) int frame(double seconds) {
  constexpr double longest_step = 0.1, shortest_step = 1e-4;
  static double last = 0;
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = static_cast<float>(std::clamp(seconds - last, shortest_step, longest_step));
  last = seconds;
  try {
    shown->news(seconds);
    draw_frame();
  } catch (const std::exception& error) {
    fail(error);
    return 1;
  }
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const auto held = [](const ImGuiKeyData& key) { return key.Down; };
  // Dear ImGui takes one change of a key in a frame.
  const bool due = shown->is_moving() || !context.InputEventsQueue.empty() || context.ActiveId != 0 ||
                   std::ranges::any_of(io.KeysData, held);
  return (ImGui::GetMouseCursor() + 1) | io.WantTextInput << 8 | due << 9;
}

TO_PAGE(pointer) void pointer(float x, float y, bool touch) {
  ImGui::GetIO().AddMouseSourceEvent(touch ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  ImGui::GetIO().AddMousePosEvent(x, y);
}
TO_PAGE(leave) void leave() {
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}
TO_PAGE(button) void button(int which, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(which, down);
}
TO_PAGE(wheel) void wheel(float x, float y) {
  ImGui::GetIO().AddMouseWheelEvent(x, y);
}
TO_PAGE(focus) void focus(bool has) {
  ImGui::GetIO().AddFocusEvent(has);
}

// Room for so many bytes of UTF-8, which the next call takes.
TO_PAGE(inbox) char* inbox_of(int bytes) {
  inbox.assign(static_cast<std::size_t>(bytes), '\0');
  return inbox.data();
}
TO_PAGE(type) void type() {
  ImGui::GetIO().AddInputCharactersUTF8(inbox.c_str());
}
TO_PAGE(paste) void paste() {
  clipboard = inbox;
}
// A session that was dropped: its name, a line end, its text.
TO_PAGE(open) void open() {
  const std::string dropped = std::exchange(inbox, {});
  const std::size_t end = dropped.find('\n');
  shown->open_file(dropped.substr(0, end), std::string_view(dropped).substr(end + 1));
}
// The inbox holds Dear ImGui's own name of the key: "LeftArrow", "A".
TO_PAGE(key) void key(bool down, bool control, bool shift, bool alt, bool super) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, control);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
  io.AddKeyEvent(ImGuiMod_Super, super);
  for (int each = ImGuiKey_NamedKey_BEGIN; each < ImGuiKey_NamedKey_END; ++each) {
    if (inbox == ImGui::GetKeyName(static_cast<ImGuiKey>(each))) {
      return io.AddKeyEvent(static_cast<ImGuiKey>(each), down);
    }
  }
}
